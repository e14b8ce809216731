from chatapp.local.programs import valkey_program, web_program, worker_program


def test_the_web_listens_on_loopback_alone_and_has_time_to_drain(tmp_path):
    program = web_program(tmp_path, tmp_path / "data", 8001, {"A": "b"})
    assert program.command[-4:] == ["--host", "127.0.0.1", "--port", "8001"]
    assert program.environ == {"A": "b"}
    assert program.stop_s >= 12


def test_the_worker_has_two_threads_and_keeps_the_schedule(tmp_path):
    words = list(worker_program(tmp_path, tmp_path / "data", {}).command)
    assert words[words.index("--pool") + 1] == "threads"
    assert words[words.index("--concurrency") + 1] == "2"
    assert "--beat" in words
    assert words[words.index("--schedule") + 1].startswith(str(tmp_path / "data"))


def test_no_address_or_key_stands_on_a_command_line(tmp_path):
    environ = {"REDIS_URL": "redis://:s3cret@host", "DATABASE_URL": "postgres://u:s3cret@host/db"}
    for program in (
        web_program(tmp_path, tmp_path, 8000, environ),
        worker_program(tmp_path, tmp_path, environ),
    ):
        assert "s3cret" not in " ".join(program.command)


def test_every_program_has_a_log_of_its_own(tmp_path):
    programs = [
        web_program(tmp_path, tmp_path, 8000, {}),
        worker_program(tmp_path, tmp_path, {}),
        valkey_program(tmp_path / "server", tmp_path, tmp_path),
    ]
    assert len({program.log_path for program in programs}) == 3
