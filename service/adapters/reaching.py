"""What the methods of a store in Redis have in common."""

import functools
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from redis import RedisError

from events.store import StoreUnavailable

P = ParamSpec("P")
R = TypeVar("R")


def reached(method: Callable[P, R]) -> Callable[P, R]:
    """The method with errors of Redis as StoreUnavailable."""

    @functools.wraps(method)
    def call(*args: P.args, **more: P.kwargs) -> R:
        try:
            return method(*args, **more)
        except RedisError as error:
            raise StoreUnavailable(str(error)) from error

    return call
