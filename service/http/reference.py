"""`/docs`: the reference of the API in a browser, with a form to try every operation.

The pages of Swagger UI come from a package, nothing from elsewhere, and the policy of the page lets nothing
else in. They read `/v1/openapi.json` of this service and ask the address they come from; a token is typed
into the page and stays in it. The pages of `docs/` are served beside it, as text: `service/http/pages` leads
there, and a wheel holds copies.
"""

from functools import partial
from pathlib import Path
from typing import Final

import flask_swagger_ui  # type: ignore[import-untyped]  # ships no types
from flask import Flask, Response

from service.http import replies
from service.http.problems import Problem

_ASSETS: Final = Path(next(iter(flask_swagger_ui.__path__))) / "dist"
_PAGES: Final = Path(__file__).parent / "pages"
_TEXTS: Final = tuple(sorted(page.name for page in _PAGES.glob("*.md")))
_DESCRIPTION: Final = (
    '</v1/openapi.json>; rel="service-desc"; type="application/json", </docs>; rel="service-doc"'
)
_LEADS: Final = {"/": "/docs", "/docs/": "/docs", "/v1": "/docs", "/openapi.json": "/v1/openapi.json"}
_SERVED: Final = {
    "swagger-ui.css": "text/css",
    "swagger-ui-bundle.js": "text/javascript",
    "favicon-32x32.png": "image/png",
}
_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:;"
    " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_PAGE: Final = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Wonderlog: reference</title>
<link rel="stylesheet" href="/docs/swagger-ui.css"><link rel="icon" href="/docs/favicon-32x32.png">
<p>To try an operation, authorize with a
key of the test mode (<code>tk_test_…</code>): <code>wonderlog up</code> prints one, <code>wonderlog keys
create --test TENANT</code> makes one. It acts in a sandbox, where nothing counts: matches can have a seed and
scripted opponents, the clock is moved with <code>POST /v1/sandbox/clock</code>, and faults come when they are
asked for.</p>
<p>The description of the interface is <a href="/v1/openapi.json">/v1/openapi.json</a> (OpenAPI 3.1). Pages
about it, as text: PAGES.</p>
<noscript><p>The list of operations below needs JavaScript; all it shows is in the description.</p></noscript>
<div id="reference"></div>
<script src="/docs/swagger-ui-bundle.js"></script><script src="/docs/start.js"></script></html>
"""
# A key left empty is filled in when the request is sent, so the form may not insist on one.
_START: Final = """fetch("/v1/openapi.json").then((answer) => answer.json()).then((spec) => SwaggerUIBundle({
  spec: { ...withoutKeys(spec), servers: [{ url: location.origin }] },
  dom_id: "#reference", validatorUrl: null, docExpansion: "list", deepLinking: true, filter: true,
  defaultModelsExpandDepth: -1, persistAuthorization: false,
  requestInterceptor: (request) => {
    if (request.method !== "GET" && !request.headers["Idempotency-Key"])
      request.headers["Idempotency-Key"] = newKey();
    return request;
  },
}));

function newKey() { // crypto.randomUUID is there over https only
  const bytes = [...crypto.getRandomValues(new Uint8Array(16))];
  return bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function withoutKeys(spec) {
  spec.components.parameters.IdempotencyKey.required = false;
  return spec;
}
"""


def install(app: Flask) -> None:
    """Serve the reference, and lead there from where people look first."""
    links = ", ".join(f'<a href="/docs/{name}">{name.removesuffix(".md")}</a>' for name in _TEXTS)
    page = _PAGE.replace("PAGES", links)

    @app.get("/docs")
    def reference() -> Response:
        return _sent(Response(page, mimetype="text/html"))

    for number, (path, to) in enumerate(_LEADS.items()):
        view = partial(_led, to)
        app.add_url_rule(path, f"lead_{number}", view, methods=["GET"])

    @app.get("/docs/start.js")
    def start() -> Response:
        return _sent(Response(_START, mimetype="text/javascript"))

    @app.get("/docs/<name>")
    def asset(name: str) -> Response:
        if name in _TEXTS:
            return _sent(Response((_PAGES / name).read_bytes(), mimetype="text/plain"))
        if name not in _SERVED:
            raise Problem("not-found", "there is no such page")
        return _sent(Response((_ASSETS / name).read_bytes(), mimetype=_SERVED[name]))


def _led(to: str) -> Response:
    return _sent(Response(status=308, headers={"Location": to}, mimetype="text/plain"))


def _sent(response: Response) -> Response:
    response.headers["Cache-Control"] = replies.CATALOGUE
    response.headers["Content-Security-Policy"] = _POLICY
    response.headers["Link"] = _DESCRIPTION
    response.headers["Referrer-Policy"] = "no-referrer"
    return response
