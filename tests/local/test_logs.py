import stat

from chatapp.local.logs import LogFile, llama_line, whole_line


def test_lines_are_appended_for_the_owner_alone(tmp_path):
    for line in ("one", "two"):
        log = LogFile(tmp_path / "logs" / "it.log")
        log.write(line)
        log.close()
    assert (tmp_path / "logs" / "it.log").read_text() == "one\ntwo\n"
    assert stat.S_IMODE((tmp_path / "logs" / "it.log").stat().st_mode) == 0o600


def test_a_full_log_is_moved_aside_once(tmp_path):
    log = LogFile(tmp_path / "it.log", max_bytes=100)
    for number in range(100):
        log.write(f"line {number:04}")
    log.close()
    sizes = {path.name: path.stat().st_size for path in tmp_path.iterdir()}
    assert set(sizes) == {"it.log", "it.log.1"}
    assert all(size <= 120 for size in sizes.values())
    assert (tmp_path / "it.log").read_text().endswith("line 0099\n")


def test_llama_lines_are_kept_up_to_what_they_quote():
    line = "0.00.899.637 E srv    send_error: task id = 6, error: request (12031 tokens) exceeds"
    assert llama_line(line) == line
    quoting = '0.00.910.632 W srv    operator(): got exception: {"error": "type secret"}'
    assert llama_line(quoting) == "0.00.910.632 W srv    operator(): got exception:"


def test_other_lines_of_a_model_server_are_dropped():
    for line in ("root ::= secret (", "", "a secret", "{'a': 'secret'}"):
        assert llama_line(line) is None


def test_a_crash_of_the_model_server_is_kept():
    line = "/build/ggml/src/ggml.c:1234: GGML_ASSERT(n > 0) failed"
    assert llama_line(line) == line


def test_other_programs_are_logged_whole():
    assert whole_line("anything") == "anything"
