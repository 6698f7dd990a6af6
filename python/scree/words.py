"""Converts arguments to the types of the library: texts, paths, numbers, vectors. Anything else is an InputError."""
from __future__ import annotations

import json
import operator
import os
from typing import Any, Iterable, Mapping, Optional, Sequence, Union

import numpy

from ._library import ffi, new
from .errors import InputError, InputTypeError

Path = Union[str, bytes, "os.PathLike[str]", "os.PathLike[bytes]"]
Sets = Union[str, Mapping[str, Any], Iterable[str]]
Numbers = Union[Sequence[float], numpy.ndarray]


def _no_nul(value: bytes, what: str) -> bytes:
    if b"\0" in value:
        raise InputError(f"{what} {value!r} has a character NUL")
    return value


def encoded(value: Any, what: str = "the text") -> bytes:
    """A text or a name for the library."""
    if not isinstance(value, (str, bytes)):
        raise InputTypeError(f"{what} must be a str, not {value!r}")
    try:
        return _no_nul(value.encode() if isinstance(value, str) else value, what)
    except UnicodeEncodeError:
        raise InputError(f"{what} {value!r} cannot be written in UTF-8") from None


def path(value: Any, what: str = "the path") -> bytes:
    """A path: str, bytes or os.PathLike."""
    try:
        return _no_nul(os.fsencode(value), what)
    except TypeError:
        raise InputTypeError(f"{what} must be a str, bytes or os.PathLike, not {value!r}") from None
    except UnicodeEncodeError:
        raise InputError(f"{what} {value!r} cannot be written in the encoding of file names") from None


def whole(value: Any, what: str, most: int = 2**63 - 1) -> int:
    """A whole number within the range of the library."""
    try:
        number = operator.index(value)
    except TypeError:
        raise InputTypeError(f"{what} must be a whole number, not {value!r}") from None
    if not -most - 1 <= number <= most:
        raise InputError(f"{what} is {number}, which is beyond the numbers of the library")
    return number


def body_id(value: Any) -> int:
    """The id of a body; 0, which no body has, for a number that cannot be an id."""
    number = whole(value, "the id of a body", 2**200)
    return number if 0 <= number < 2**64 else 0


def number(value: Any, what: str) -> float:
    try:
        return float(value)
    except (TypeError, OverflowError):
        raise InputTypeError(f"{what} must be a number, not {value!r}") from None
    except ValueError:
        raise InputError(f"{what} must be a number, not {value!r}") from None


def vector(value: Any, length: int = 3) -> Any:
    """Numbers as a C array."""
    if isinstance(value, (str, bytes)):
        raise InputTypeError(f"expected {length} numbers, not {value!r}")
    try:
        values = list(value)
    except TypeError:
        raise InputTypeError(f"expected {length} numbers, not {value!r}") from None
    if len(values) != length:
        raise InputError(f"expected {length} numbers, got {len(values)}")
    return new("double[]", [number(v, "each part of a vector") for v in values])


def maybe(value: Any, length: int = 3) -> Any:
    return ffi.NULL if value is None else vector(value, length)


def constant(values: Iterable[float]) -> numpy.ndarray:
    """A read-only array, since the world would not see changes."""
    array = numpy.array(list(values))
    array.flags.writeable = False
    return array


def _value(value: Any) -> str:
    """A value of a set, written as YAML."""
    return json.dumps(value) if isinstance(value, (bool, dict, list, tuple)) else str(value)


def sets(given: Optional[Sets]) -> tuple[Any, list[Any]]:
    """Changes of a scene, given as a dict, a list of "name=value" or a single one, as C strings."""
    try:
        words = [f"{k}={_value(v)}" for k, v in given.items()] if isinstance(given, Mapping) else \
            [given] if isinstance(given, (str, bytes)) else list(given or ())
    except TypeError:
        raise InputTypeError(f"changes must be a dict, a list of 'name=value' or one of these, not {given!r}") from None
    held = [new("char[]", encoded(w, "a change")) for w in words]
    return new("const char *[]", held) if held else ffi.NULL, held
