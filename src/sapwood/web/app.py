"""The application: paths and what answers them, and its description."""

from collections.abc import Mapping, Sequence
from typing import Any

from fastapi import FastAPI
from pydantic import BaseModel
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from sapwood.model.base import AnyModel
from sapwood.version import __version__
from sapwood.web import api, operating
from sapwood.web.limits import Limits, Refused
from sapwood.web.middleware import Compression, SameSiteMiddleware
from sapwood.web.models import Served
from sapwood.web.operating import CountedRequests
from sapwood.web.page import Pages
from sapwood.web.responses import error_handlers
from sapwood.web.schemas import BESIDE, Examples, Question, Shift, Texts

_ID = "x-request-id"
_SHARED: dict[str, Any] = {  # with other sites
    "allow_methods": ["GET", "POST"], "allow_headers": ["content-type", _ID], "expose_headers": [_ID],
}  # fmt: skip
_TYPES = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}


class Application(FastAPI):
    """The server's answers; it describes the API with the names of the models and the limits that it has."""

    def __init__(self, served: Served, hosts: Sequence[str], origins: Sequence[str] = ()) -> None:
        self._served = served
        pages = Pages()
        super().__init__(
            routes=[*api.router.routes, *operating.router.routes],
            title="sapwood",
            version=__version__,
            summary="Sentences, tags, trees and names from small linear models, with reasons",
            servers=[{"url": "."}],
            docs_url=None,  # pages that load scripts from elsewhere
            redoc_url=None,
            middleware=[
                Middleware(CountedRequests, served.metrics),
                Middleware(SameSiteMiddleware, hosts, origins),
                *([Middleware(CORSMiddleware, origins, **_SHARED)] if origins else []),
                Middleware(Compression),
            ],
            telemetry={"tracing": False, "metrics": False, "logs": False, "auto_configure": False},
        )
        for kind, handler in error_handlers(pages.refused).items():
            self.add_exception_handler(kind, handler)

        async def static(request: Request) -> Response:
            name = request.path_params["name"]
            if name not in pages.files:
                raise Refused(404, "there is no such page")
            headers = {"Cache-Control": "max-age=300"}
            return Response(pages.files[name], headers=headers, media_type=_TYPES[name.rpartition(".")[2]])

        self.add_route("/", pages.page, ["GET", "POST"], include_in_schema=False)
        self.add_route("/why", pages.why, ["POST"], include_in_schema=False)
        self.add_route("/download", pages.download, ["POST"], include_in_schema=False)
        self.add_route("/static/{name}", static, include_in_schema=False)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request by the models that are served when it begins."""
        if scope["type"] == "http":
            at_once = scope["path"].rstrip("/").endswith("/ready")
            served = self._served if at_once else await self._served.now()
            scope = {**scope, "state": {**scope.get("state", {}), "served": served}}
        await super().__call__(scope, receive, send)

    def openapi(self) -> dict[str, object]:
        """Return the description of the API, in OpenAPI 3.1."""
        described = super().openapi()
        names, limits = self._served.names, self._served.limits
        kinds: dict[str, type[BaseModel]] = {
            "/annotate": Texts,
            "/classify": Examples,
            "/drift": Shift,
            "/explain": Question,
        }
        asked = {path: described["components"]["schemas"][kind.__name__]["properties"] for path, kind in kinds.items()}
        for properties in asked.values():
            for each in properties.values():  # generated clients send defaults, beside what is given in their place
                each.pop("default", None)
            properties["model"] |= {"examples": names, "description": f"Without, it is {names[0]}."}
            if "text" in properties:
                properties["text"]["description"] = f"The whole request has {limits.bytes:,} bytes at most."
            if "texts" in properties:
                properties["texts"]["maxItems"] = limits.texts
        for path, kind in kinds.items():
            described["paths"][path]["post"]["parameters"] = [
                {"name": name, "in": "query", "schema": asked[path][name], "description": "Here or in the body."}
                for name in BESIDE[kind].model_fields
            ]
        lines, text = (described["paths"][path]["post"] for path in ("/annotate/lines", "/annotate"))
        lines["parameters"] = [parameter | {"description": "In the address."} for parameter in text["parameters"]]
        return described


def application(
    models: Mapping[str, AnyModel], limits: Limits | None = None, hosts: Sequence[str] = (), origins: Sequence[str] = ()
) -> FastAPI:
    """Return the ASGI application that serves models.

    models : by their names; the first is the usual one
    hosts : the only names under which the server answers, so that no page elsewhere can pose as one of it; empty: all
    origins : of other sites whose pages may ask, such as "http://localhost:3000"; "*": all

    Raises OptionError for a model that has nothing to show.
    """
    return Application(Served(models, limits or Limits()), hosts, origins)
