"""Types of entities of which a plain statement is news, and of which it is a trouble (``statements``)."""

NEWS = frozenset(
    {"brand", "place", "media", "person", "topic", "organisation", "event", "arxiv", "doi", "quote", "title"}
)
"""What one reads of: what is told of it is no trouble of one's own."""
OWNED = frozenset({"product", "component", "device", "appliance", "animal", "technology", "service", "food", "part", "body", "fault", "symptom"})  # fmt: skip
"""What one has."""

__all__ = ["NEWS", "OWNED"]
