"""Debian's Chromium, driven by Selenium: no downloads, no network; tests are skipped where there is no browser."""

import json
import shutil

import pytest

selenium = pytest.importorskip("selenium")
from selenium import webdriver  # noqa: E402
from selenium.webdriver.chrome.service import Service  # noqa: E402
from selenium.webdriver.common.action_chains import ActionChains  # noqa: E402
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402
from selenium.webdriver.support.ui import WebDriverWait  # noqa: E402

__all__ = ["SCHEMES", "ActionChains", "Browser", "By", "Keys", "WebDriverWait", "needs_browser"]
BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")
needs_browser = pytest.mark.skipif(
    BROWSER is None or DRIVER is None, reason="needs chromium and chromedriver (Debian: chromium chromium-driver)"
)
FLAGS = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-default-apps",
    "--hide-scrollbars",
]


STILL = {"name": "prefers-reduced-motion", "value": "reduce"}
"""Nothing moves or fades, so that what is measured is what there is."""
SCHEMES = {scheme: {"name": "prefers-color-scheme", "value": scheme} for scheme in ("light", "dark")}


class Browser:
    """A page in a window of a given size; remembers what it asked of the network and what the console said."""

    def __init__(self, profile):
        options = webdriver.ChromeOptions()
        options.binary_location = BROWSER
        for flag in [*FLAGS, f"--user-data-dir={profile}"]:
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service(DRIVER))

    def open(self, page, width=1280, height=900, scheme="light"):
        self.emulate("setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)
        self.emulate("setEmulatedMedia", media="", features=[SCHEMES[scheme], STILL])
        self.driver.get("about:blank")
        self.driver.get_log("performance"), self.driver.get_log("browser")
        self.driver.get(page.as_uri())

    def emulate(self, command, **parameters):
        self.driver.execute_cdp_cmd(f"Emulation.{command}", parameters)

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def requests(self):
        """Addresses asked for since the page was opened, but for the page itself."""
        messages = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        sent = [m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent"]
        return [url for url in sent if not url.startswith(("file:", "data:", "about:"))]

    def console(self):
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def quit(self):
        self.driver.quit()
