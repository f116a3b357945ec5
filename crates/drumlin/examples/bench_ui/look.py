"""Looks at a dashboard in headless Chromium for a while, does what people do, and prints how it felt as one JSON object.

Arguments: the page's address with its token, and for how many seconds.
"""

import json
import statistics
import sys
import time

from selenium import webdriver

page, seconds = sys.argv[1], float(sys.argv[2])

# From an event to the next paint after it; and, of a table, until its first row or its note is another.
FELT = """
    const [act, waits, done] = arguments;
    const started = performance.now();
    const shown = () => document.querySelector('main tbody tr')?.textContent + document.querySelector('main .note')?.textContent;
    const before = shown();
    new Function(act)();
    let painted = null;
    requestAnimationFrame(() => setTimeout(() => { painted = performance.now() - started; if (!waits) done([painted, null]); }));
    if (waits) {
        const look = () => {
            const passed = performance.now() - started;
            if (painted !== null && (shown() !== before || passed > 5000)) done([painted, passed]);
            else setTimeout(look, 1);
        };
        look();
    }
"""
HEAD = "[...document.querySelectorAll('main thead button')].find((one) => one.textContent === '%s').click()"
SEARCH = "const box = document.querySelector('main input[type=search]'); box.value = '%s'; box.dispatchEvent(new Event('input'))"
MORE = "[...document.querySelectorAll('main button')].find((one) => one.textContent === 'More hosts')?.click()"
VIEWS = ["overview", "pages", "errors", "exclusions", "traps", "ledger", "outputs", "explain", "control", "hosts"]


def browser():
    options = webdriver.ChromeOptions()
    for flag in [
        "headless", "no-sandbox", "disable-gpu", "no-first-run", "disable-background-networking",
        "disable-component-update", "disable-sync", "disable-quic", "disable-dev-shm-usage",
    ]:
        options.add_argument(f"--{flag}")
    options.binary_location = "/usr/bin/chromium"
    return webdriver.Chrome(options=options, service=webdriver.ChromeService("/usr/bin/chromedriver"))


driver = browser()
paints, rows = [], []


def felt(act, waits=False):
    painted, shown = driver.execute_async_script(FELT, act, waits)
    paints.append(painted)
    if shown is not None:
        rows.append(shown)
    # Once a second, as somebody does who is in a hurry.
    time.sleep(1)


try:
    driver.get(page)
    time.sleep(3)
    until = time.monotonic() + seconds
    while True:
        for view in VIEWS:
            felt(f"location.hash = '{view}'")
        time.sleep(1)
        for head in ["Host", "Contacts", "Due", "URLs"]:
            felt(HEAD % head, True)
        felt(SEARCH % "a1", True)
        felt(SEARCH % "", True)
        felt(MORE, True)
        if time.monotonic() > until:
            break
finally:
    driver.quit()

print(json.dumps({
    "interactions": len(paints),
    "paint_ms_median": round(statistics.median(paints), 1),
    "paint_ms_worst": round(max(paints), 1),
    "rows_ms_median": round(statistics.median(rows), 1),
    "rows_ms_worst": round(max(rows), 1),
}))
