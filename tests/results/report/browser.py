"""A real browser without a network, and what it has on its page."""

import json
import os
import re
import shutil
from importlib.resources import files

import pytest

BROWSER, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
DRAWN = """return document.getElementById(arguments[0]).data.map(
    (trace) => ({name: trace.name, x: [...trace.x], y: [...trace.y], skipped: trace.hoverinfo === "skip",
                 look: trace.line && [trace.line.color, trace.line.dash, trace.marker && trace.marker.symbol]}))"""


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
    driver.set_script_timeout(300)  # seconds, on a machine that has much else to do
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
        """As a link within the page does; only the first view loads the page."""
        if self.driver.current_url.split("#")[0] == self.address:
            self.run("history.replaceState(null, '', '#' + arguments[0]); show()", view)
        else:
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

    def click(self, text, within="main"):
        """On the button, box or summary that says so."""
        script = """const all = [...document.querySelector(arguments[1]).querySelectorAll("button, label, summary")];
            all.find((each) => each.innerText.trim() === arguments[0]).click()"""
        self.run(script, text, within)

    def column(self, name, table="table"):
        """The cells of a table's column, by the text of its head without the arrow of the order."""
        script = """const table = document.querySelector(arguments[1]);
            const heads = [...table.querySelectorAll("th")].map((each) => each.innerText.replace(/ [▲▼]/, "").trim());
            const place = heads.indexOf(arguments[0]);
            return [...table.querySelectorAll("tbody tr")].map((row) => row.children[place].innerText)"""
        return self.run(script, name, table)

    def complaints(self):
        """What the browser's console has."""
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]

    def barriers(self):
        """Serious and critical violations that axe-core finds, each with where."""
        if not self.run("return 'axe' in window"):
            self.run(files("selenium_axe_python").joinpath("axe-core/axe.min.js").read_text(encoding="utf-8"))
        found = self.driver.execute_async_script("axe.run({resultTypes: ['violations']}).then(arguments[0])")[
            "violations"
        ]
        serious = [each for each in found if each["impact"] in ("serious", "critical")]
        return [(each["id"], node["html"][:120], node["failureSummary"]) for each in serious for node in each["nodes"]]
