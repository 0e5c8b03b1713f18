"""Keeps what openapi.yaml promises as the file of a release: `python -m tools.openapi_breaking.release`.

Part of making a release, after the version in pyproject.toml and CONTRACT in versioning.py are set.
"""

import tomllib
from pathlib import Path

import yaml

from tools.openapi_breaking import documents

ROOT = Path(__file__).resolve().parents[2]


def main(document: Path, version: str, folder: Path) -> Path:
    """Write `openapi-<version>.yaml`: the document without examples and words. Raises FileExistsError when
    there is one: a release does not change."""
    root = documents.read(document).root
    kept = documents.contract(root)
    kept["info"]["x-api-version"] = root["info"]["x-api-version"]
    file = folder / f"openapi-{version}.yaml"
    with file.open("x", encoding="utf-8") as out:
        yaml.dump(kept, out, Dumper=getattr(yaml, "CSafeDumper", yaml.SafeDumper), sort_keys=False)
    return file


if __name__ == "__main__":
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    print(main(ROOT / "openapi.yaml", project["version"], ROOT / "docs" / "releases"))
