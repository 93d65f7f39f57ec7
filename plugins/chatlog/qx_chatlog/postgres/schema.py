"""The tables of a chat log in PostgreSQL, and the steps from one version of them to the next.

As in SQLite a user of a tenant is a scope, whose messages are numbered from 0.  ``words`` holds the words of a message,
cut by ``qx_chatlog.index.analysis``, each behind its scope (``12:budget``), so that the index keeps every user's words
apart; a word that is there more than once has a second lexeme (``12+budget``).
"""

from __future__ import annotations

from typing import Final

LOCK: Final = 0x71786368
"""The advisory lock under which tables are made."""

MIGRATIONS: Final = (
    """
    CREATE TABLE chat_scopes (
        scope bigserial PRIMARY KEY, tenant text NOT NULL, usr text NOT NULL, messages int NOT NULL DEFAULT 0,
        mark text NOT NULL, changes bigint NOT NULL DEFAULT 0, analysis int NOT NULL, embedded int NOT NULL DEFAULT 0,
        UNIQUE (tenant, usr)
    );
    CREATE TABLE chat_messages (
        scope bigint NOT NULL, n int NOT NULL, id text NOT NULL, session int NOT NULL, time bigint NOT NULL,
        zone text NOT NULL, role text NOT NULL, speaker text NOT NULL, type text NOT NULL, content text NOT NULL,
        attachments text, metadata text, words tsvector NOT NULL, PRIMARY KEY (scope, n)
    );
    CREATE UNIQUE INDEX chat_messages_id ON chat_messages (scope, id);
    CREATE INDEX chat_messages_words ON chat_messages USING gin (words);
    CREATE TABLE chat_sessions (
        scope bigint NOT NULL, number int NOT NULL, id text NOT NULL, PRIMARY KEY (scope, number), UNIQUE (scope, id)
    );
    CREATE TABLE chat_labels (
        scope bigint NOT NULL, label text NOT NULL, text text NOT NULL, number int NOT NULL,
        PRIMARY KEY (scope, label, text)
    );
    CREATE TABLE chat_columns (
        scope bigint NOT NULL, piece int NOT NULL, data bytea NOT NULL, PRIMARY KEY (scope, piece)
    );
    CREATE TABLE chat_metadata (scope bigint NOT NULL, name text NOT NULL, item text NOT NULL, n int NOT NULL);
    CREATE INDEX chat_metadata_item ON chat_metadata (scope, md5(name), md5(item));
    CREATE TABLE chat_vectors (scope bigint NOT NULL, n int NOT NULL, data bytea NOT NULL, PRIMARY KEY (scope, n));
    CREATE TABLE chat_embedders (tenant text PRIMARY KEY, fingerprint text NOT NULL);
    CREATE TABLE chat_notes (
        scope bigint NOT NULL, kind text NOT NULL, name text NOT NULL, number int NOT NULL, item text NOT NULL,
        message text, time bigint NOT NULL, PRIMARY KEY (scope, number)
    );
    """,
)
"""Each leads from the version before to its own; the table ``chat_version`` says how many have been done."""

OF_SCOPE: Final = (
    "chat_vectors", "chat_messages", "chat_sessions", "chat_labels", "chat_columns", "chat_metadata", "chat_notes",
)  # fmt: skip
"""Tables whose rows bear the scope."""
