"""Where requests go and where not: public addresses, judged after each resolution; names checked by TLS."""

import datetime
import ipaddress
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from service.adapters.webhook_sender import WebhookSender
from service.errors import Invalid
from service.webhooks.addresses import BlockedAddress, check_address, check_url
from tests.embedded import free_port
from tests.service.webhooks.consumer import Consumer, consumer

BLOCKED = [
    "0.0.0.0",
    "10.1.2.3",
    "100.64.0.1",
    "127.0.0.1",
    "127.8.8.8",
    "168.63.129.16",
    "169.254.169.254",
    "172.16.0.1",
    "192.0.0.8",
    "192.0.2.1",
    "192.168.1.1",
    "198.18.0.1",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::127.0.0.1",
    "::ffff:10.0.0.1",
    "::ffff:169.254.169.254",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::1",
    "2001:0:4136:e378:8000:63bf:3fff:fdd2",  # Teredo, for 192.0.2.45
    "2001:db8::1",
    "2002:7f00:1::",
    "2002:c0a8:101::",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1",
    "fec0::1",
    "ff02::1",
]
OPEN = ["8.8.8.8", "93.184.216.34", "2606:2800:220:1::1", "::ffff:8.8.8.8", "64:ff9b::808:808"]


@pytest.mark.parametrize("address", BLOCKED)
def test_addresses_that_are_not_public_are_blocked(address: str) -> None:
    with pytest.raises(BlockedAddress):
        check_address(ipaddress.ip_address(address), "https", False)


@pytest.mark.parametrize("address", OPEN)
def test_public_addresses_are_not(address: str) -> None:
    check_address(ipaddress.ip_address(address), "https", False)
    with pytest.raises(BlockedAddress):
        check_address(ipaddress.ip_address(address), "http", True)


@pytest.mark.parametrize("address", [each for each in BLOCKED if "127." not in each and each != "::1"])
def test_the_setting_for_development_opens_loopback_and_nothing_else(address: str) -> None:
    address_ = ipaddress.ip_address(address)
    if not address.startswith("2002:7f00"):  # which carries 127.0.0.1
        with pytest.raises(BlockedAddress):
            check_address(address_, "https", True)


@pytest.mark.parametrize(
    "url",
    [
        "http://example.com/",
        "ftp://example.com/",
        "https:///x",
        "https://user:pw@example.com/",
        "https://example.com/#x",
        "https://example.com:0/",
        "https://example.com:99999/",
        "https://127.0.0.1/",
        "https://[::1]/",
        "https://[::ffff:10.0.0.1]/",
        "https://169.254.169.254/latest/meta-data",
        "https://exa mple.com/",
        "https://example.com/\r\nX: y",
        "https://ex\u00e4mple.com/",
        "https://[::1",
        "https://example.com/" + "x" * 1000,
    ],
)
def test_urls_that_lead_nowhere_good_are_refused(url: str) -> None:
    with pytest.raises(Invalid):
        check_url(url, False)


def test_http_goes_to_this_machine_only_and_only_where_that_is_allowed() -> None:
    for url in ("http://localhost:9/x", "http://hooks.localhost/", "http://127.0.0.1:9/", "http://[::1]/"):
        check_url(url, True)
        with pytest.raises(Invalid):
            check_url(url, False)
    for url in ("http://example.com/hook", "http://localhost.example.com/", "http://8.8.8.8/"):
        with pytest.raises(Invalid):
            check_url(url, True)
    check_url("https://example.com/hook", True)


def test_a_name_is_judged_by_what_it_resolves_to_at_each_attempt(listener: Consumer) -> None:
    """DNS rebinding: public at first, this machine when the request is sent."""
    asked: list[str] = []
    answers = [["8.8.8.8", "127.0.0.1"], ["127.0.0.1"], ["::ffff:127.0.0.1"], ["2002:7f00:1::"]]

    def rebound(host: str, port: int) -> list[str]:
        asked.append(host)
        return answers[len(asked) - 1]

    sender = WebhookSender(30_000, False, resolve=rebound)
    for _ in answers:
        answer = sender.post(f"https://rebound.example:{listener.port}/", {}, "{}")
        assert answer.error == "blocked-address"
    assert listener.received == []
    assert asked == ["rebound.example"] * len(answers), "once for each attempt: the connection asks nobody"


def test_the_connection_goes_to_the_address_that_was_judged(
    listener: Consumer, monkeypatch: pytest.MonkeyPatch
) -> None:
    connected: list[tuple[str, int]] = []
    real = socket.create_connection

    def spied(address: tuple[str, int], timeout: float) -> socket.socket:
        connected.append(address)
        return real(address, timeout)

    monkeypatch.setattr(socket, "create_connection", spied)
    sender = WebhookSender(30_000, True, resolve=lambda host, port: ["127.0.0.1"])
    assert sender.post(f"http://name.example:{listener.port}/a?b=c", {"webhook-id": "x"}, "{}").status == 204
    assert connected == [("127.0.0.1", listener.port)]
    (received,) = listener.received
    assert received.headers["host"] == f"name.example:{listener.port}"
    assert received.path == "/a?b=c"


@pytest.mark.parametrize("spelling", ["127.1", "2130706433", "0x7f000001", "localhost"])
def test_other_spellings_of_this_machine_are_seen_through(spelling: str, listener: Consumer) -> None:
    answer = WebhookSender(30_000, False).post(f"https://{spelling}:{listener.port}/", {}, "{}")
    assert answer.error in ("blocked-address", "name")
    assert listener.received == []


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A certificate for `hooks.example`, which is its own authority, and its key."""
    folder = tmp_path_factory.mktemp("tls")
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "hooks.example")])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("hooks.example")]), False)
        .add_extension(x509.BasicConstraints(True, None), True)
        .sign(key, hashes.SHA256())
    )
    certificate, secret = folder / "certificate.pem", folder / "key.pem"
    certificate.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    secret.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return certificate, secret


@pytest.fixture
def secure(authority: tuple[Path, Path]) -> Iterator[tuple[Consumer, ssl.SSLContext]]:
    """A consumer under TLS, and a context that trusts its authority."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*authority)
    with consumer(context) as made:
        yield made, ssl.create_default_context(cafile=str(authority[0]))


def test_under_tls_the_name_is_checked_though_the_address_is_pinned(
    secure: tuple[Consumer, ssl.SSLContext],
) -> None:
    listener, trusting = secure
    sender = WebhookSender(30_000, True, resolve=lambda host, port: ["127.0.0.1"], tls=trusting)
    assert sender.post(f"https://hooks.example:{listener.port}/", {}, "{}").status == 204
    assert sender.post(f"https://other.example:{listener.port}/", {}, "{}").error == "tls"
    distrusting = WebhookSender(30_000, True, resolve=lambda host, port: ["127.0.0.1"])
    assert distrusting.post(f"https://hooks.example:{listener.port}/", {}, "{}").error == "tls"
    assert len(listener.received) == 1


def drip(server: socket.socket, first: bytes) -> None:
    """Answer one connection byte by byte, for ever."""
    link, _ = server.accept()
    with link:
        try:
            link.sendall(first)
            while True:
                link.sendall(b"x")
                time.sleep(0.05)
        except OSError:
            return


@pytest.mark.parametrize("first", [b"HTTP/1.1 200 OK\r\nX: ", b"HTTP/1.1 200 OK\r\n\r\n", b""])
@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_server_that_talks_for_ever_is_left_at_the_limit(scheme: str, first: bytes) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=drip, args=(server, first), daemon=True)
        thread.start()
        began = time.monotonic()
        answer = WebhookSender(700, True).post(f"{scheme}://127.0.0.1:{server.getsockname()[1]}/", {}, "{}")
        assert time.monotonic() - began < 20
        assert answer.status in (None, 200)
        assert answer.error in (None, "timeout", "tls", "connection")
        # On a machine that stood still for so long there was no connection: then this one ends the thread.
        socket.create_connection(server.getsockname()).close()
        thread.join(60)
        assert not thread.is_alive(), "the connection was closed"


def test_nobody_there_is_a_failed_connection() -> None:
    address = f"http://127.0.0.1:{free_port()}/"
    assert WebhookSender(30_000, True).post(address, {}, "{}").error == "connection"


def test_a_name_without_address_is_said_to_be_one() -> None:
    def nowhere(host: str, port: int) -> list[str]:
        raise socket.gaierror("no such name")

    assert WebhookSender(30_000, True, resolve=nowhere).post("https://x.example/", {}, "{}").error == "name"


@pytest.mark.parametrize(
    ("header", "seconds"),
    [("7", 7), ("Mon, 01 Jan 2024 00:00:00 +99999999999999999999", None), ("9" * 5000, None), ("soon", None)],
)
def test_whatever_patience_an_endpoint_asks_for_the_attempt_counts(
    header: str, seconds: int | None, listener: Consumer
) -> None:
    listener.reply = lambda received: (503, {"Retry-After": header})
    answer = WebhookSender(30_000, True).post(f"http://127.0.0.1:{listener.port}/", {}, "{}")
    assert (answer.status, answer.error, answer.retry_after_s) == (503, None, seconds)
