"""Starts the node of this folder for tests, or says why it cannot."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

HERE = Path(__file__).parent
OLDEST_JDK = 21
PATIENCE = 300.0
"""Seconds for the first start, which downloads and compiles; later ones take about ten."""


def missing() -> str | None:
    """Return why the node cannot be started here; None where it can."""
    if not any(_version(home) >= OLDEST_JDK for home in _homes()):
        return f"no JDK of {OLDEST_JDK} or newer (JAVA_HOME, /usr/lib/jvm, /opt/java): Elasticsearch cannot be started"
    if shutil.which("mvn") is None and not _cached():
        return "no Maven (mvn) to bring Elasticsearch with"
    return None


@contextmanager
def running(folder: Path) -> Iterator[str]:
    """Run a node with its data in ``folder`` and give its URL.

    Raises:
        RuntimeError: it ended, or was not up in time; its last words are in the text.
    """
    port = _unused_port()
    log = folder / "node.log"
    with log.open("wb") as out:
        process = subprocess.Popen(
            [str(HERE / "run"), str(port), str(folder / "home")],
            stdout=out,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    url = f"http://127.0.0.1:{port}"
    try:
        _await(url, process, log)
        yield url
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGTERM)
            try:
                process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


def _await(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if process.poll() is not None:
            break
        try:
            with urllib.request.urlopen(f"{url}/_cluster/health", timeout=5) as answer:
                if answer.status == 200:
                    return
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)
    raise RuntimeError(f"Elasticsearch did not start: {log.read_text(errors='replace')[-2000:]}")


def _homes() -> list[Path]:
    found = [Path(os.environ["JAVA_HOME"])] if os.environ.get("JAVA_HOME") else []
    for folder in ("/usr/lib/jvm", "/opt/java"):
        found += sorted(Path(folder).glob("*"), reverse=True)
    return [home for home in found if (home / "bin/javac").is_file()]


def _version(home: Path) -> int:
    said = subprocess.run([str(home / "bin/javac"), "-version"], capture_output=True, text=True, check=False)
    match = re.search(r"javac (\d+)", said.stdout + said.stderr)
    return int(match[1]) if match else 0


def _cached() -> bool:
    cache = os.environ.get("QX_TEST_CACHE")
    folder = Path(cache) if cache else Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "qx-servers"
    return any(folder.glob("elasticsearch-*"))


def _unused_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
