"""Scikit-learn's metadata routing: which methods of a classifier are to be given the weights of examples, or classes.

A request is kept in `_metadata_request`, where scikit-learn's `clone` finds it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from sapwood.model.base import AnyModel

if TYPE_CHECKING:
    from sklearn.utils.metadata_routing import MetadataRequest


M = TypeVar("M", bound=AnyModel)
Request = bool | str | None  # whether it is wanted, or the name that it is given by; None: an error if it is given

_METHODS = {"fit": ("sample_weight",), "partial_fit": ("classes", "sample_weight"), "score": ("sample_weight",)}
UNCHANGED = "$UNCHANGED$"  # scikit-learn's word for it


def requests_of(model: AnyModel) -> MetadataRequest:
    """Return the requests of a model, in a copy."""
    from sklearn.utils.metadata_routing import MetadataRequest, get_routing_for_object

    if known := vars(model).get("_metadata_request"):
        found: MetadataRequest = get_routing_for_object(known)
        return found
    new = MetadataRequest(owner=type(model).__name__)
    for method, names in _METHODS.items():
        for name in names:
            getattr(new, method).add_request(param=name, alias=None)
    return new


def set_request(model: M, method: str, **asked: Request) -> M:
    """Keep what a method of a model asks for, and return the model. Raises ValueError for an alias that is no name."""
    requests = requests_of(model)
    for name, alias in asked.items():
        if alias != UNCHANGED:
            getattr(requests, method).add_request(param=name, alias=alias)
    vars(model)["_metadata_request"] = requests
    return model
