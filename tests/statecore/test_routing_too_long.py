"""What many providers say of a request that was too long is understood, and nothing else is."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statecore.routing.failures import Evidence, FailureReason, classify
from statecore.routing.stream import ChatReader, StreamError
from statecore.routing.too_long import is_too_long

R = FailureReason

TOO_LONG = (
    # English, as the providers and servers word it.
    "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens.",
    "Your input exceeds the context window of this model. Please adjust your input and try again.",
    "Input tokens exceed the configured limit of 272000 tokens.",
    "prompt is too long: 211023 tokens > 200000 maximum",
    "input length and `max_tokens` exceed context limit: 198000 + 8192 > 200000",
    "Request size exceeds model context window",
    "The input token count (1232145) exceeds the maximum number of tokens allowed (1048575).",
    "This model's maximum prompt length is 131072 but the request contains 140000 tokens.",
    "Range of input length should be [1, 30720]",
    "InternalError.Algo.InvalidParameter: Range of input length should be [1, 202745]",
    "Invalid request: Your request exceeded model token limit: 262144 (requested: 291351)",
    "Input token length too long",
    "total message size 2306631 exceeds limit 2097152",
    "The number of tokens to keep from the initial prompt is greater than the context length",
    "Trying to keep the first 111490 tokens when context the overflows.",
    "Context size has been exceeded.",
    "`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 `inputs` tokens",
    "Input validation error: `inputs` must have less than 4097 tokens. Given: 5000",
    "input length exceeds maximum context length",
    "prompt too long; exceeded max context length by 904 tokens",
    "the input length exceeds the context length",
    "Prompt contains 40000 tokens, too large for model with 32768 maximum context length",
    "too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 5000.",
    "Input is too long for requested model.",
    "Too many input tokens. Max input tokens: 128000, request input token count: 140000",
    "the number of input tokens 5000 cannot exceed the total tokens limit 4096 for this model",
    "input token count is above the limit",
    "Number of input tokens must be no more than 8192, got 9136",
    "folder_id=1: text length is 349354, which is outside the range (0, 100000]",
    "Tokens limit exceeded: 40000 > 32768",
    "Total tokens of image and text exceed max message tokens. Request id: 0217",
    "length of prompt_tokens (65878) must be less than max_seq_len (65536).",
    "the max input characters is 11200",
    "Prompt tokens too long",
    "invalid params, context window exceeds limit",
    "prompt token count of 65204 exceeds the limit of 64000",
    "Request body too large for gpt-5-mini model. Max size: 4000 tokens.",
    "Input length 131393 exceeds the maximum allowed input length of 131,040 tokens.",
    "Input length (265330) exceeds model's maximum context length (262144).",
    "Prompt has 40,000 tokens, but the configured context size is 32,768 tokens",
    "Requested token count exceeds the model's maximum context length of 131072 tokens.",
    "Number of tokens in request more than max tokens allowed",
    "The decoder prompt (length 40030) is longer than the maximum model length of 16384.",
    "the request exceeds the available context size, try increasing it",
    (
        "Please reduce the length of the messages or completion. Current length is 9000 while limit"
        " is 8192"
    ),
    "Try using a shorter prompt",
    "max_tokens would exceed context window",
    (
        "`max_tokens` is too large: 2000. This model's maximum context length is 4096 tokens and"
        " your request has 2104 input tokens (2000 > 4096 - 2104)."
    ),
    "Context window exceeded: requested 12000 tokens",
    "Model context window is 128k tokens, you requested 256k tokens",
    "Prompt too large for this model",
    "Invalid 'messages[1].content': string too long. Expected a string with maximum length 1048576",
    "The prompt does not fit into the window.",
    "context_length_exceeded",
    "litellm.BadRequestError: XaiException - maximum prompt length is 500000",
    "Zu viele Token: 9000 > 8192 in the prompt",
    # Chinese.
    "输入内容过长，请缩短后重试",
    "Prompt 超长",
    "您的请求包含的总token数超过上限",
    "输入长度超过模型上限",
    "输入长度超过上下文限制",
    "输入超出模型的上下文长度",
    "上下文过长，请减少输入",
    "上下文长度超出模型最大限制",
    "请压缩上下文后重试",
    "输入的 token 数不能超过 8192",
    "对话历史太长",
    "请求体过大：tokens 超限",
    "輸入過長，超過上下文長度",
    # Russian.
    "Запрос превышает размер контекста модели",
    "Превышен контекст модели: не более 8192 токенов",
    "Слишком длинный запрос",
    "Сообщение слишком длинное, сократите его",
    "Количество токенов в запросе (40000) превышает лимит модели (32768)",
    "Количество входных токенов не должно превышать 8192",
    "Контекст модели переполнен",
    "История диалога не помещается в окно модели",
    "Превышена максимальная длина входного текста",
    "Слишком много токенов",
    # Others.
    "入力トークン数が上限を超えています",
    "コンテキスト長を超過しました",
    "입력이 너무 깁니다",
    "컨텍스트 길이를 초과했습니다",
    "Die Eingabe überschreitet die maximale Kontextlänge",
    "La requête dépasse la longueur maximale du contexte",
    "La entrada supera el límite de contexto del modelo",
)

OTHERS = (
    # Too much in some time.
    (400, "Rate limit reached: 6000 tokens per minute", R.RATE_LIMIT),
    (400, "Request too large for model `x` on tokens per minute (TPM): Limit 6000", R.RATE_LIMIT),
    (403, "This request would exceed your account's rate limit", R.RATE_LIMIT),
    (400, "ThrottlingException: Too many tokens, please wait before trying again.", R.RATE_LIMIT),
    (503, "Throttling error: Too many tokens", R.RATE_LIMIT),
    (400, "请求过多，请稍后再试", R.RATE_LIMIT),
    (400, "触发限流：每分钟 token 数超过上限", R.RATE_LIMIT),
    (400, "Слишком много запросов, попробуйте позже", R.RATE_LIMIT),
    (400, "Превышен лимит запросов", R.RATE_LIMIT),
    (429, "prompt is too long: 211023 tokens > 200000 maximum", R.RATE_LIMIT),
    (429, "maximum context length", R.RATE_LIMIT),
    (402, "Prompt tokens limit exceeded: 14250 > 3621", R.AUTH),
    (400, "You exceeded your current quota, please check your plan and billing.", R.AUTH),
    (500, "Your request exceeds the maximum usage size allowed during peak load.", R.SERVER_ERROR),
    # The limit of an answer.
    (
        400,
        "max_tokens is too large: 200000. This model supports at most 16384 completion tokens.",
        R.BAD_FORMAT,
    ),
    (400, "max_tokens exceeds the limit of 8192", R.BAD_FORMAT),
    (400, "Range of max_tokens should be [1, 8192]", R.BAD_FORMAT),
    (400, "`max_completion_tokens` must be less than or equal to `8192`", R.BAD_FORMAT),
    (500, "max_output_tokens must be at most 4096", R.BAD_FORMAT),
    (400, "thinking.budget_tokens must be less than max_tokens", R.BAD_FORMAT),
    (400, "integer above maximum value, expected a value <= 12288, but got 32000", R.BAD_FORMAT),
    # Attachments.
    (413, "image exceeds 5 MB maximum", R.BAD_FORMAT),
    (413, "Payload too large: the attachment is larger than 20 MB", R.BAD_FORMAT),
    (
        400,
        "One of the image dimensions exceeds the max allowed size: 8000 pixels",
        R.BAD_FORMAT,
    ),
    (400, "request size exceeds upload limit", R.BAD_FORMAT),
    (400, "文件大小超过限制", R.BAD_FORMAT),
    (413, "Файл слишком большой", R.BAD_FORMAT),
    # Whatever else is too long, too small or exceeded.
    (400, "Input should be less than or equal to 2", R.BAD_FORMAT),
    (400, "Input should be greater than 0", R.BAD_FORMAT),
    (400, "Model context window too small (minimum is 128k tokens)", R.BAD_FORMAT),
    (400, "roles must alternate user/assistant", R.BAD_FORMAT),
    (400, "Invalid 'tools': array too long. Expected at most 128 tools.", R.BAD_FORMAT),
    (500, "context deadline exceeded", R.SERVER_ERROR),
    (500, "the request timeout was exceeded", R.SERVER_ERROR),
    (503, "Service unavailable: retries exceeded", R.SERVER_ERROR),
    (401, "Your access token is too long", R.AUTH),
    (400, "Unknown parameter: 'context'", R.BAD_FORMAT),
    (400, "messages: at least one message is required", R.BAD_FORMAT),
    (500, "请求超时", R.SERVER_ERROR),
    (500, "Превышено время ожидания запроса", R.SERVER_ERROR),
    (404, "The model `x` does not exist or its context is unknown", R.UNKNOWN_MODEL),
    (503, "Loading model", R.SERVER_ERROR),
    (400, "temperature must not be greater than 2", R.BAD_FORMAT),
    (400, "", R.BAD_FORMAT),
)

OTHER_WORDS = """\
Context overflow: Summarization failed: the conversation is too long
Request exceeds the maximum size
413 Request Entity Too Large
input length would exceed context budget for this model
Unhandled stop reason: model_context_window_exceeded
错误：上下文过长，请减少输入
超出最大上下文长度
Error: 503 litellm: OpenAIException - Requested token count exceeds the context length
Token indices sequence length is longer than the specified maximum sequence length for this mo
Context length exceeded the 8192 token limit
输入令牌数(3377151)超过了允许的最大令牌数(1048576)
token limit exceeded for this model
too many tokens in the request
Prompt exceeds max length
输入内容超过模型最大上下文长度
Input exceeds the context limit
maximum context length failed
This request would exceed the model's context window of 200000 tokens
The total length of your messages (9100 tokens) is above the supported maximum of 8192
Your conversation has grown beyond what the model can read: 9000 tokens, limit 8192
Sequence of 9000 tokens does not fit the context of 8192
The prompt (9000 tokens) must be shorter than 8192 tokens
Requested tokens (9000) exceed context window of 8192
requested 9000 tokens but the engine only supports 8192
Message history is too long. Please start a new chat.
Maximum tokens exceeded: 9000/8192 in the prompt
提示词长度超出限制
请求 token 总数(9000)大于模型支持的最大值(8192)
消息内容太长了
文本长度超过最大限制
会话轮数过多，历史消息超出上下文窗口
参数 messages 总长度超过 32768 tokens
prompt tokens 超过限制
Текст запроса слишком длинный
Размер запроса превышает допустимый: 9000 токенов из 8192
Входные данные превышают контекстное окно
Длина контекста превышена
Превышен лимит токенов: 9000 > 8192
Диалог слишком длинный, начните новый
Промпт длиннее, чем может принять модель
Число токенов на входе больше допустимого (9000, максимум 8192)
Сообщения не умещаются в контекст
"""
"""Words that were met when the patterns were there already."""

OTHER_TROUBLE = """\
request reached organization TPD rate limit, current: 1506556, limit: 1500000
rate limit exceeded
exceeded your current quota
429 Too Many Requests: request exceeds rate limit
invalid api key
model not found
internal server error
connection timeout
invalid request body
context canceled
400 Reasoning is mandatory for this endpoint and cannot be disabled.
messages.84.content.1.image: one of the image dimensions exceeds the max allowed size
Monthly spend limit reached.
Your credit balance is too low
string should match pattern
500 `model runner crashed unexpectedly`
exceeded request buffer limit while retrying upstream
ResourceExhausted: Worker local total request limit reached (288/48)
OpenAI Responses stream ended before a terminal response event
tool_use ids were found without tool_result blocks
Tool names must be at most 64 characters
The system encountered an unexpected error during processing. Try your request again.
An error occurred while processing your request. You can retry your request
Invalid value for 'stop': too many stop sequences, maximum is 4
Too many tools: at most 128 are supported
Invalid type for 'messages[0].content': expected one of a string or array of objects
temperature: Input should be less than or equal to 1
top_logprobs must be less than 20
stream_options is only allowed when stream is true
Thinking is not supported by this model
Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.
The number of output tokens exceeds the limit of 4096
The response exceeded the maximum number of tokens and was cut off
insufficient balance
Your request was rejected by the safety system
Too many messages in a short time
Account limit of parallel requests exceeded
Wait: more than 5 requests are running
Превышен лимит токенов в минуту
Недостаточно средств на счёте
Неверный ключ API
Модель перегружена, попробуйте позже
Ошибка сервера
Токен доступа истёк
Срок действия токена истек
模型不存在
余额不足
API 密钥无效
系统繁忙，请稍后再试
并发请求数超过限制
每日 token 额度已用完
服务器内部错误
账户欠费
敏感内容，请修改后重试
输出长度超过限制
max_tokens 超过最大值 8192
登录令牌已过期
图片大小超过 10MB
访问过于频繁
"""
"""The same, of what is something else."""

GENERAL_TYPES = ("", "api_error", "server_error", "invalid_request_error", "internal_error")


@pytest.mark.parametrize("message", TOO_LONG)
@pytest.mark.parametrize("status", [400, 413, 422, 500, 503])
def test_words_are_understood_under_any_status_and_general_type(message, status):
    for kind in GENERAL_TYPES:
        evidence = Evidence(phase="response", http_status=status, error_type=kind, message=message)
        assert classify(evidence) == R.CONTEXT_OVERFLOW, kind


@pytest.mark.parametrize("message", TOO_LONG)
def test_words_are_understood_inside_a_stream(message):
    for said in (
        {"error": {"message": message, "type": "api_error"}},
        {"error": {"message": message, "code": 500}},
        {"error": message},
        {"object": "error", "message": message, "type": "BadRequestError", "code": 400},
        {"errors": [{"code": "invalid_input_argument", "message": message}]},
        {"detail": message},
    ):
        assert streamed(said) == R.CONTEXT_OVERFLOW, said


def streamed(said):
    reader = ChatReader()
    data = b"data: " + json.dumps(said).encode() + b"\n\ndata: [DONE]\n\n"
    events = [*reader.feed(data), *reader.close()]
    (error,) = [event for event in events if isinstance(event, StreamError)]
    return classify(Evidence(phase="stream", error_code=error.code, message=error.message))


@pytest.mark.parametrize(("status", "message", "expected"), OTHERS)
def test_what_only_sounds_like_it_is_something_else(status, message, expected):
    evidence = Evidence(phase="response", http_status=status, message=message)

    assert classify(evidence) == expected
    assert not is_too_long(message) or status in {402, 429}


@pytest.mark.parametrize("message", OTHER_WORDS.splitlines())
def test_other_words_of_the_kind_are_understood(message):
    assert is_too_long(message)


@pytest.mark.parametrize("message", OTHER_TROUBLE.splitlines())
def test_other_trouble_is_left_alone(message):
    assert not is_too_long(message)


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("tokens_limit_reached", R.CONTEXT_OVERFLOW),
        ("1261", R.CONTEXT_OVERFLOW),
        ("rate_limit_exceeded", R.RATE_LIMIT),
        ("1039", R.RATE_LIMIT),
        ("invalid_api_key", R.AUTH),
    ],
)
def test_a_code_that_means_one_thing_says_more_than_words(code, expected):
    evidence = Evidence(
        phase="response", http_status=400, error_code=code, message="token limit exceeded"
    )

    assert classify(evidence) == expected


def test_new_words_are_understood_by_their_numbers():
    said = "Sorry, tokens: 9000 > 8192."

    assert is_too_long(said)
    assert not is_too_long("Sorry, tokens: 8000 > 8192.")


def test_an_answer_that_had_no_room_is_a_request_that_was_too_long():
    full = "model_context_window_exceeded"

    assert classify(Evidence(phase="stream", finish=full)) == R.CONTEXT_OVERFLOW
    assert classify(Evidence(phase="stream", finish=full, saw_text=True)) is None


@given(st.text(max_size=300))
def test_any_words_can_be_asked_about(message):
    assert is_too_long(message) in {True, False}


def test_a_long_message_costs_no_more_than_a_short_one():
    words = "prompt tokens context exceeds " * 100_000

    assert is_too_long(words) == is_too_long(words[:2_000])
