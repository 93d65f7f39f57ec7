"""The leak checks must be able to fail: each runs on a test that leaves something behind."""

import subprocess
import sys
from pathlib import Path

import pytest

CONFTEST = "from qx.testing.leaks import *\n"

LEAVES = {
    "task": """
        import asyncio
        async def test_it():
            globals()["kept"] = asyncio.ensure_future(asyncio.sleep(1000))
    """,
    "thread": """
        import threading
        def test_it():
            threading.Thread(target=threading.Event().wait, args=(20,), daemon=True).start()
    """,
    "socket": """
        import socket
        kept = []
        def test_it():
            kept.append(socket.socket())
    """,
}


def run(folder: Path, test: str) -> subprocess.CompletedProcess[str]:
    import textwrap

    (folder / "conftest.py").write_text(CONFTEST)
    (folder / "pytest.ini").write_text("[pytest]\nasyncio_mode = auto\nasyncio_default_fixture_loop_scope = function\n")
    (folder / "test_it.py").write_text(textwrap.dedent(test))
    command = [sys.executable, "-m", "pytest", "-q", "-p", "qx.testing", "-p", "no:cacheprovider", "."]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=60)


@pytest.mark.slow
@pytest.mark.parametrize("what", sorted(LEAVES))
def test_what_is_left_behind_fails_the_test(tmp_path: Path, what: str) -> None:
    result = run(tmp_path, LEAVES[what])
    assert result.returncode == 1, result.stdout
    assert "left after the test" in result.stdout
    assert what in result.stdout


def test_importing_the_testing_package_is_light() -> None:
    code = """
import sys
import qx.testing
heavy = {"pytest", "aiohttp", "pydantic", "qx.settings", "asyncio"} & set(sys.modules)
sys.exit(str(heavy) if heavy else 0)
"""
    subprocess.run([sys.executable, "-c", code], check=True)
