"""Holds openapi.yaml against that of the last release; exit status 1 when it breaks a client unsaid."""

import re
import sys
from pathlib import Path

from tools.openapi_breaking import documents, operations

ROOT = Path(__file__).resolve().parents[2]


def last_release(folder: Path) -> Path:
    """The file of the release with the highest version. Raises ValueError when there is none."""
    files = {tuple(map(int, re.findall(r"\d+", file.stem))): file for file in folder.glob("openapi-*.yaml")}
    if not files:
        raise ValueError(f"no openapi-<version>.yaml in {folder}")
    return files[max(files)]


def declared(changelog: str) -> set[str]:
    """The breaks that the section of the coming release says, each between backticks."""
    section = re.search(r"^## \[Unreleased\]$(.*?)(?=^## \[|\Z)", changelog, re.MULTILINE | re.DOTALL)
    breaking = re.search(
        r"^### Breaking$(.*?)(?=^### |\Z)", section[1] if section else "", re.MULTILINE | re.DOTALL
    )
    listed = re.findall(r"`([^`]+)`", breaking[1] if breaking else "")
    return {re.sub(r"\s+", " ", each) for each in listed}


def faults(old: documents.Document, new: documents.Document, changelog: str) -> list[str]:
    """What is wrong: breaks nobody declared, breaks declared that are none, a contract dated too early."""
    found, said = set(operations.breaks(old, new)), declared(changelog)
    wrong = [f"not declared under Breaking in CHANGELOG.md: `{each}`" for each in sorted(found - said)]
    wrong += [f"declared, but no break: `{each}`" for each in sorted(said - found)]
    dates = [document.root["info"].get("x-api-version", "") for document in (old, new)]
    if operations.differ(old, new) and dates[1] <= dates[0]:
        wrong.append(f"the contract changed and is still of {dates[1]}: set CONTRACT in versioning.py")
    return wrong


def main(changelog: Path, old: Path, new: Path) -> int:
    """Print the faults; how many."""
    wrong = faults(documents.read(old), documents.read(new), changelog.read_text(encoding="utf-8"))
    for fault in wrong:
        print(fault, file=sys.stderr)
    print(f"{new.name} against {old.name}: {len(wrong)} faults")
    return len(wrong)


if __name__ == "__main__":
    given = [Path(word) for word in sys.argv[1:]]
    old, new = given or (last_release(ROOT / "docs" / "releases"), ROOT / "openapi.yaml")
    sys.exit(1 if main(ROOT / "CHANGELOG.md", old, new) else 0)
