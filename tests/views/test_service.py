"""What the service says about itself."""

from django.db import DatabaseError
from django.urls import reverse

HEALTH = "/healthz"


async def test_a_healthy_process_says_ok_to_anybody(visitors):
    answer = await visitors.anonymous.get(HEALTH)

    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})


async def test_a_draining_process_is_not_given_new_work(visitors, runtime):
    runtime.draining = True

    answer = await visitors.anonymous.get(HEALTH)

    assert (answer.status_code, answer.json()) == (503, {"status": "draining"})


async def test_a_process_without_its_database_is_unhealthy(visitors, monkeypatch):
    def refuse():
        raise DatabaseError("no connection")

    monkeypatch.setattr("chatapp.views.service.database_answers", refuse)

    answer = await visitors.anonymous.get(HEALTH)

    assert (answer.status_code, answer.json()) == (503, {"status": "database unavailable"})
    assert "no connection" not in answer.text


async def test_a_ready_model_is_said_to_be_ready_and_asked_no_more(visitors):
    answer = await visitors.alice.get(reverse("model_status"))

    assert 'data-ready="true"' in answer.text
    assert "every 2s" not in answer.text


async def test_the_state_is_that_of_the_selected_model(visitors, scripted_models):
    text = scripted_models.read_text(encoding="utf-8")
    first, second = text.rsplit("[[models]]", 1)
    scripted_models.write_text(
        f'{first}[[models]]\nkey_variable = "NO_SUCH_KEY"{second}', encoding="utf-8"
    )

    ready = await visitors.alice.get(reverse("model_status"), {"selected": "scripted"})
    keyless = await visitors.alice.get(reverse("model_status"), {"selected": "second"})

    assert 'data-ready="true"' in ready.text
    assert 'data-ready="false"' in keyless.text
    assert "?selected=second" in keyless.text
    assert (await visitors.alice.get(keyless.text.split('hx-get="')[1].split('"')[0])).text == (
        keyless.text
    )
