"""The report in a real Chromium; without one the tests are skipped, with the reason."""

import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from chunkgap.reports.html import render_html
from chunkgap.reports.writing import write_text
from chunkgap.results import Results
from tests.reports.results_builder import HOSTILE, build_hits, build_results

pytestmark = pytest.mark.browser

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")

Opened = Callable[..., Any]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
    if not CHROMIUM or not DRIVER:
        pytest.skip(
            "chromium and chromedriver are not installed (Debian: apt install chromium chromium-driver)"
        )
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    yield driver
    driver.quit()


@pytest.fixture
def opened(browser: Any, tmp_path: Path) -> Opened:
    """Writes a report and opens it from disk; the console and the network are looked at on the way."""

    def show(
        *,
        width: int = 1400,
        dark: bool = False,
        hits: bool = True,
        found: Results | None = None,
        **shape: Any,
    ) -> Any:
        results = found or build_results(**shape)
        path = tmp_path / "report.html"
        hostile = bool(shape.get("hostile"))
        write_text(path, render_html(results, build_hits(results, hostile=hostile) if hits else None))
        size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})
        browser.get_log("browser")
        browser.get_log("performance")
        browser.get(path.as_uri())
        wait(browser, "return document.documentElement.dataset.ready === 'true'")
        return browser

    return show


def wait(browser: Any, condition: str) -> None:
    from selenium.webdriver.support.ui import WebDriverWait

    WebDriverWait(browser, 60).until(lambda driver: driver.execute_script(condition))


def rows(browser: Any) -> list[list[str]]:
    script = """return [...document.querySelectorAll('#query-table tbody tr')]
        .map((row) => [...row.children].map((cell) => cell.textContent))"""
    found: list[list[str]] = browser.execute_script(script)
    return found


def type_search(browser: Any, text: str) -> None:
    before = browser.execute_script("return document.getElementById('found').textContent")
    browser.execute_script("document.getElementById('search').value = ''")
    browser.find_element("id", "search").send_keys(text)
    wait(browser, f"return document.getElementById('found').textContent !== {json.dumps(before)}")


def assert_quiet(browser: Any) -> None:
    """Nothing on the console, and no request for anything but the page itself."""
    assert [entry["message"] for entry in browser.get_log("browser")] == []
    events = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    asked = {
        event["params"]["request"]["url"]
        for event in events
        if event["method"] == "Network.requestWillBeSent"
    }
    assert {url.split(":", 1)[0] for url in asked} <= {"file", "data"}
    assert len([url for url in asked if url.startswith("file:")]) == 1


SHAPES: list[dict[str, Any]] = [
    {},
    {"dark": True, "width": 400},
    {"scales": ("200",)},
    {"command": "score", "phases": 1, "bare": True, "tags": False, "timings": False, "hits": False},
    {"cutoffs": ("1c", "5c"), "primary": "recall@5c"},
    {"hostile": True},
]


@pytest.mark.parametrize("shape", SHAPES)
def test_all_charts_are_drawn_without_a_word_or_a_request(opened: Opened, shape: dict[str, Any]) -> None:
    browser = opened(**shape)
    assert len(browser.find_elements("css selector", "[data-chart]")) >= 4
    wait(
        browser,
        """return [...document.querySelectorAll('[data-chart]')].filter((chart) => chart.offsetParent)
        .every((chart) => chart.querySelector(
            '.scatterlayer path.point, .barlayer path, .heatmaplayer image, .errorbars path'
        ))""",
    )
    assert_quiet(browser)


@pytest.mark.parametrize("width", [400, 1400])
def test_page_is_no_wider_than_the_screen(opened: Opened, width: int) -> None:
    browser = opened(width=width, hostile=True)
    assert browser.execute_script("return document.documentElement.scrollWidth") <= width


def test_widest_gap_comes_first_and_a_head_sorts(opened: Opened) -> None:
    browser = opened(measures=("rr",), primary="rr@5")
    gaps = [float(row[-1]) for row in rows(browser)]
    assert gaps == sorted(gaps, reverse=True)
    assert gaps[0] > gaps[-1]
    browser.execute_script("document.querySelectorAll('#query-table thead button')[2].click()")
    values = [float(row[2]) for row in rows(browser)]
    assert values == sorted(values, reverse=True)
    browser.execute_script("document.querySelectorAll('#query-table thead button')[2].click()")
    values = [float(row[2]) for row in rows(browser)]
    assert values == sorted(values)
    head = "return document.querySelectorAll('#query-table thead th')[2].getAttribute('aria-sort')"
    assert browser.execute_script(head) == "ascending"


def test_order_of_the_file_can_be_had(opened: Opened) -> None:
    browser = opened()
    browser.execute_script(
        "const o = document.getElementById('order'); o.value = 'file'; o.dispatchEvent(new Event('change'))"
    )
    assert [row[0] for row in rows(browser)] == [f"q{place:04d}" for place in range(25)]


def test_search_finds_ids_texts_and_tags_and_the_map_follows(opened: Opened) -> None:
    browser = opened()
    columns = "return document.querySelector('[data-chart=\"map\"]').data[0].z[0].length"
    assert browser.execute_script(columns) == 60
    type_search(browser, "q0017")
    assert [row[0] for row in rows(browser)] == ["q0017"]
    type_search(browser, "finance REFUND")
    assert [row[0] for row in rows(browser)] == ["q0000", "q0030"]
    assert browser.execute_script(columns) == 2
    type_search(browser, "no such query")
    assert rows(browser) == []
    assert_quiet(browser)


def test_pages_turn(opened: Opened) -> None:
    browser = opened()
    first = rows(browser)
    browser.execute_script("document.getElementById('next').click()")
    assert len(first) == len(rows(browser)) == 25
    assert not {row[0] for row in first} & {row[0] for row in rows(browser)}
    assert browser.execute_script("return document.getElementById('page').textContent") == "Page 2 of 3"


def test_id_opens_the_query_with_its_chunks_and_evidence(opened: Opened) -> None:
    browser = opened()
    browser.execute_script("document.querySelector('#query-table .open').click()")
    assert browser.execute_script("return document.getElementById('detail').open")
    detail = browser.execute_script("return document.getElementById('detail').textContent")
    assert rows(browser)[0][0] in detail
    assert "manual/part-1.md" in detail
    marks = browser.execute_script(
        "return [...document.querySelectorAll('#detail mark')].map((m) => m.textContent)"
    )
    text = "The signed form goes to the clerk within ten days. " * 12
    assert marks == [text[200:240]] * 4


def test_lost_queries_open_too(opened: Opened) -> None:
    browser = opened()
    link = "document.querySelector('#losses .open')"
    name = browser.execute_script(f"return {link}.textContent")
    browser.execute_script(f"{link}.click()")
    assert browser.execute_script("return document.getElementById('detail-title').textContent") == name


def test_pointing_at_the_map_tells_the_ranks_and_a_click_opens_the_query(opened: Opened) -> None:
    from selenium.webdriver import ActionChains

    browser = opened()
    drag = browser.find_element("css selector", '[data-chart="map"] .nsewdrag')
    browser.execute_script("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", drag)
    width = drag.size["width"]
    ActionChains(browser).move_to_element_with_offset(drag, -width // 2 + 5, 0).perform()
    wait(browser, "return document.getElementById('readout').textContent.includes('rank')")
    assert rows(browser)[0][0] in browser.find_element("id", "readout").text
    ActionChains(browser).click().perform()
    wait(browser, "return document.getElementById('detail').open")
    assert browser.find_element("id", "detail-title").text == rows(browser)[0][0]


def test_query_without_chunks_in_the_file_says_how_to_get_them(opened: Opened) -> None:
    browser = opened(hits=False)
    browser.execute_script("document.querySelector('#query-table .open').click()")
    assert "chunkgap explain" in browser.find_element("id", "detail-body").text


def test_theme_follows_the_system_until_the_reader_chooses(opened: Opened) -> None:
    browser = opened(dark=True)
    ink = "return getComputedStyle(document.body).color"
    line = "return document.querySelector('[data-chart=\"bracket\"]').data[0].marker.color"
    dark = (browser.execute_script(ink), browser.execute_script(line))
    browser.find_element("id", "theme").click()
    light = (browser.execute_script(ink), browser.execute_script(line))
    assert dark[0] != light[0]
    assert dark[1] != light[1]
    browser.execute_script("localStorage.clear()")
    assert_quiet(browser)


def test_another_measure_can_be_chosen(opened: Opened) -> None:
    browser = opened(measures=("recall", "rr"), cutoffs=("1", "5", "5c"))
    browser.execute_script(
        "const p = document.getElementById('panel'); p.value = '1'; p.dispatchEvent(new Event('change'))"
    )
    shown = "return [...document.querySelectorAll('.panel')].map((panel) => !panel.hidden)"
    assert browser.execute_script(shown) == [False, True, False, False]
    wait(browser, "return !!document.querySelector('[data-chart=\"means-1\"] .scatterlayer path')")


def test_hostile_texts_stay_texts(opened: Opened) -> None:
    browser = opened(hostile=True)
    for place in range(6):
        browser.execute_script(f"document.querySelectorAll('#query-table .open')[{place}].click()")
        browser.execute_script("document.getElementById('detail').close()")
    assert browser.execute_script("return window.pwned") is None
    assert browser.execute_script("return document.querySelectorAll('img, iframe, script').length") == 3
    assert {row[0][:-1].rstrip("0123456789") for row in rows(browser)} <= {
        name.rstrip("0123456789") for name in HOSTILE
    }
    shown = browser.execute_script("return document.querySelector('[data-chart=\"wins\"]').textContent")
    assert "<script>" in shown
    assert_quiet(browser)


def test_ten_thousand_queries_stay_usable(opened: Opened) -> None:
    browser = opened(queries=10_000, hits=False)
    assert len(rows(browser)) == 25
    type_search(browser, "q0999")
    assert {row[0] for row in rows(browser)} == {"q0999"}
    assert_quiet(browser)


def test_tags_that_are_left_out_are_counted_below_the_table(opened: Opened) -> None:
    results = build_results()
    tags = tuple({f"tag {tag}": f"{'x' * 190} {row}" for tag in range(60)} for row in range(60))
    page = opened(found=replace(results, per_query=replace(results.per_query, tags=tags)), hits=False)
    told = page.find_element("id", "left-out").text
    # 3,600 texts of 200 characters, quotes and a comma, in 500,000 bytes
    assert told.endswith(" values of tags are left out of this page to keep it small; per_query.csv has all.")
    assert 1_000 < int(told.split()[0].replace(",", "")) < 1_300
    assert opened().find_element("id", "left-out").text == ""


def test_print_is_light_and_returns_to_the_theme(opened: Opened) -> None:
    browser = opened(dark=True)
    assert len(browser.print_page()) > 10_000
    assert browser.execute_script("return document.documentElement.dataset.theme ?? null") is None
    assert_quiet(browser)
