"""Drives Chromium by WebDriver, and Firefox by its own protocol, Marionette, which needs no driver."""
import base64
import json
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.request
from pathlib import Path

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # the key of an element in both protocols


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


class Page:
    """The actions of both browsers. `call(command, arguments)` sends one command."""

    def __enter__(self):
        return self

    def open(self, page):
        self.call("Navigate", {"url": page.resolve().as_uri()})
        self.wait("!!document.querySelector('#open').onchange")
        self.run("""window.problems = [];
            addEventListener('error', ({ message }) => problems.push(message));
            addEventListener('unhandledrejection', ({ reason }) => problems.push(String(reason)))""")

    def run(self, script, *arguments):
        return self.call("ExecuteScript", {"script": script, "args": list(arguments)})

    def wait(self, condition, seconds=60):
        end = time.monotonic() + seconds
        while not self.run(f"return {condition}"):
            if time.monotonic() > end:
                raise RuntimeError(f"{condition}: not after {seconds} s; {self.errors()}")
            time.sleep(0.02)

    def choose(self, files, control="#open"):
        """Gives files, or one folder, to the page, as a person who picks them."""
        found = self.call("FindElement", {"using": "css selector", "value": control})
        self.call("ElementSendKeys", {"id": found[ELEMENT], "text": "\n".join(str(file) for file in files)})

    def press(self, key):
        keys = [{"type": kind, "value": key} for kind in ("keyDown", "keyUp")]
        self.call("PerformActions", {"actions": [{"type": "key", "id": "keyboard", "actions": keys}]})

    def click(self, selector):
        self.run("document.querySelector(arguments[0]).click()", selector)

    def errors(self):
        return self.run("return window.problems ?? []")

    def picture(self, path):
        path.write_bytes(base64.b64decode(self.call("TakeScreenshot", {"full": False})))


class Chromium(Page):
    """Chromium by chromedriver."""

    PATHS = {"Navigate": "/url", "ExecuteScript": "/execute/sync", "FindElement": "/element", "PerformActions": "/actions"}

    def __init__(self, size=(1000, 800), dark=False):
        self.url = f"http://127.0.0.1:{free_port()}"
        self.driver = subprocess.Popen(["chromedriver", f"--port={self.url.rsplit(':')[-1]}"], stdout=subprocess.DEVNULL)
        while True:
            try:
                self.send("GET", "/status")
                break
            except (ConnectionError, urllib.error.URLError):
                time.sleep(0.1)
        self.url += "/session"
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run",
                     f"--window-size={size[0]},{size[1]}"]
        self.url += "/" + self.send("POST", "", {"capabilities": {"alwaysMatch": {
            "goog:chromeOptions": {"args": arguments}, "goog:loggingPrefs": {"browser": "ALL"}}}})["sessionId"]
        # A window is at least 500 pixels wide, a telephone less.
        self.control("Emulation.setDeviceMetricsOverride",
                     {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": False})
        features = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self.control("Emulation.setEmulatedMedia", {"features": features})

    def __exit__(self, *_):
        try:
            self.send("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.wait()

    def control(self, command, parameters):
        self.send("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def call(self, command, arguments):
        match command:
            case "ElementSendKeys":
                return self.send("POST", f"/element/{arguments['id']}/value", {"text": arguments["text"]})
            case "TakeScreenshot":
                return self.send("GET", "/screenshot")
            case _:
                return self.send("POST", self.PATHS[command], arguments)

    def drop(self, files):
        """Drops files and folders on the page, as a person does."""
        data = {"items": [], "files": [str(file) for file in files], "dragOperationsMask": 1}
        for kind in ("dragEnter", "dragOver", "drop"):
            self.control("Input.dispatchDragEvent", {"type": kind, "x": 200, "y": 100, "data": data})

    def send(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=300) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(json.load(error)["value"]["message"]) from None

    def errors(self):
        log = self.send("POST", "/se/log", {"type": "browser"})
        return super().errors() + [entry["message"] for entry in log if entry["level"] == "SEVERE"]


class Firefox(Page):
    """Firefox by Marionette: each message is a list as JSON, with its length and a colon before it."""

    def __init__(self, size=(1000, 800), dark=False):
        self.profile, port = tempfile.mkdtemp(), free_port()
        settings = {"marionette.port": port, "ui.systemUsesDarkTheme": int(dark), "layout.css.prefers-color-scheme.content-override": int(not dark)}
        lines = [f'user_pref("{name}", {value});\n' for name, value in settings.items()]
        Path(self.profile, "user.js").write_text("".join(lines))
        command = shutil.which("firefox-esr") or "firefox"
        self.browser = subprocess.Popen([command, "--headless", "--marionette", "--no-remote", "--profile", self.profile],
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while True:
            try:
                self.socket = socket.create_connection(("127.0.0.1", port), 300)
                break
            except ConnectionError:
                time.sleep(0.1)
        self.stream, self.count = self.socket.makefile("rb"), 0
        self.receive()
        self.call("NewSession", {"capabilities": {"alwaysMatch": {}}})
        self.call("SetWindowRect", {"width": size[0], "height": size[1]})

    def __exit__(self, *_):
        self.socket.close()
        self.browser.terminate()
        self.browser.wait()
        shutil.rmtree(self.profile, ignore_errors=True)

    def receive(self):
        length = b""
        while (byte := self.stream.read(1)) not in (b":", b""):
            length += byte
        return json.loads(self.stream.read(int(length)))

    def call(self, command, arguments):
        self.count += 1
        message = json.dumps([0, self.count, f"WebDriver:{command}", arguments])
        self.socket.sendall(f"{len(message)}:{message}".encode())
        _, _, error, result = self.receive()
        if error:
            raise RuntimeError(error["message"])
        return result["value"] if result and "value" in result else result
