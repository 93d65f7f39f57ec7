"""``qx_chatlog``: finds things in raw chat logs.  The section ``chat:`` of profiles, and operations and commands ``chat.…``.

==================  ====================================================================================================
``message.py``      messages as they were written, and as they were found
``store.py``        the contract of a store; ``sqlite/`` and ``postgres/`` keep it
``log.py``          the log as one principal sees it within one request
``when.py``         times in the user's own words
``importing/``      reading chat logs of other programs
``commands/``       import, export, delete, stats, embed
``tools/``          the tools of people and models: search, around, sessions
``asking/``         a question answered in rounds, with checked citations
==================  ====================================================================================================
"""

from __future__ import annotations

from typing import Any

from qx.hookspecs import Contribution, hookimpl


@hookimpl
def qx_profile_sections() -> list[Contribution[Any]]:
    return [Contribution(name="chat", target="qx_chatlog.section:ChatSection", help="Where chat logs are kept.")]


@hookimpl
def qx_operations() -> list[Contribution[Any]]:
    tools = "qx_chatlog.tools.operations"
    return [
        Contribution(name="chat.search", target=f"{tools}:Search", help="Find messages."),
        Contribution(name="chat.around", target=f"{tools}:Around", help="Read what was said around a message."),
        Contribution(name="chat.keyword-search", target=f"{tools}:KeywordSearch", help="Find messages by words."),
        Contribution(name="chat.semantic-search", target=f"{tools}:SemanticSearch", help="Find messages by meaning."),
        Contribution(name="chat.hybrid-search", target=f"{tools}:HybridSearch", help="Find messages by both."),
        Contribution(name="chat.search-around", target=f"{tools}:SearchAround", help="Read around a message or time."),
        Contribution(name="chat.list-sessions", target=f"{tools}:ListSessions", help="List conversations."),
        Contribution(name="chat.read-session", target=f"{tools}:ReadSession", help="Read a conversation."),
        Contribution(name="chat.ask", target="qx_chatlog.asking.operation:Ask", help="Answer a question."),
        Contribution(name="chat.recall", target="qx_chatlog.asking.recall:Recall", help="Brief another agent."),
        Contribution(name="chat.fact", target="qx_chatlog.beside.fact_operation:Fact", help="Facts beside the log."),
        Contribution(name="chat.highlights", target="qx_chatlog.beside.highlights:Highlights", help="Tagged messages."),
        Contribution(name="chat.tag", target="qx_chatlog.beside.highlights:Tag", help="Tag messages by rules."),
        Contribution(
            name="chat.recurrences",
            target="qx_chatlog.beside.recurrence_operation:Recurrences",
            help="Trouble that came back.",
        ),
    ]


@hookimpl
def qx_observers() -> list[Contribution[Any]]:
    return [Contribution(name="chat-tickets", target="qx_chatlog.beside.tickets:TicketFile", help="Tickets in a file.")]


@hookimpl
def qx_commands() -> list[Contribution[Any]]:
    keeping = "qx_chatlog.commands.keeping"
    return [
        Contribution(
            name="chat.import", target="qx_chatlog.commands.importing:import_", help="Add messages of a file."
        ),
        Contribution(name="chat.export", target=f"{keeping}:export", help="Print a user's messages as JSON lines."),
        Contribution(name="chat.delete", target=f"{keeping}:delete", help="Remove a user's messages."),
        Contribution(name="chat.stats", target=f"{keeping}:stats", help="Say what there is of a user."),
        Contribution(
            name="chat.synchronise", target=f"{keeping}:synchronise", help="Send a user's messages to the engine."
        ),
        Contribution(name="chat.embed", target=f"{keeping}:embed", help="Make vectors of new messages."),
        Contribution(name="chat.ask", target="qx_chatlog.asking.command:ask", help="Answer a question."),
        Contribution(name="chat.eval", target="qx_chatlog.evaluation.command:eval_", help="Measure it on LoCoMo."),
        Contribution(name="chat.fact", target="qx_chatlog.beside.fact_command:fact", help="Facts beside the log."),
        Contribution(name="chat.reveal", target="qx_chatlog.revealing:reveal", help="Put back what was hidden."),
    ]
