"""A real browser without a network, and what it has on its page."""

import json
import os
import re
import shutil
from importlib.resources import files

import pytest

BROWSER, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
DRAWN = """return document.getElementById(arguments[0]).data.map(
    (trace) => ({name: trace.name, x: [...trace.x], y: [...trace.y], skipped: trace.hoverinfo === "skip"}))"""


def data_of(page):
    """The data inside a report's HTML."""
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)[1])


def start():
    """The browser, or a skipped test that says what is missing; where RADMM_NEEDS_BROWSER is set, it may not be."""
    if not (BROWSER and DRIVER):
        if os.environ.get("RADMM_NEEDS_BROWSER"):
            pytest.fail("chromium and chromedriver must be installed here")
        pytest.skip("the report is not tried: there is no chromium with chromedriver (Debian: chromium-driver)")
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = BROWSER
    for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(DRIVER))
    driver.set_network_conditions(offline=True, latency=0, throughput=0)
    return driver


class Reader:
    """Someone who reads the report.

    Args:
        driver: Of a browser.
        page: The report's file.
    """

    def __init__(self, driver, page):
        self.driver, self.address = driver, page.as_uri()

    def look(self, width=1280, scheme="light"):
        size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})

    def open(self, view):
        self.driver.get("about:blank")
        self.driver.get(f"{self.address}#{view}")

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def drawn(self, plot):
        """The lines of a plot, without the bands of their ranges."""
        return [trace for trace in self.run(DRAWN, plot) if not trace["skipped"]]

    def choose(self, label, value):
        """In the list that is labelled so, as a reader does: the browser tells the page of the change."""
        script = """const labels = [...document.querySelectorAll("label")];
            const list = labels.find((each) => each.firstChild.data === arguments[0]).querySelector("select");
            list.value = arguments[1]; list.dispatchEvent(new Event("change"))"""
        self.run(script, label, value)

    def find(self, selector):
        return self.driver.find_element("css selector", selector)

    def column(self, number):
        return self.run(
            "return [...document.querySelectorAll('tbody tr')].map((row) => row.children[arguments[0]].innerText)",
            number,
        )

    def complaints(self):
        """What the browser's console has."""
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]

    def barriers(self):
        """Serious and critical violations that axe-core finds, each with where."""
        if not self.run("return 'axe' in window"):
            self.run(files("selenium_axe_python").joinpath("axe-core/axe.min.js").read_text(encoding="utf-8"))
        found = self.driver.execute_async_script("axe.run().then(arguments[0])")["violations"]
        serious = [each for each in found if each["impact"] in ("serious", "critical")]
        return [(each["id"], node["html"][:120], node["failureSummary"]) for each in serious for node in each["nodes"]]
