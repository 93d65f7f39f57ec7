"""The tables of a chat log in SQLite, and the steps from one version of them to the next.

A user of a tenant is a scope; its messages are numbered from 0 in the order in which they came.  ``key`` is both in one:
scope * 2**32 + n.  ``columns`` and ``postings`` hold arrays of ``qx_chatlog.index.columns``, in pieces.
The words of a user's last messages, those from ``scopes.indexed`` on, are in ``recent``: a few hundred at a time go to the
postings, which costs a third of adding each alone.
"""

from __future__ import annotations

from typing import Final

APPLICATION: Final = 0x71786368  # "qxch"
SPAN: Final = 1 << 32

MIGRATIONS: Final = (
    """
    CREATE TABLE scopes (
        scope INTEGER PRIMARY KEY AUTOINCREMENT, tenant TEXT NOT NULL, user TEXT NOT NULL,
        messages INTEGER NOT NULL, mark TEXT NOT NULL, changes INTEGER NOT NULL, analysis INTEGER NOT NULL,
        embedded INTEGER NOT NULL DEFAULT 0, indexed INTEGER NOT NULL DEFAULT 0,
        UNIQUE (tenant, user)
    );
    CREATE TABLE messages (
        key INTEGER PRIMARY KEY, scope INTEGER NOT NULL, id TEXT NOT NULL, session INTEGER NOT NULL,
        time INTEGER NOT NULL, zone TEXT NOT NULL, role TEXT NOT NULL, speaker TEXT NOT NULL, type TEXT NOT NULL,
        content TEXT NOT NULL, attachments TEXT, metadata TEXT
    );
    CREATE UNIQUE INDEX messages_id ON messages (scope, id);
    CREATE TABLE sessions (
        scope INTEGER NOT NULL, number INTEGER NOT NULL, id TEXT NOT NULL, PRIMARY KEY (scope, number)
    ) WITHOUT ROWID;
    CREATE UNIQUE INDEX sessions_id ON sessions (scope, id);
    CREATE TABLE labels (
        scope INTEGER NOT NULL, label TEXT NOT NULL, text TEXT NOT NULL, number INTEGER NOT NULL,
        PRIMARY KEY (scope, label, text)
    ) WITHOUT ROWID;
    CREATE TABLE columns (
        scope INTEGER NOT NULL, piece INTEGER NOT NULL, data BLOB NOT NULL, PRIMARY KEY (scope, piece)
    );
    CREATE TABLE postings (
        scope INTEGER NOT NULL, term TEXT NOT NULL, piece INTEGER NOT NULL, data BLOB NOT NULL,
        PRIMARY KEY (scope, term, piece)
    ) WITHOUT ROWID;
    CREATE TABLE recent (key INTEGER PRIMARY KEY, words TEXT NOT NULL);
    CREATE TABLE metadata (
        scope INTEGER NOT NULL, name TEXT NOT NULL, item TEXT NOT NULL, n INTEGER NOT NULL,
        PRIMARY KEY (scope, name, item, n)
    ) WITHOUT ROWID;
    CREATE TABLE vectors (key INTEGER PRIMARY KEY, data BLOB NOT NULL);
    CREATE TABLE embedders (tenant TEXT PRIMARY KEY, fingerprint TEXT NOT NULL);
    CREATE TABLE notes (
        scope INTEGER NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL, number INTEGER NOT NULL,
        item TEXT NOT NULL, message TEXT, time INTEGER NOT NULL, PRIMARY KEY (scope, kind, name, number)
    ) WITHOUT ROWID;
    """,
)
"""Each leads from the version before to its own; ``PRAGMA user_version`` says how many have been done."""

OF_SCOPE: Final = ("sessions", "labels", "columns", "postings", "metadata", "notes")
"""Tables whose rows bear the scope, the messages apart."""
