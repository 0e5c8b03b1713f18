"""gunicorn for the HTTP face. Threads, because a request waits for the store most of its time and a long-poll
waits all of it; a few processes, because Python runs one thread at a time.

WONDERLOG_BIND          address to listen on, default 127.0.0.1:8080
WONDERLOG_HTTP_WORKERS  processes, default 2
WONDERLOG_HTTP_THREADS  threads of each, default 32: at most half of them hold long-polls, the others answer
WONDERLOG_CLIENT_TIMEOUT_S  seconds a client may pause in the middle of a request, default 15
WONDERLOG_LOG_LEVEL     default INFO: one line a request
"""

import os

bind = os.environ.get("WONDERLOG_BIND", "127.0.0.1:8080")
workers = int(os.environ.get("WONDERLOG_HTTP_WORKERS", "2"))
threads = int(os.environ.get("WONDERLOG_HTTP_THREADS", "32"))
wsgi_app = "service.http.wsgi:application()"
worker_class = "service.http.server.Worker"

# Each process builds its own connections and threads after the fork; nothing is shared with the master.
preload_app = False
control_socket_disable = True

# SIGTERM ends long-polls at once; what is under way gets this long. Keep-alive outlives a proxy's idle pause.
graceful_timeout = 20
timeout = 60
keepalive = 30
backlog = 512

# Whose X-Forwarded headers are believed, the application decides (WONDERLOG_TRUSTED_PROXIES).
forwarded_allow_ips = ""
secure_scheme_headers = {}  # type: ignore[var-annotated]

# Tokens travel in a header: these are plenty for it, and bodies are limited by the application.
limit_request_line = 2048
limit_request_fields = 40
limit_request_field_size = 4096

# The application writes the access log itself, without tokens, bodies and query strings.
accesslog = None
logconfig_dict = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s %(message)s"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"level": os.environ.get("WONDERLOG_LOG_LEVEL", "INFO"), "handlers": ["stderr"]},
    "loggers": {"gunicorn.error": {"level": "INFO", "handlers": ["stderr"], "propagate": False}},
}
