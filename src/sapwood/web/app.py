"""The application: paths and what answers them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sapwood.model.base import Model
from sapwood.web import api
from sapwood.web.answering import error_handlers
from sapwood.web.guarding import Guarded
from sapwood.web.limits import Limits, Refused
from sapwood.web.page import Pages
from sapwood.web.work import Served

_TYPES = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}


def application(models: Mapping[str, Model], limits: Limits | None = None, hosts: Sequence[str] = ()) -> Starlette:
    """Return the ASGI application that serves models.

    models : by their names; the first is the usual one
    hosts : the only names under which the server answers, so that no page elsewhere can pose as one of it; empty: all

    Raises OptionError for a model that has nothing to show.
    """
    served = Served(models, limits or Limits())
    pages = Pages(served)

    async def static(request: Request) -> Response:
        name = request.path_params["name"]
        if name not in pages.files:
            raise Refused(404, "there is no such page")
        headers = {"Cache-Control": "max-age=300"}
        return Response(pages.files[name], headers=headers, media_type=_TYPES[name.rpartition(".")[2]])

    routes = [Route(path, answer, methods=[method]) for path, (method, answer) in api.endpoints(served).items()]
    routes += [Route(path, answer, methods=methods) for path, (methods, answer) in pages.endpoints().items()]
    routes.append(Route("/static/{name}", static, methods=["GET"]))
    middleware = [Middleware(Guarded, hosts)]
    return Starlette(routes=routes, middleware=middleware, exception_handlers=error_handlers(pages.refused))
