"""Chromium by the protocol of WebDriver."""
import base64
import json
import socket
import subprocess
import time
import urllib.request


class Browser:
    def __init__(self, size=(1000, 800), dark=False):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.url = f"http://127.0.0.1:{free.getsockname()[1]}"
        self.driver = subprocess.Popen(["chromedriver", f"--port={self.url.rsplit(':')[-1]}"], stdout=subprocess.DEVNULL)
        while True:
            try:
                self.call("GET", "/status")
                break
            except ConnectionError:
                time.sleep(0.1)
            except urllib.error.URLError:
                time.sleep(0.1)
        options = {"args": ["--headless=new", "--no-sandbox", f"--window-size={size[0]},{size[1]}"]}
        self.url += "/session"
        self.url += "/" + self.call("POST", "", {"capabilities": {"alwaysMatch": {
            "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}}})["sessionId"]
        features = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self.call("POST", "/goog/cdp/execute", {"cmd": "Emulation.setEmulatedMedia", "params": {"features": features}})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.call("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.wait()

    def call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=300) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(json.load(error)["value"]["message"]) from None

    def open(self, page):
        self.call("POST", "/url", {"url": page.resolve().as_uri()})

    def run(self, script, *arguments):
        return self.call("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def wait(self, condition, seconds=60):
        end = time.monotonic() + seconds
        while not self.run(f"return {condition}"):
            if time.monotonic() > end:
                raise RuntimeError(f"{condition}: not after {seconds} s; {self.errors()}")
            time.sleep(0.02)

    def choose(self, files):
        """Gives files to the page, as a person who picks them."""
        # Or it would have these files besides those of before.
        self.run("document.querySelector('#open').value = ''")
        found = self.call("POST", "/element", {"using": "css selector", "value": "#open"})
        text = "\n".join(str(file) for file in files)
        self.call("POST", f"/element/{next(iter(found.values()))}/value", {"text": text})

    def press(self, key):
        keys = [{"type": kind, "value": key} for kind in ("keyDown", "keyUp")]
        self.call("POST", "/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": keys}]})

    def errors(self):
        log = self.call("POST", "/se/log", {"type": "browser"})
        return [entry["message"] for entry in log if entry["level"] == "SEVERE"]

    def picture(self, path):
        path.write_bytes(base64.b64decode(self.call("GET", "/screenshot")))
