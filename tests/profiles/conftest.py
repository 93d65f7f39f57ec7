import textwrap
from pathlib import Path
from typing import Any

import pytest

from qx.errors import ProfileError
from qx.plugins import Plugins
from qx.profiles import explain_profile, load_profile
from qx.settings import Profile


class Folder:
    """The working directory, with an environment of its own; ``home`` is ``$QX_HOME``."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.home = root / "qx-home"
        self.env: dict[str, str] = {"QX_HOME": str(self.home)}

    def write(self, path: str, text: str) -> Path:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(textwrap.dedent(text).lstrip("\n"), encoding="utf-8")
        return file

    def profile(self, text: str, **options: Any) -> Profile:
        """Load ``text`` as the profile ``acme``."""
        return load_profile(self.write("profiles/acme.yaml", text), env=self.env, **options)

    def refused(self, text: str, **options: Any) -> ProfileError:
        """The error that ``text`` as the profile ``acme`` gives."""
        with pytest.raises(ProfileError) as caught:
            self.profile(text, **options)
        return caught.value

    def load(self, name: str | Path | None, **options: Any) -> Profile:
        return load_profile(name, env=self.env, **options)

    def sources(self, name: str | Path | None, **options: Any) -> dict[str, tuple[Any, str]]:
        return {s.path: (s.value, s.source) for s in explain_profile(name, env=self.env, **options)}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Folder:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("QX_ALLOW_PATHS", raising=False)
    return Folder(tmp_path)


@pytest.fixture(scope="session")
def built_in() -> Plugins:
    return Plugins.load(allow=())
