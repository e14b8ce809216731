"""Settings of Glassbox; everything that varies comes from environment variables."""

from pathlib import Path

from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext_lazy as _

from chatapp.env import (
    broker_address,
    channel_settings,
    database_settings,
    decode_key,
    env_bool,
    env_int,
    env_list,
    env_secret,
    env_text,
)

BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = Path(env_text("DATA_DIR", str(BASE_DIR / "data"))).resolve()
try:
    DATA_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
except OSError as error:
    raise ImproperlyConfigured(f"DATA_DIR {DATA_DIR} cannot be made: {error.strerror}.") from error

DEBUG = env_bool("GLASSBOX_DEBUG")
SECRET_KEY = env_secret("GLASSBOX_SECRET_KEY", DATA_DIR / "keys" / "secret.key")
MASTER_KEY = decode_key(
    "GLASSBOX_MASTER_KEY", env_secret("GLASSBOX_MASTER_KEY", DATA_DIR / "keys" / "master.key")
)
PORT = env_int("PORT", 8000, low=0, high=65535)
MODELS_FILE = env_text("GLASSBOX_MODELS")
MODEL_CHOICE = env_text("MODEL")
LOCAL_USER = env_bool("GLASSBOX_LOCAL_USER")
SIGNUP = env_bool("GLASSBOX_SIGNUP", default=True)
ALLOWED_HOSTS = env_list("GLASSBOX_ALLOWED_HOSTS", ("localhost", "127.0.0.1", "[::1]"))
CSRF_TRUSTED_ORIGINS = env_list("GLASSBOX_TRUSTED_ORIGINS")

HTTPS = env_bool("GLASSBOX_HTTPS")
SESSION_COOKIE_SECURE = HTTPS
CSRF_COOKIE_SECURE = HTTPS
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_NAME = "glassbox_session"
CSRF_COOKIE_NAME = "glassbox_csrf"
# Not cached: with several web processes, signing out in one must count in all of them.
SESSION_ENGINE = "chatapp.web.sessions"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
X_FRAME_OPTIONS = "DENY"
# The longest message takes 4.8 MB in a form, in a script of four bytes a character.
DATA_UPLOAD_MAX_MEMORY_SIZE = 8 * 1024 * 1024

# The largest state file that can be imported: about 50,000 messages of usual length.
STATE_FILE_BYTES = env_int("GLASSBOX_STATE_MB", 32, low=1, high=1024) * 1024 * 1024

# Named branches may be nested so deep; alternatives by editing and regenerating do not count.
GLASSBOX_NAMED_FORK_DEPTH = env_int("GLASSBOX_NAMED_FORK_DEPTH", 3, low=1, high=50)

INSTALLED_APPS = [
    "daphne",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "channels",
    "django_htmx",
    "chatapp",
]

MIDDLEWARE = [
    "chatapp.web.inline.SecurityMiddleware",
    "chatapp.web.inline.StaticFilesMiddleware",
    "chatapp.web.csp.ContentSecurityPolicyMiddleware",
    "chatapp.web.inline.SessionMiddleware",
    "chatapp.web.inline.LocaleMiddleware",
    "chatapp.web.inline.CommonMiddleware",
    "chatapp.web.inline.CsrfViewMiddleware",
    "chatapp.web.inline.AuthenticationMiddleware",
    "chatapp.web.local_user.LocalUserMiddleware",
    "chatapp.web.inline.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]

ROOT_URLCONF = "chatapp.urls"
ASGI_APPLICATION = "chatapp.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
            ],
        },
    }
]

DATABASES = {"default": database_settings(env_text("DATABASE_URL"), DATA_DIR)}
REDIS_URL = env_text("REDIS_URL")
CHANNEL_LAYERS = channel_settings(REDIS_URL)
CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}

CELERY_BROKER_URL = broker_address(REDIS_URL)
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_TRANSPORT_OPTIONS = {"visibility_timeout": 600}
CELERY_BEAT_SCHEDULE = {
    "sweep-outbox": {"task": "chatapp.tasks.sweep.sweep_outbox", "schedule": 10.0},
}

AUTH_PASSWORD_VALIDATORS = [
    {
        "NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator",
        "OPTIONS": {"user_attributes": ("username",)},
    },
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "login"

LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("ru", _("Russian")), ("zh-hans", _("Chinese"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"

STATIC_URL = "static/"
STATIC_ROOT = DATA_DIR / "static"
STATIC_ROOT.mkdir(exist_ok=True)
STATICFILES_DIRS = [BASE_DIR / "static"]
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = DEBUG

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname} {name} {message}", "style": "{"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["stderr"], "level": "WARNING"},
    "loggers": {
        "chatapp": {"level": "INFO"},
        # Personal text would appear in SQL parameters and HTTP bodies at DEBUG level.
        "django.db.backends": {"level": "WARNING"},
        "openai": {"level": "WARNING"},
        "httpx2": {"level": "WARNING"},
    },
}
