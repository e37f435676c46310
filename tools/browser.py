"""A browser for the tests, pictures and measures of the page: `python -m tools.browser` gets Debian's Chromium.

Where it cannot be installed, the run goes on and says what to do; the tests of the page then fail and say it again.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser, BrowserContext, Playwright

NAMES = ("chromium", "chromium-browser", "google-chrome")
MISSING = (
    "The tests of the page need Chromium, and there is none here: install it (on Debian and Ubuntu, as root:\n"
    "  apt-get install chromium\n"
    ") or say where one is: PREAU_BROWSER=/path/to/chromium make test"
)
OFF = [
    # The list below the address bar: two pages that every new window loads, a second of work, where nobody sees them.
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    # What Playwright switches off, once more: only the last list counts.
    "AimEnabled",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",
    "LensOverlay",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
    "ThirdPartyStoragePartitioning",
]
FLAGS = [
    "--no-sandbox",  # containers rarely allow one, and all it opens is our own page
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    f"--disable-features={','.join(OFF)}",
]


def main() -> None:
    """Install Chromium where there is none and this machine lets us."""
    if find() is None and not install():
        print(MISSING)


def find() -> str | None:
    """Where the browser is: $PREAU_BROWSER, or one of the usual names on the PATH."""
    asked = os.environ.get("PREAU_BROWSER")
    return asked or next((path for name in NAMES if (path := shutil.which(name))), None)


def install() -> bool:
    """Install Debian's package; whether that worked."""
    apt, root = shutil.which("apt-get"), as_root()
    if apt is None or root is None:
        return False
    print("installing chromium ...", flush=True)
    command = [*root, "env", "DEBIAN_FRONTEND=noninteractive", apt, "-qq", "-o", "DPkg::Lock::Timeout=300"]
    succeeds(*command, "update")
    return succeeds(*command, "install", "-y", "--no-install-recommends", "chromium")


def as_root() -> list[str] | None:
    """Return the words before a command that root must run; None if this user may not become root."""
    words = ["sudo", "-n"] if os.geteuid() else []
    if words and (shutil.which("sudo") is None or not succeeds(*words, "true")):
        return None
    return words


def succeeds(*command: str) -> bool:
    """Run a program; show what it said if it fails."""
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode:
        print(done.stdout, done.stderr, sep="", end="", flush=True)
    return done.returncode == 0


def launch(playwright: Playwright) -> Browser:
    """The browser, started; RuntimeError says what to do where there is none."""
    return playwright.chromium.launch(executable_path=_path(), args=FLAGS, timeout=120_000)


class OwnBrowser:
    """The browser as somebody has it who comes again: what it keeps is in a folder, also what it has compiled, which a
    window of `launch` forgets. It is started by its one context, and ends with it.
    """

    def __init__(self, playwright: Playwright, folder: Path) -> None:
        self._playwright = playwright
        self._folder = folder

    def new_context(self, **wishes: Any) -> BrowserContext:
        """As of any browser."""
        start = self._playwright.chromium.launch_persistent_context
        return start(self._folder, executable_path=_path(), args=FLAGS, timeout=120_000, **wishes)


def _path() -> str:
    path = find()
    if path is None:
        raise RuntimeError(MISSING)
    return path


if __name__ == "__main__":
    main()
