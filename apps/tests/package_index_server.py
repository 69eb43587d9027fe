"""An index of Python's packages on this machine, whose answers a test chooses."""

import hashlib
import io
import json
import tarfile
import threading
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import vllm_folder  # noqa: F401
from runner.package_index import Pinned

JSON, HTML, BYTES = "application/vnd.pypi.simple.v1+json", "text/html", "application/octet-stream"


class Index:
    """`pages` has for a path the status, the type and the bytes of its answer."""

    def __init__(self):
        self.pages = {}
        self.asked = []  # paths
        self.secrets = []  # what was sent as name and password, or None
        self.cut = None  # the path whose answer ends too early
        self.held = None  # the path whose answer does not end
        self.is_over = threading.Event()
        index = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                index.answer(self)

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()

    @property
    def host(self):
        return f"127.0.0.1:{self.server.server_port}"

    @property
    def address(self):
        return f"http://{self.host}/simple"

    def answer(self, request):
        self.asked.append(request.path)
        self.secrets.append(request.headers["Authorization"])
        status, kind, text = self.pages.get(request.path, (404, HTML, b"not here"))
        request.send_response(status)
        request.send_header("Content-Type", kind)
        request.send_header("Content-Length", str(len(text)))
        request.end_headers()
        is_whole = request.path not in (self.cut, self.held)
        request.wfile.write(text if is_whole else text[:-20])
        if request.path == self.held:
            self.is_over.wait()

    def end(self):
        self.is_over.set()
        self.server.shutdown()
        self.server.server_close()

    def offer(self, name, text):
        """Both pages that a file has; what is fixed of it."""
        pinned = Pinned(name, hashlib.sha256(text).hexdigest(), len(text))
        listed = {"files": [{"filename": name, "url": f"../../files/{name}#sha256=0"}]}
        self.pages[f"/simple/{pinned.project}/"] = 200, JSON, json.dumps(listed).encode()
        self.pages[f"/files/{name}"] = 200, BYTES, text
        return pinned


def tar_of(files):
    """Their names are below a folder at the top, as in a release."""
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w:gz") as tar:
        for name, text in files.items():
            member = tarfile.TarInfo(f"vllm-0.22.1/{name}")
            member.size = len(text)
            tar.addfile(member, io.BytesIO(text.encode()))
    return made.getvalue()


def zip_of(files):
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as wheel:
        for name, text in files.items():
            wheel.writestr(name, text)
    return made.getvalue()
