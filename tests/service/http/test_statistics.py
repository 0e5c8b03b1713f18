"""Statistics over HTTP: of the caller's own finished public matches, and of nothing else."""

from domain import seven_wonders
from tests.rulesets import finished
from tests.service.http.conftest import Api

PATH = "/v1/games/seven-wonders/statistics"


def count(api: Api, seats: int, seed: int, tenant: str = "acme", most: int | None = None) -> str:
    """A match in the store that the sweeper has looked at; its id."""
    match = finished.put(api.services.store, finished.records(seven_wonders, seats, seed), tenant, most)
    api.services.upkeep.look_at(match)
    return match


def test_a_tenant_reads_what_its_matches_say(api: Api) -> None:
    acme = api.tenant("acme")
    assert api.get(PATH, acme).json["matches"] == 0
    count(api, 3, 5)
    count(api, 4, 6)
    said = api.get(PATH, acme).json
    assert (said["game"], said["ruleset"], said["matches"]) == (
        "seven-wonders",
        seven_wonders.RULESET,
        2,
    )
    assert len(said["results"]) == 7 and said["cards"] and said["picks"] and said["shuffles"]
    assert api.get(f"{PATH}?seats=4", acme).json["matches"] == 1
    assert api.get(f"{PATH}?ruleset=seven-wonders/9.9.9", acme).json["matches"] == 0


def test_another_tenant_reads_nothing_of_it(api: Api) -> None:
    empty = api.get(PATH, api.tenant("other")).data
    count(api, 3, 5, "acme")
    assert api.get(PATH, api.tenant("other")).data == empty


def test_a_running_match_changes_no_byte(api: Api) -> None:
    count(api, 4, 6)
    key = api.tenant("acme")
    before = api.get(PATH, key).data
    count(api, 3, 5, most=len({each.command for each in finished.records(seven_wonders, 3, 5)}) - 1)
    assert api.get(PATH, key).data == before


def test_who_may_not_and_what_there_is_not(api: Api) -> None:
    key = api.tenant("acme")
    assert api.get(PATH).status_code == 401
    missing = api.get("/v1/games/chess/statistics", key)
    assert (missing.status_code, missing.json["code"]) == (404, "not-found")
    for query in ("seats=8", "seats=0", "ruleset=x", "seats=3&seats=4", "more=1"):
        refused = api.get(f"{PATH}?{query}", key)
        assert (refused.status_code, refused.json["code"]) == (400, "validation"), query
