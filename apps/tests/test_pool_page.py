"""pool in a browser: the page of ./lab serve, driven through its buttons"""

import pytest

from broken_stack import FAULTS, broken_stack
from browser import (DESK, PHONE, click, complaints, emulate, expect_both_themes, expect_narrow,
                     press, set_width, text_of)
from kit import USAGE
from pool import Watcher, drawn_pool, is_over, recorded_pool
from server import Server, wait_until

pytestmark = pytest.mark.full

EIGHT, TOO_MANY = "Eight users", "Too many users"

GUIDE = ".tour:not([hidden]) .caption"
CAPTIONS = ["Each cell is a block", "Eight users came", "Each step computes one token",
            "All have ended", "24 users need twice this memory", "each is a lab of this course"]

# How far things have moved by themselves, as browsers count it.
WATCH_SHIFTS = """
  window.shifts = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.shifts += entry.value;
  }).observe({ type: "layout-shift" })"""

SLIDE = """
  const slider = document.querySelector(arguments[0]);
  slider.value = arguments[1];
  for (const name of ["input", "change"]) slider.dispatchEvent(new Event(name))"""


@pytest.fixture
def server(server):
    """Before each test it starts over."""
    server.start_over(24)
    return server


@pytest.fixture
def watcher(server, browser):
    """Beside the page, which is open: it makes no error on the console and no other request."""
    url = "http://%s:%d/" % server.address
    browser.get(url)
    watcher = Watcher(server)
    watcher.wait_for(lambda event: True)
    wait_until(lambda: text_of(browser, ".blocks .grid"))
    yield watcher
    watcher.close()
    browser.get("about:blank")
    assert complaints(browser, url, "about:blank") == []


def expect_drawn(browser, event):
    """The page draws this event, all of it."""
    expected = recorded_pool(event)
    wait_until(lambda: drawn_pool(browser)["step"] == expected["step"])
    wait_until(lambda: drawn_pool(browser) | expected == drawn_pool(browser), seconds=10)


def pause(browser, watcher):
    click(browser, "Pause")
    watcher.wait_for(lambda event: event["pace"]["paused"])


def take_step(browser, watcher):
    number = watcher.events[-1]["step"] + 1
    click(browser, "Step")
    event = watcher.wait_for(lambda event: event["step"] == number)
    expect_drawn(browser, event)
    return event


def go_on(browser, watcher):
    click(browser, "Go on")
    expect_drawn(browser, watcher.wait_for(is_over))


def test_eight_users_share_the_blocks_of_their_prompt(server, watcher, browser):
    server.post({"blocks": 64}, "/pool")
    pause(browser, watcher)
    click(browser, EIGHT)
    watcher.wait_for(lambda event: len(event["state"]["waiting"]) == 8)
    first = take_step(browser, watcher)
    assert len(first["state"]["running"]) == 8 and 8 in first["state"]["used"].values()
    assert set(drawn_pool(browser)["hit"]) == set(first["changes"]["hit"]) != set()
    letters = browser.find_elements("css selector", ".answer .letter")
    assert len({letter.get_attribute("class") for letter in letters}) == 8
    for _ in range(20):
        take_step(browser, watcher)
    browser.execute_script(SLIDE, ".speed", 7)
    go_on(browser, watcher)


def test_too_many_users_are_preempted_and_their_blocks_go_back(watcher, browser):
    pause(browser, watcher)
    click(browser, TOO_MANY)
    watcher.wait_for(lambda event: len(event["state"]["waiting"]) == 24)
    for _ in range(30):
        event = take_step(browser, watcher)
        if event["preempted"]:
            break
    assert event["preempted"] and event["changes"]["freed"]
    assert f"preempts {' '.join(event['preempted'])}" in text_of(browser, ".call")
    marked = browser.execute_script(
        "return document.querySelectorAll('.block:is(.back, .evicted)').length")
    assert marked > 0
    for _ in range(5):
        take_step(browser, watcher)
    browser.execute_script(SLIDE, ".speed", 7)
    go_on(browser, watcher)
    ended = watcher.events[-1]
    assert len(ended["requests"]) == 24 and ended["num_preemptions"] > 0


def test_one_sentence_says_what_has_happened(server, watcher, browser):
    server.post({"blocks": 64}, "/pool")
    pause(browser, watcher)
    assert "Memory for a model's keys and values: 64 blocks" in text_of(browser, ".headline")
    click(browser, EIGHT)
    watcher.wait_for(lambda event: len(event["state"]["waiting"]) == 8)
    first = take_step(browser, watcher)
    assert text_of(browser, ".headline") == (
        f"B, C, D and 4 more share {len(first['changes']['hit'])} blocks that A has computed: "
        f"{first['num_hit_tokens']} tokens need no work.")
    second = take_step(browser, watcher)
    assert second["changes"]["allocated"] == []
    assert text_of(browser, ".headline") == "8 requests run, and each gets one token."
    while not take_step(browser, watcher)["changes"]["allocated"]:
        pass
    assert text_of(browser, ".headline").startswith("The last block of ")
    browser.execute_script(SLIDE, ".speed", 7)
    go_on(browser, watcher)
    assert " have ended: " in text_of(browser, ".headline")


def test_the_guide_shows_six_things_with_one_key(another_server, browser):
    server = another_server("--course", "https://course.example/labs")
    browser.get("http://%s:%d/" % server.address)
    wait_until(lambda: text_of(browser, ".blocks .grid"))
    browser.execute_script("document.querySelector('.guide').focus()")
    for number, caption in enumerate(CAPTIONS, 1):
        press(browser, "ENTER")
        wait_until(lambda: text_of(browser, GUIDE).startswith(f"{number} of 6"), seconds=60)
        assert caption in text_of(browser, GUIDE)
    link = browser.find_element("css selector", ".caption a")
    assert link.get_attribute("href") == "https://course.example/labs"
    press(browser, "ENTER")
    wait_until(lambda: text_of(browser, GUIDE) == "")
    browser.get("about:blank")
    complaints(browser)  # Why: it is another server than that of the other tests.


def test_the_guide_can_be_left(watcher, browser):
    click(browser, "A guided minute")
    wait_until(lambda: text_of(browser, GUIDE).startswith("1 of 6"))
    assert watcher.events[-1]["pace"]["paused"]
    click(browser, "Skip")
    watcher.wait_for(lambda event: not event["pace"]["paused"])
    assert text_of(browser, GUIDE) == ""


@pytest.mark.parametrize("width", [DESK, PHONE])
def test_nothing_moves_while_it_runs(watcher, browser, width):
    set_width(browser, width)
    wait_until(lambda: browser.execute_script("return innerWidth") == width)
    expect_drawn(browser, watcher.events[-1])  # the pool of this test
    browser.execute_script(WATCH_SHIFTS)
    browser.execute_script(SLIDE, ".speed", 6)
    for load in [EIGHT, TOO_MANY]:
        click(browser, load)
        watcher.wait_for(lambda event: event["state"]["running"])
        watcher.wait_for(is_over)
    shifts = browser.execute_script("return window.shifts")
    set_width(browser, DESK)
    assert round(shifts, 4) == 0  # what is left is parts of a pixel


def test_a_prompt_of_ones_own_is_answered(watcher, browser):
    browser.find_element("css selector", ".controls input[type=text]").send_keys("Emma was\n")
    event = watcher.wait_for(lambda event: event["requests"] and is_over(event))
    expect_drawn(browser, event)
    assert text_of(browser, ".answer .prompt") == "Emma was"
    assert text_of(browser, ".answer .output").strip()


def test_another_pool_and_another_speed(watcher, browser):
    browser.execute_script(SLIDE, ".size", 40)
    event = watcher.wait_for(lambda event: event["pool"]["num_gpu_blocks"] == 41)
    expect_drawn(browser, event)
    assert "A new engine: its cache is empty" in text_of(browser, ".notice")
    browser.execute_script(SLIDE, ".speed", 1)
    watcher.wait_for(lambda event: event["pace"]["steps_a_second"] == 2)


def test_all_of_it_with_the_keyboard(watcher, browser):
    browser.execute_script("document.querySelector('.pause').focus()")
    press(browser, "SPACE")
    watcher.wait_for(lambda event: event["pace"]["paused"])
    click(browser, EIGHT)
    watcher.wait_for(lambda event: event["state"]["waiting"])
    browser.execute_script("document.querySelector('.pause').focus()")
    press(browser, "TAB", "ENTER")
    expect_drawn(browser, watcher.wait_for(lambda event: event["state"]["running"]))
    before = watcher.events[-1]["pace"]["steps_a_second"]
    press(browser, "TAB", "ARROW_RIGHT")
    watcher.wait_for(lambda event: event["pace"]["steps_a_second"] > before)
    press(browser, "TAB", "ENTER", "TAB", "ARROW_RIGHT")  # the pool's choices are folded
    watcher.wait_for(lambda event: event["pool"]["num_gpu_blocks"] == 33)
    click(browser, "Go on")


def test_a_phone_both_themes_and_no_motion(watcher, browser):
    pause(browser, watcher)
    click(browser, EIGHT)
    watcher.wait_for(lambda event: event["state"]["waiting"])
    take_step(browser, watcher)
    expect_narrow(browser)
    expect_both_themes(browser)
    animation = "return getComputedStyle(document.querySelector('.block.hit')).animationName"
    assert browser.execute_script(animation) == "flash"
    emulate(browser, motion="reduce")
    assert browser.execute_script(animation) == "none"
    emulate(browser)


def test_the_page_asks_for_the_key(kit, browser):
    server = Server(kit, "--api-key", "secret")
    browser.get("http://%s:%d/" % server.address)
    wait_until(lambda: "asks for its key" in text_of(browser, ".notice"))
    browser.find_element("css selector", ".notice input").send_keys("secret\n")
    wait_until(lambda: text_of(browser, ".blocks .grid"))
    complaints(browser)  # Why: the browser notes the refusal on its console.
    browser.get("about:blank")
    server.end()


def test_the_page_says_why_a_server_has_stopped(kit, browser, monkeypatch):
    monkeypatch.setenv("FAULT", "lost")
    server = Server(kit, tree=broken_stack(kit))
    browser.get("http://%s:%d/" % server.address)
    wait_until(lambda: text_of(browser, ".blocks .grid"))
    click(browser, EIGHT)
    server.has_ended(USAGE)
    sentence = f"The server has stopped: {FAULTS['lost']}"
    wait_until(lambda: text_of(browser, ".notice") == sentence)
    wait_until(lambda: any("ERR_CONNECTION_REFUSED" in each for each in complaints(browser)))
    assert text_of(browser, ".notice") == sentence  # also when nobody answers any more
    browser.get("about:blank")
