"""For every test of the repository and its plugins: qx's own folder is a temporary one, and Ctrl-C is heard."""

import signal
from collections.abc import Iterator

import pytest


@pytest.fixture(scope="session", autouse=True)
def own_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """``$QX_HOME``, and where qx would keep its data without it: no test reads or writes what its user has there."""
    folder = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("QX_HOME", str(folder / "qx"))
        patch.setenv("XDG_DATA_HOME", str(folder / "data"))
        patch.setenv("LOCALAPPDATA", str(folder / "data"))
        yield


@pytest.fixture(autouse=True)
def home_of_this_test(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> None:
    """Two tests find nothing of each other's there; the folder is made by the first that writes to it."""
    monkeypatch.setenv("QX_HOME", str(tmp_path_factory.getbasetemp() / "homes" / f"{abs(hash(request.node.nodeid))}"))


@pytest.fixture(scope="session", autouse=True)
def interrupts_are_heard() -> None:
    """A shell that runs the tests in the background has them ignore Ctrl-C, which some of them press."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
