"""Draw the pictures of the README from the results of `make demo`.

    python docs/pictures/make.py [OUT]

`terminal.svg` by rich, `report.png` by Chromium through Selenium. Needs chromium and chromium-driver.
"""

import re
import shutil
import sys
import tempfile
from pathlib import Path

from rich.console import Console

from chunkgap.reports.artifacts import read_results
from chunkgap.reports.terminal import render

HERE = Path(__file__).parent
COLUMNS = 80
WIDTH, HEIGHT = 1200, 2155


def main() -> None:
    """Draw both."""
    out = Path(sys.argv[1] if len(sys.argv) > 1 else "chunkgap-out")
    draw_terminal(out)
    draw_page(out)


def draw_terminal(out: Path) -> None:
    """The first screen of the terminal report."""
    with Path("/dev/null").open("w", encoding="utf-8") as nowhere:
        console = Console(
            record=True, width=COLUMNS, file=nowhere, force_terminal=True, color_system="truecolor"
        )
        render(read_results(out), console=console, out=out)
        picture = console.export_svg(title="chunkgap measure sample_data/corpus sample_data/queries.jsonl")
    without_fonts = re.sub(r"@font-face \{.*?\}\s*", "", picture, flags=re.DOTALL)  # they would be fetched
    (HERE / "terminal.svg").write_text(without_fonts, encoding="utf-8")


def draw_page(out: Path) -> None:
    """The top of `report.html`."""
    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if not chromium or not driver:
        sys.exit(
            "make.py: expected chromium and chromedriver on the PATH, found none. "
            "Install them (Debian: apt install chromium chromium-driver)."
        )
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    with tempfile.TemporaryDirectory() as profile:
        for option in (
            "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
            "--disable-background-networking", "--hide-scrollbars", "--force-device-scale-factor=1",
            f"--window-size={WIDTH},{HEIGHT}", f"--user-data-dir={profile}",
        ):  # fmt: skip
            options.add_argument(option)
        browser = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
        try:
            browser.get((out / "report.html").resolve().as_uri())
            browser.implicitly_wait(5)
            browser.find_element("css selector", ".main-svg")
            browser.save_screenshot(str(HERE / "report.png"))
        finally:
            browser.quit()


if __name__ == "__main__":
    main()
