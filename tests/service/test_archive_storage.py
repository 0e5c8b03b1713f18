"""Where the archive is kept: a folder, a bucket (against a small server that speaks S3), memory."""

import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from events.store import StoreUnavailable
from service import bootstrap
from service.adapters.archive_folder import FolderArchive, MemoryArchive
from service.archived import ArchiveStorage
from tests.embedded import free_port


class Bucket(BaseHTTPRequestHandler):
    """As much of S3 as the archive uses: path style, PUT, GET, DELETE, ListObjectsV2 by pages of two."""

    protocol_version = "HTTP/1.1"
    files: dict[str, tuple[bytes, datetime]] = {}
    signed: list[bool] = []

    def _answer(self, status: int, body: bytes = b"", **headers: str) -> None:
        self.signed.append("Credential=the-key/" in self.headers.get("Authorization", ""))
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    @property
    def key(self) -> str:
        return unquote(urlsplit(self.path).path).removeprefix("/bucket/")

    def do_PUT(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.files[self.key] = (body, datetime.now(UTC))
        self._answer(200, ETag='"x"')

    def do_GET(self) -> None:
        query = parse_qs(urlsplit(self.path).query)
        if "list-type" in query:
            self._answer(200, self._list(query), Content_Type="application/xml")
        elif self.key in self.files:
            body, written = self.files[self.key]
            self._answer(200, body, ETag='"x"', Last_Modified=written.strftime("%a, %d %b %Y %H:%M:%S GMT"))
        else:
            self._answer(404)

    def do_DELETE(self) -> None:
        self.files.pop(self.key, None)
        self._answer(204)

    def do_POST(self) -> None:
        """DeleteObjects, which some clients use also for one."""
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        keys = [part.partition("</Key>")[0] for part in body.split("<Key>")[1:]]
        for key in keys:
            self.files.pop(key, None)
        told = "".join(f"<Deleted><Key>{key}</Key></Deleted>" for key in keys)
        answer = f"<DeleteResult>{told}</DeleteResult>"
        self._answer(200, answer.encode(), Content_Type="application/xml")

    def _list(self, query: dict[str, list[str]]) -> bytes:
        prefix, after = query.get("prefix", [""])[0], query.get("continuation-token", [""])[0]
        names = sorted(name for name in self.files if name.startswith(prefix) and name > after)
        page, more = names[:2], len(names) > 2
        contents = "".join(
            f"<Contents><Key>{name}</Key><Size>{len(self.files[name][0])}</Size><ETag>x</ETag>"
            f"<LastModified>{self.files[name][1]:%Y-%m-%dT%H:%M:%S.000Z}</LastModified></Contents>"
            for name in page
        )
        token = f"<NextContinuationToken>{page[-1]}</NextContinuationToken>" if more else ""
        return (
            f"<ListBucketResult><IsTruncated>{str(more).lower()}</IsTruncated>{token}{contents}"
            "</ListBucketResult>"
        ).encode()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Bucket)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(params=["folder", "bucket", "memory"])
def storage(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> ArchiveStorage:
    if request.param == "memory":
        return MemoryArchive()
    if request.param == "folder":
        url = f"file://{tmp_path}/an%20archive"
    else:
        use(monkeypatch, request.getfixturevalue("endpoint"))
        Bucket.files.clear()
        Bucket.signed.clear()
        url = "s3://bucket/some/prefix"
    made = bootstrap.archive_storage(url)
    assert made is not None
    return made


def use(monkeypatch: pytest.MonkeyPatch, endpoint: str) -> None:
    """The settings of an S3 server of one's own."""
    for name, value in {
        "AWS_ENDPOINT_URL": endpoint,
        "AWS_ALLOW_HTTP": "true",
        "AWS_ACCESS_KEY_ID": "the-key",
        "AWS_SECRET_ACCESS_KEY": "the-secret",
        "AWS_REGION": "eu-west-1",
    }.items():
        monkeypatch.setenv(name, value)


def test_files_are_written_read_listed_and_removed(storage: ArchiveStorage) -> None:
    assert storage.get("acme/m.1.gz") is None
    contents = {f"acme/m{number}.1.gz": bytes([number]) * 100_000 for number in range(5)}
    contents["acme-2/m.1.gz"] = b"x"
    for name, content in contents.items():
        storage.put(name, b"first")
        storage.put(name, content)
    assert {name: storage.get(name) for name in contents} == contents
    assert {kept.name: kept.size for kept in storage.list()} == {
        name: len(content) for name, content in contents.items()
    }
    assert {kept.name for kept in storage.list("acme-2")} == {"acme-2/m.1.gz"}
    assert {kept.name for kept in storage.list("acme")} == {name for name in contents if "acme/" in name}
    assert list(storage.list("nobody")) == []
    storage.delete("acme/m1.1.gz")
    storage.delete("acme/m1.1.gz")
    assert storage.get("acme/m1.1.gz") is None
    assert len(list(storage.list("acme"))) == 4


def test_a_bucket_is_asked_with_the_credentials_of_the_environment(
    endpoint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(monkeypatch, endpoint)
    made = bootstrap.archive_storage("s3://bucket/prefix/")
    assert made is not None
    Bucket.signed.clear()
    made.put("acme/x.gz", b"x")
    assert "prefix/acme/x.gz" in Bucket.files
    assert Bucket.signed == [True]


def test_a_bucket_that_cannot_be_reached_is_unavailable(monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, f"http://127.0.0.1:{free_port()}")
    made = bootstrap.archive_storage("s3://bucket")
    assert made is not None
    with pytest.raises(StoreUnavailable) as lost:
        made.get("acme/x.gz")
    assert "\n" not in str(lost.value) and "the-secret" not in str(lost.value)
    with pytest.raises(StoreUnavailable):
        made.put("acme/x.gz", b"x")
    with pytest.raises(StoreUnavailable):
        list(made.list())


def test_a_folder_is_for_its_user_alone_and_keeps_no_drafts(tmp_path: Path) -> None:
    made = FolderArchive(tmp_path / "deep" / "archive")
    before = time.time() * 1000
    made.put("acme/x.gz", b"x")
    path = tmp_path / "deep" / "archive" / "acme" / "x.gz"
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == path.parents[1].stat().st_mode & 0o777 == 0o700
    assert [each.name for each in path.parent.iterdir()] == ["x.gz"]
    (kept,) = made.list()
    assert before - 2_000 <= kept.written_ms <= time.time() * 1000 + 2_000


@pytest.mark.parametrize("name", ["", "/etc/x", "a/../../x", "../x", "a//b", ".", "a\\b"])
def test_no_name_leads_out_of_the_folder(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match="no name"):
        FolderArchive(tmp_path).put(name, b"x")


def test_a_folder_that_cannot_be_written_is_unavailable(tmp_path: Path) -> None:
    (tmp_path / "archive").write_text("a file")
    made = FolderArchive(tmp_path / "archive")
    with pytest.raises(StoreUnavailable):
        made.put("acme/x.gz", b"x")
    with pytest.raises(StoreUnavailable):
        made.get("acme/x.gz")


@pytest.mark.parametrize("url", ["s3://", "s3:///x", "file://x", "ftp://x/y", "https://bucket"])
def test_an_address_that_makes_no_sense_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match="archive"):
        bootstrap.archive_storage(url)
    assert bootstrap.archive_storage("") is None
    assert bootstrap.archive_storage(None) is None


def test_a_file_that_could_not_be_written_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: Path, target: Path) -> None:
        raise OSError("the disk is full")

    folder = FolderArchive(tmp_path)
    with monkeypatch.context() as patched:
        patched.setattr(Path, "replace", full)
        with pytest.raises(StoreUnavailable, match="the disk is full"):
            folder.put("acme/one.gz", b"x")
    assert list(folder.list()) == []
    folder.put("acme/one.gz", b"x")
    assert folder.get("acme/one.gz") == b"x"
