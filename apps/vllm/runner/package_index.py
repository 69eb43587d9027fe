"""Gets files of a package index, with nothing but the standard library.

The index is that of pip: PIP_INDEX_URL, or PyPI. Each file has a fixed SHA-256, and it is in the
folder only when it is whole.
"""

import base64
import errno
import hashlib
import html.parser
import http.client
import json
import os
import re
import ssl
import sys
import tempfile
import urllib.error
import urllib.request
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urldefrag, urljoin, urlsplit, urlunsplit

PYPI = "https://pypi.org/simple"
SECONDS_OF_SILENCE = 60
PIECE = 1 << 18  # bytes

# The answers of an index, the first choice first: PEP 691 and PEP 503.
ACCEPT = "application/vnd.pypi.simple.v1+json, text/html;q=0.2"


# What each release's pyproject.toml asks for.
OLDEST_PYTHON = {"0.22.1": (3, 10), "0.33.0": (3, 11)}


class Unavailable(Exception):
    """One sentence about what is missing, and what to do."""


class Pinned(NamedTuple):
    file: str
    sha256: str
    bytes: int

    @property
    def project(self):
        """The name that an index has for the file's project."""
        return re.sub(r"[-_.]+", "-", self.file.split("-")[0]).lower()


RELEASES = {
    "0.22.1": Pinned("vllm-0.22.1.tar.gz",
                     "cd34902729f3767e3dfbb391956b2986bc638a54be9893e78bda9cc55669f15c", 36246058),
    "0.33.0": Pinned("vllm-0.33.0.tar.gz",
                     "f4c33c2503d52bb411146afa9618a4f48bed68912f617e6803ac8d76e4c74112", 47101396),
}

PYTEST = "pytest-8.3.5"  # the folder of the wheels

# The last pytest that needs no Pygments. The last two files are for Python 3.10; vLLM asks for
# typing_extensions in each.
WHEELS = (
    Pinned("pytest-8.3.5-py3-none-any.whl",
           "c69214aa47deac29fad6c2a4f590b9c4a9fdb16a403176fe154b79c0b4d4d820", 343634),
    Pinned("pluggy-1.5.0-py3-none-any.whl",
           "44e1ad92c8ca002de6377e165f3e0f1be63266ab4d554740532335b9d75ea669", 20556),
    Pinned("iniconfig-2.1.0-py3-none-any.whl",
           "9deba5723312380e77435581c6bf4935c94cbfab9b1ed33ef8d238ea168eb760", 6050),
    Pinned("packaging-25.0-py3-none-any.whl",
           "29572ef2b1f17581046b3a2227d5c611fb25ec70ca1ba8554b24b0e69331a484", 66469),
    Pinned("typing_extensions-4.14.1-py3-none-any.whl",
           "d1e1e3b58374dc93031d6eda2420a48ea44a36c2b4766a4fdeb3710755731d76", 43906),
    Pinned("tomli-2.2.1-py3-none-any.whl",
           "cb55c73c5f4408779d0cf3eef9f762b9c9f147a77de7b258bef0a5628adc85cc", 14257),
    Pinned("exceptiongroup-1.3.0-py3-none-any.whl",
           "4d111e6e0c13d0644cad6ddaa7ed0261a0b36971f6d23e7ec9b4b9097da78a10", 16674),
)


class _Links(html.parser.HTMLParser):
    """From the name of each file on a page of PEP 503 to its address."""

    def __init__(self):
        super().__init__()
        self.found = {}

    def handle_starttag(self, tag, attributes):
        address = dict(attributes).get("href")
        if tag == "a" and address:
            self.found[unquote(urlsplit(address).path.rsplit("/", 1)[-1])] = address


def check_python(version):
    oldest = OLDEST_PYTHON[version]
    if sys.version_info < oldest:
        raise Unavailable(
            "The tests of vLLM {} need Python {}.{} or newer, and {} is Python {}.{}. Install a "
            "newer one, and put it first on the PATH.".format(version, *oldest, sys.executable,
                                                              *sys.version_info[:2]))


def fetch(pinned, folder, index=None):
    """The path of the file in this folder. Without its name there, it comes from the index."""
    target = Path(folder, pinned.file)
    if not target.exists():
        address = _address_of(pinned, index or index_address())
        part = _new_file(target)
        try:
            _download(address, pinned, part)
            part.replace(target)
        finally:
            part.unlink(missing_ok=True)
    return target


def index_address():
    return os.environ.get("PIP_INDEX_URL") or PYPI


def host_of(address):
    """The host alone: the address of an index may contain a password."""
    try:
        host = urlsplit(address).hostname
    except ValueError:
        host = None
    return host or "PIP_INDEX_URL"


def no_room(error, folder):
    """The refusal for an error of a write: a full disk has its own."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return Unavailable(f"The disk of {folder} is full, so what was begun there is removed. "
                           "Free some space, and try again.")
    return Unavailable(f"Cannot write in {folder}: {error.strerror}. Make it writable, or choose "
                       "another build folder.")


def _new_file(target):
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=target.name, suffix=".part")
    except OSError as error:
        raise no_room(error, target.parent) from error
    os.close(handle)
    return Path(name)


def _address_of(pinned, index):
    page = f"{index.rstrip('/')}/{pinned.project}/"
    missing = Unavailable(f"The index at {host_of(index)} does not have {pinned.file}. Set "
                          f"PIP_INDEX_URL to one that has it, such as {PYPI}.")
    try:
        with _open(page) as answer:
            text = b"".join(_pieces(answer)).decode(errors="replace")
            kind = answer.headers.get_content_type()
            base = _with_user_of(page, answer.url)
    except urllib.error.HTTPError as error:
        if error.code in (404, 410):
            raise missing from error
        raise _unreachable(index, error) from error
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise _unreachable(index, error) from error
    links = _links(text, kind, index)
    if pinned.file not in links:
        raise missing
    return urldefrag(urljoin(base, links[pinned.file])).url


def _with_user_of(page, address):
    """Where the page is after redirections: on its own host, with the name and the password."""
    first, last = urlsplit(page), urlsplit(address)
    is_same_host = (first.scheme, first.hostname) == (last.scheme, last.hostname)
    return urlunsplit(last._replace(netloc=first.netloc)) if is_same_host else address


def _links(text, kind, index):
    if not kind.endswith("json"):
        page = _Links()
        page.feed(text)
        return page.found
    try:
        return {file["filename"]: str(file["url"]) for file in json.loads(text)["files"]}
    except (ValueError, KeyError, TypeError) as error:
        raise Unavailable(f"The answer of {host_of(index)} is not that of a package index. Check "
                          "PIP_INDEX_URL.") from error


def _download(address, pinned, part):
    """Fills the file `part`, and refuses what has another hash."""
    digest = hashlib.sha256()
    try:
        with _open(address) as answer, open(part, "wb", buffering=0) as file:
            for piece in _pieces(answer):
                digest.update(piece)
                _write(file, piece, part.parent)
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise _unreachable(address, error) from error
    if digest.hexdigest() != pinned.sha256:
        raise Unavailable(
            f"{pinned.file} of {host_of(address)} has the SHA-256 {digest.hexdigest()}, not "
            f"{pinned.sha256}, so it is not used. Try again, or with another PIP_INDEX_URL.")


def _pieces(answer):
    """The bytes of an answer; an answer that ends too early is an error."""
    expected = answer.headers.get("Content-Length")
    received = 0
    while True:
        piece = answer.read(PIECE)
        if not piece:
            break
        received += len(piece)
        yield piece
    if expected is not None and received < int(expected):
        raise ConnectionError(f"it ended after {received} of {expected} bytes")


def _write(file, piece, folder):
    """Why without a buffer: its rest would be written, and fail, once more when the file closes."""
    try:
        while piece:
            piece = piece[file.write(piece):]
    except OSError as error:
        raise no_room(error, folder) from error


def _open(address):
    """urllib sends no name and password of an address, so they are a header here."""
    parts = urlsplit(address)
    user, has_user, host = parts.netloc.rpartition("@")
    request = urllib.request.Request(urlunsplit(parts._replace(netloc=host)),
                                     headers={"Accept": ACCEPT, "User-Agent": "PagedLab"})
    if has_user:
        secret = base64.b64encode(unquote(user).encode()).decode()
        request.add_unredirected_header("Authorization", f"Basic {secret}")
    return urllib.request.urlopen(request, timeout=SECONDS_OF_SILENCE, context=_certificates())


def _certificates():
    """pip's variable for the certificate of a school's own index, or those of the system."""
    file = os.environ.get("PIP_CERT") or None
    try:
        return ssl.create_default_context(cafile=file)
    except OSError as error:
        raise Unavailable(f"Cannot read the certificates of PIP_CERT, {file}: {error.strerror}. "
                          "Set it to a file that has some, or unset it.") from error


def _unreachable(address, error):
    """Why nothing of an address that is none: a part of it might be a password."""
    if isinstance(error, (ValueError, http.client.InvalidURL)):
        return Unavailable(f"PIP_INDEX_URL is no address of a package index. Set it to one, such "
                           f"as {PYPI}, or unset it.")
    reason = getattr(error, "reason", None) or error
    reason = getattr(reason, "strerror", None) or reason
    if isinstance(error, urllib.error.HTTPError):
        reason = f"HTTP {error.code} {error.reason}"
    return Unavailable(f"Cannot reach {host_of(address)}: {reason}. Check the network and "
                       "PIP_INDEX_URL, and try again.")
