"""Servers that answer badly in every way: each is given up with its reason, and the next source is asked."""

import hashlib
import socket
import threading
import time

import pytest

import radmm.data.download
from radmm.base.errors import SourceError
from radmm.data.download import Archive, get_files

CONTENT = b"39, State-gov, <=50K\n" * 50
HASHES = {"adult.data": hashlib.sha256(CONTENT).hexdigest()}
OK = b"HTTP/1.1 200 OK\r\n"
CHUNKED = OK + b"Transfer-Encoding: chunked\r\n\r\n"
SECONDS = 0.6  # that a fetch may take here


def answer_of(*parts):
    def play(connection):
        for part in parts:
            connection.sendall(part)

    return play


def endless(first, part, pause):
    def play(connection):
        connection.sendall(first)
        end = time.monotonic() + 5 * SECONDS  # so that no thread is left behind for long
        while time.monotonic() < end:
            connection.sendall(part)
            time.sleep(pause)

    return play


def sized(length, content=CONTENT):
    return answer_of(OK + b"Content-Length: %s\r\n\r\n" % length, content)


BAD = {
    "a chunked body that is cut off": (answer_of(CHUNKED, b"400\r\n", CONTENT[:100]), "no valid HTTP: IncompleteRead"),
    "a chunked body without an end": (answer_of(CHUNKED, b"10\r\n", CONTENT[:16], b"\r\n"), "IncompleteRead"),
    "a bad chunk": (answer_of(CHUNKED, b"so many\r\n", CONTENT), "no valid HTTP: IncompleteRead"),
    "no HTTP": (answer_of(b"SSH-2.0-OpenSSH_9.6\r\n"), "no valid HTTP: BadStatusLine SSH-2.0"),
    "nothing": (answer_of(), "Remote end closed connection without response"),
    "a long header": (answer_of(OK, b"X: " + b"y" * 70_000 + b"\r\n\r\n"), "no valid HTTP: LineTooLong"),
    "many headers": (
        answer_of(OK, b"X: y\r\n" * 200, b"\r\n"),
        "HTTPException got more than 100 headers",
    ),
    "too large a Content-Length": (sized(b"99999"), "the connection ended after 1050 of 99999 bytes"),
    "too small a Content-Length": (sized(b"20"), "has SHA-256"),
    "no number as Content-Length": (sized(b"many"), "invalid literal for int"),
    "a Content-Length of many digits": (sized(b"9" * 5000), "Exceeds the limit"),
    "a stated size beyond the limit": (sized(b"9" * 15), "it is larger than 1 MB"),
    "a body without end": (endless(OK + b"\r\n", CONTENT * 100, 0), "it is larger than 1 MB"),
    "chunks without end": (endless(CHUNKED, b"3e8\r\n" + CONTENT[:1000] + b"\r\n", 0), "it is larger than 1 MB"),
    "a byte now and then": (endless(OK + b"\r\n", b"x", 0.05), "it took longer than 0.6 s"),
    "a header that drips": (endless(OK, b"x", 0.05), "it took longer than 0.6 s"),
    "another file": (sized(b"3", b"abc"), "has SHA-256"),
    "an error of the server": (answer_of(b"HTTP/1.1 500 Oh\r\n\r\n"), "Oh"),
    "no such file": (answer_of(b"HTTP/1.1 404 Not Found\r\n\r\n"), "Not Found"),
    "a redirection to itself": (answer_of(b"HTTP/1.1 302 There\r\nLocation: /adult.data\r\n\r\n"), "infinite loop"),
    "a redirection to a file": (
        answer_of(b"HTTP/1.1 302 Go\r\nLocation: file:///etc/passwd\r\n\r\n"),
        "not allowed",
    ),
}


@pytest.fixture
def serve(monkeypatch):
    """The address of a server on this machine that plays one part to everybody who asks."""
    monkeypatch.setenv("no_proxy", "*")
    monkeypatch.setattr(radmm.data.download, "MOST_SECONDS", SECONDS)
    monkeypatch.setattr(radmm.data.download, "MOST_BYTES", 1_000_000)
    servers = []

    def start(play):
        server = socket.create_server(("127.0.0.1", 0))
        servers.append(server)
        threading.Thread(target=listen, args=(server, play), daemon=True).start()
        return Archive(f"http://127.0.0.1:{server.getsockname()[1]}", pause_seconds=0)

    yield start
    for server in servers:
        server.close()


def listen(server, play):
    while True:
        try:
            connection, _ = server.accept()
        except OSError:  # closed
            return
        threading.Thread(target=talk, args=(connection, play), daemon=True).start()


def talk(connection, play):
    try:
        with connection:
            connection.recv(4096)
            play(connection)
            connection.shutdown(socket.SHUT_WR)
            connection.recv(4096)
    except OSError:  # the other side has had enough
        pass


@pytest.mark.parametrize("how", BAD)
def test_a_bad_answer_is_given_up_with_its_reason_and_the_next_source_is_asked(serve, tmp_path, how):
    play, reason = BAD[how]
    good = serve(sized(b"%d" % len(CONTENT)))
    log = []
    begin = time.monotonic()
    assert get_files(HASHES, [serve(play), good], tmp_path, log.append) == good.name
    assert (tmp_path / "adult.data").read_bytes() == CONTENT
    (failed,) = [line for line in log if line.startswith("  failed: ")]
    assert reason in failed
    assert len(failed) < 300
    assert time.monotonic() - begin < 10 * SECONDS


def test_chunks_as_they_should_be_are_read(serve, tmp_path):
    whole = serve(answer_of(CHUNKED, b"41a\r\n", CONTENT, b"\r\n0\r\n\r\n"))
    assert len(CONTENT) == 0x41A
    assert get_files(HASHES, [whole], tmp_path, lambda _: None) == whole.name


def test_all_reasons_are_told_when_nobody_has_the_file(serve, tmp_path):
    with pytest.raises(SourceError, match="no source could give adult.data; .*BadStatusLine.*Not Found"):
        get_files(HASHES, [serve(BAD[how][0]) for how in ("no HTTP", "no such file")], tmp_path, lambda _: None)
    assert not list(tmp_path.iterdir())
