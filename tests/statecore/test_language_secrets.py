"""A secret is known by its value or by the words before it; speaking of one is no secret."""

import pytest

from statecore.language.secrets import has_secret
from tests.support.work import assert_linear


@pytest.mark.parametrize(
    "text",
    [
        "my password is hunter2",
        "password: swordfish",
        "My password is swordfish.",
        "пароль — котик",
        "Мой пароль: qwerty",
        "пароль от почты qwerty123",
        "密码是abc123",
        "密码：123456",
        "my pin is 4417",
        "пин-код 4417",
        "PIN码是1234",
        "card 4111 1111 1111 1111",
        "4111111111111111",
        "my passport number is 512345678",
        "паспорт 4510 123456",
        "护照号E12345678",
        "123-45-6789",
        "sk-abcdefghijklmnop1234",
        "api key = a8s7d6f5g4",
        "Bearer abcdefghijklmnopqrst",
        "110105199003071233",
        "https://u:pw123@host/x",
        "password for the router is tiger",
        "the wifi password is correct-horse1",
        "cvv 123",
        "token: 8f7a9d",
        "我的密码是abc123",
        "记住我的密码：hunter",
        "-----BEGIN RSA PRIVATE KEY-----",
    ],
)
def test_a_secret_is_seen(text):
    assert has_secret(text)
    assert has_secret(f"Please keep this. {text}")


@pytest.mark.parametrize(
    "text",
    [
        "I forgot my password",
        "What is a password?",
        "The password is wrong.",
        "never tell anyone my password",
        "password reset is needed",
        "пароль неверный",
        "Пароль не подходит",
        "忘记密码怎么办",
        "密码错误",
        "The token is expired",
        "order 48371122",
        "my number is +44 20 7946 0958",
        "https://docs.example.org/d/1aB2cD3eF4gH5iJ6kL7mN8oP9qR0sT1uV2wX3yZ4",
        "pin the tab 3",
        "ORDER-2026-05-12-A113",
        "commit 3f6272bdeadbeef3f6272bdeadbeef3f6272bdead",
        "the password is not secure",
        "The secret is to cook it slowly.",
        "The secret of pasta is salt",
        "a meeting with 12 people at 14:30",
        "Secret: always warm the pan",
        "密码是什么？",
        "我的卡丢了",
        "passport expires in March 2027",
        "My passport is valid until 12 May 2030",
        "Мой паспорт действует до 12.05.2030",
        "reset token for the app",
        "日期是12号",
        "Номер заказа 48371",
        "订单号是QX-4417",
    ],
)
def test_speaking_of_secrets_gives_none_away(text):
    assert not has_secret(text)


@pytest.mark.parametrize(
    "unit", ["1", "1 ", "password ", "пароль от ", "passport ", "card", "A", "://a:", "token "]
)
def test_work_grows_with_the_length_and_no_faster(unit):
    assert_linear(has_secret, unit)
