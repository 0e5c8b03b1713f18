"""Keys without a scope, keys that ended, at every operation of the document: no new route can be missed."""

from service import scopes
from service.keyring import Wish
from tests.service.http.conftest import Api, Seated
from tests.service.http.contract import document
from tests.service.http.test_access import OPERATIONS, ask

SECURED = [each for each in OPERATIONS if document()["paths"][each[2]][each[1].lower()].get("security")]


def needed(operation: tuple[str, str, str]) -> str | None:
    """The scope the document says a tenant key needs; None where no tenant key is taken."""
    said = document()["paths"][operation[2]][operation[1].lower()]["security"]
    found = [each["TenantKey"] for each in said if "TenantKey" in each]
    if not found:
        return None
    (scope,) = found[0]
    return str(scope)


def test_every_operation_a_tenant_may_use_names_its_scope() -> None:
    found = {needed(operation) for operation in SECURED} - {None}
    assert found <= set(scopes.SCOPES)
    assert {scopes.READ, scopes.WRITE, scopes.SEATS} <= found


def test_a_key_without_the_scope_is_told_which_one_it_lacks(api: Api, seated: Seated) -> None:
    for operation in [each for each in SECURED if needed(each)]:
        table, scope = seated(open_seats=1), str(needed(operation))
        without = api.services.keys.create("acme", Wish(scopes.ALL - {scope})).key
        answer = ask(api, table, operation, without)
        assert (answer.status_code, answer.json["code"]) == (403, "forbidden"), operation
        assert answer.json["detail"].endswith(f"the scope {scope}"), operation
        # Only a sandbox has a clock to move.
        mode = "test" if operation[2] == "/v1/sandbox/clock" else "live"
        only = api.services.keys.create("acme", Wish([scope], mode)).key
        answer = ask(api, table, operation, only)
        # A key that may only manage keys can hand on nothing else.
        assert answer.status_code != 403 or operation[0] in ("createKey", "rotateKey"), operation


def test_a_key_that_ended_opens_as_little_as_none_that_ever_was(api: Api, seated: Seated) -> None:
    table = seated(open_seats=1)
    made = api.services.keys.create("acme")
    api.services.keys.revoke(made.id)
    for operation in SECURED:
        keys = (made.key, "tk_live_" + "a" * 16 + "_" + "b" * 52)
        answers = [ask(api, table, operation, key) for key in keys]
        assert [answer.status_code for answer in answers] == [401, 401], operation
        told = [[fault["code"] for fault in answer.json["errors"]] for answer in answers]
        assert told == [["revoked"], ["invalid"]], "its holder alone is told what became of it"
        assert [name for name, _ in answers[0].headers] == [name for name, _ in answers[1].headers]
