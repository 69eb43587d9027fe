"""Chromium, driven by Selenium: opens pages, presses keys, and asks what is drawn."""

import json
import os

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from kit import need

PHONE, DESK = 360, 1280

OPTIONS = ["--headless=new", "--disable-gpu", "--disable-dev-shm-usage",
           "--disable-background-networking"]

WIDTH = "return Math.max(document.documentElement.scrollWidth, document.body.scrollWidth)"

# The brightness of the ink minus that of the paper, of 255.
CONTRAST = """
  const brightness = (color) => color.match(/\\d+/g).slice(0, 3)
    .reduce((sum, part) => sum + Number(part), 0) / 3;
  const style = getComputedStyle(document.body);
  return brightness(style.color) - brightness(style.backgroundColor)"""


BUTTON = """
  return [...document.querySelectorAll("button")]
    .find((button) => button.textContent.startsWith(arguments[0]))"""


def start_browser():
    need("chromium")
    need("chromedriver")
    options = webdriver.ChromeOptions()
    # Why: Chromium's sandbox cannot be set up by root, as in a container.
    for option in OPTIONS + (["--no-sandbox"] if os.geteuid() == 0 else []):
        options.add_argument(option)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    browser = webdriver.Chrome(service=Service("chromedriver"), options=options)
    set_width(browser, DESK)
    return browser


def complaints(browser, *allowed):
    """Since the last call: errors on the console, and requests for other addresses than these."""
    errors = [entry["message"] for entry in browser.get_log("browser")
              if entry["level"] == "SEVERE"]
    events = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    requests = [event["params"]["request"]["url"] for event in events
                if event["method"] == "Network.requestWillBeSent"]
    return errors + [f"a request: {url}" for url in requests if not url.startswith(allowed)]


def set_width(browser, pixels):
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
        "width": pixels, "height": 800, "deviceScaleFactor": 1, "mobile": False})


def emulate(browser, color_scheme="light", media="", motion="no-preference"):
    """media: "print", or that of a screen. motion: "reduce", where the reader wants none."""
    features = [{"name": "prefers-color-scheme", "value": color_scheme},
                {"name": "prefers-reduced-motion", "value": motion}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": media, "features": features})


def click(browser, text):
    """The button whose text begins so."""
    browser.execute_script(BUTTON, text).click()


def press(browser, *keys):
    """Key names are those of selenium.webdriver.common.keys: "ARROW_RIGHT", "TAB"."""
    ActionChains(browser).send_keys(*(getattr(Keys, key) for key in keys)).perform()


def text_of(browser, selector):
    """The text of the first element that a CSS selector finds; empty if there is none."""
    script = "return document.querySelector(arguments[0])?.innerText ?? ''"
    return browser.execute_script(script, selector)


def count(browser, selector):
    return browser.execute_script("return document.querySelectorAll(arguments[0]).length", selector)


def width_of(browser):
    return browser.execute_script(WIDTH)


def expect_narrow(browser):
    """No horizontal scrolling on a phone."""
    set_width(browser, PHONE)
    assert width_of(browser) <= PHONE
    set_width(browser, DESK)


def expect_both_themes(browser):
    """Light and dark as the system says, and as the reader chooses."""
    readable = 150
    assert browser.execute_script(CONTRAST) < -readable
    emulate(browser, "dark")
    assert browser.execute_script(CONTRAST) > readable
    browser.execute_script("document.querySelector('.theme').click()")
    assert browser.execute_script(CONTRAST) < -readable
    emulate(browser)
