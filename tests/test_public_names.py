"""What `sapwood` exports is told of: each public name, and each public method of a class, there or in a base class."""

import inspect

import pytest

import sapwood

NAMES = [name for name in sapwood.__all__ if not name.startswith("__")]


@pytest.mark.parametrize("name", NAMES)
def test_public_names_and_their_methods_have_docstrings(name):
    exported = getattr(sapwood, name)
    assert inspect.getdoc(exported)
    for member, value in inspect.getmembers(exported) if inspect.isclass(exported) else ():
        function = value.fget if isinstance(value, property) else value
        if not member.startswith("_") and getattr(function, "__module__", "").startswith("sapwood"):
            assert inspect.getdoc(value), member
