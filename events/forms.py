"""What lies face down: every form of an event is its data, some places hidden, nothing else changed."""

from typing import Any, Final

FACE_DOWN: Final = "face-down"


def is_hidden_form(form: Any, data: Any) -> bool:
    """Whether `form` is `data` with any of its places face down, so that all forms tell of the same event."""
    if form is data or (type(form) is str and form == FACE_DOWN):
        return True
    if type(form) is not type(data):
        return False
    if isinstance(form, dict):
        if form.keys() != data.keys():
            return False
        for key, value in form.items():
            if value is not data[key] and not is_hidden_form(value, data[key]):
                return False
        return True
    if isinstance(form, list):
        if len(form) != len(data):
            return False
        if form.count(FACE_DOWN) == len(form):
            return True
        return all(map(is_hidden_form, form, data))
    return bool(form == data)
