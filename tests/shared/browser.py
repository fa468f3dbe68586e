"""A real browser for pages, if there is one."""

import os
import shutil
from contextlib import contextmanager

from processes import HANG

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


@contextmanager
def launched():
    """Give a headless Chromium, driven by Playwright."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        small = ["--disable-dev-shm-usage"]  # as the memory that containers share is
        alone = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=BROWSER, args=small + alone, timeout=1000 * HANG)
        yield browser
        browser.close()
