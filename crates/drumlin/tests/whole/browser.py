"""Drives the dashboard of a crawl in headless Chromium, as a person would, and prints what it saw as one JSON object.

Arguments: the page's address with its token, and the address of a page of another site.
"""

import json
import sys
import time

from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

VIEWS = ["overview", "hosts", "pages", "errors", "exclusions", "traps", "ledger", "outputs", "explain", "control"]
PATIENCE_S = 30

page, elsewhere = sys.argv[1:]
bare = page.split("#")[0]


def browser():
    options = webdriver.ChromeOptions()
    for flag in [
        "headless", "no-sandbox", "disable-gpu", "no-first-run", "disable-background-networking",
        "disable-component-update", "disable-sync", "disable-quic", "disable-dev-shm-usage",
    ]:
        options.add_argument(f"--{flag}")
    options.binary_location = "/usr/bin/chromium"
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(options=options, service=webdriver.ChromeService("/usr/bin/chromedriver"))


driver = browser()
seen = {}


def until(condition):
    return WebDriverWait(driver, PATIENCE_S, poll_frequency=0.1).until(lambda _: condition())


def find(selector):
    return driver.find_element(By.CSS_SELECTOR, selector)


def script(text, *arguments):
    return driver.execute_script(f"return {text}", *arguments)


def mode():
    return find("#mode").text


def view(name):
    script("void (location.hash = arguments[0])", name)
    until(lambda: script("document.querySelector('nav a[aria-current]')?.hash") == f"#{name}")


def column(index):
    rows = script("[...document.querySelectorAll('main tbody tr')].map((row) => row.children[arguments[0]].textContent)", index)
    return rows


def without_a_token():
    driver.get(bare)
    until(lambda: mode() == "running")
    find("#pause").click()
    seen["asks_for_the_token"] = until(lambda: script("document.getElementById('dialog').open"))
    find("#dialog-input").send_keys("жетон", Keys.ENTER)
    seen["what_is_none_is_refused"] = until(lambda: "no token" in find("#said").text)
    find("#pause").click()
    until(lambda: script("document.getElementById('dialog').open"))
    find("#dialog-input").send_keys("00000000000000000000000000000000", Keys.ENTER)
    seen["a_wrong_one_is_refused"] = until(lambda: "not right" in find("#said").text)
    seen["still"] = mode()


def by_another_site():
    driver.get(elsewhere)
    send = """
        const [url, done] = arguments;
        const body = JSON.stringify("pause");
        const tries = [
            fetch(url + "api/v1/snapshot").then((r) => r.status, () => "blocked"),
            fetch(url + "api/v1/commands", { method: "POST", body, headers: { "Content-Type": "application/json" } })
                .then((r) => r.status, () => "blocked"),
            fetch(url + "api/v1/commands", { method: "POST", body, mode: "no-cors" }).then((r) => r.type, () => "blocked"),
        ];
        Promise.all(tries).then(done);
    """
    seen["another_site"] = driver.execute_async_script(send, bare)
    # What it says on the console is what was to be seen.
    driver.get_log("browser")


def with_the_token():
    driver.get(bare)
    until(lambda: mode() == "running")
    # Into the same tab: only the fragment of the address changes.
    script("void (location.href = arguments[0])", page)
    seen["address_shows_no_token"] = until(lambda: "token" not in driver.current_url)
    find("#pause").click()
    seen["paused"] = until(lambda: mode() == "paused")
    seen["focus_goes_on"] = script("document.activeElement.id") == "resume"
    find("#resume").click()
    seen["resumed"] = until(lambda: mode() == "running")


def hosts():
    view("hosts")
    until(lambda: len(column(0)) == 3)
    # By keyboard alone: to the first head of a column, and on to the next that sorts.
    find("main input[type=search]").send_keys(Keys.TAB)
    for _ in range(5):
        if script("document.activeElement.textContent") == "Host":
            break
        driver.switch_to.active_element.send_keys(Keys.TAB)
    seen["focus_is_visible"] = script("getComputedStyle(document.activeElement).outlineStyle") != "none"
    driver.switch_to.active_element.send_keys(Keys.ENTER)
    until(lambda: script("document.querySelector('main th[aria-sort]')?.textContent") == "Host")
    until(lambda: column(0) == sorted(column(0)))
    seen["sorted_by_name"] = column(0)
    find("main input[type=search]").send_keys("broken")
    seen["found"] = until(lambda: len(column(0)) == 1 and column(0))


def skipping():
    view("hosts")
    script("void document.querySelector('.skip').focus()")
    driver.switch_to.active_element.send_keys(Keys.ENTER)
    seen["skipped_to"] = [script("location.hash"), script("document.activeElement.id")]


def pages():
    view("pages")
    until(lambda: script("document.querySelectorAll('main details').length") > 0)
    find("main summary").send_keys(Keys.ENTER)
    until(lambda: script("document.querySelector('main details[open] .text') !== null"))
    seen["title"] = find("main details[open] .title").text
    seen["markup_made_of_text"] = script("document.querySelectorAll('main b, main img, main script').length")
    seen["text"] = find("main details[open] .text").text
    seen["links"] = script("document.querySelectorAll('main details[open] .links a').length")


def resize(width, scheme):
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 500})
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})


def every_view_fits():
    wide, sideways = {}, {}
    for width, scheme in [(390, "dark"), (390, "light"), (1280, "dark"), (1280, "light")]:
        resize(width, scheme)
        for name in VIEWS:
            view(name)
            time.sleep(0.3)
            over = script("document.documentElement.scrollWidth - innerWidth")
            if over > 0:
                wide[f"{name} {width} {scheme}"] = over
            hidden = script("""[...document.querySelectorAll('.scroll')].filter((one) => one.scrollWidth > one.clientWidth)
                .map((one) => one.getAttribute('aria-label'))""")
            if hidden:
                sideways[f"{name} {width} {scheme}"] = hidden
        seen[f"paper_{scheme}"] = script("getComputedStyle(document.body).backgroundColor")
    seen["too_wide"], seen["sideways"] = wide, sideways


def reached(where):
    """Whatever can be pressed, typed into or scrolled is reached by the Tab key alone."""
    script("""void (window.controls = () => [...document.querySelectorAll(
        'button, input, select, textarea, summary, a[href], [tabindex="0"]')]
        .filter((one) => one.offsetParent !== null && !one.disabled))""")
    script("void document.addEventListener('focusin', (event) => (event.target.dataset.met = 'yes'))")
    missed = {}
    for name in VIEWS:
        view(name)
        # What comes later is let be.
        script("void controls().forEach((one) => (one.dataset.met = ''))")
        script("void document.activeElement.blur()")
        ActionChains(driver, duration=0).send_keys(Keys.TAB * (script("controls().length") + 20)).perform()
        left = script("controls().filter((one) => one.dataset.met === '').map((one) => one.outerHTML.slice(0, 80))")
        if left:
            missed[name] = left
    seen.setdefault("out_of_reach", {}).update({f"{name} {where}": left for name, left in missed.items()})


def named():
    """What has no name cannot be heard."""
    nameless = []
    for name in VIEWS:
        view(name)
        nameless += script("""[...document.querySelectorAll('button, input, select, textarea, canvas, a')]
            .filter((one) => one.offsetParent !== null)
            .filter((one) => !(one.textContent.trim() || one.getAttribute('aria-label') || one.labels?.[0]?.textContent.trim()))
            .map((one) => one.outerHTML)""")
    seen["nameless"] = nameless
    seen["heads_without_scope"] = script("document.querySelectorAll('th:not([scope])').length")


try:
    without_a_token()
    by_another_site()
    with_the_token()
    hosts()
    skipping()
    pages()
    reached("on a screen")
    every_view_fits()
    resize(390, "light")
    reached("on a phone")
    named()
    seen["errors"] = [line["message"] for line in driver.get_log("browser") if line["level"] == "SEVERE"]
finally:
    driver.quit()
print(json.dumps(seen))
