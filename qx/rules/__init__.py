"""Understanding and expanding without a model.  START HERE: ``understand`` reads a query, ``expand`` writes its queries.

What is in the text
    ``reading`` puts together what ``qx.text`` finds; ``names``, ``things`` and ``patterns`` find what is named; ``phrases``
    and ``terms`` look terms of the packs up, in any case, form or synonym; ``bounds`` limits the work.

What it means
    ``intents``, ``kind``, ``moods``, ``needs``, ``readings`` (of ambiguous words); ``constraints`` with ``amounts``;
    ``negations``.

What it speaks of
    ``standalone`` and ``followups`` settle the conversation; ``condense`` shortens; ``cutting`` and ``talk`` say which
    words can go.

What candidates are made of
    ``wording`` (the words that are left) and ``templates``; the strategies themselves are in ``qx.steps.strategies``.

Whether a candidate is true to the query (``qx.steps.guard`` asks)
    ``protection`` what must stay; ``tokens`` and ``figures`` what must stay in one piece; ``drift`` and ``subjects``
    whether it is still about the same; ``variants`` and ``contrasts`` whether it names something else instead;
    ``likeness`` whether it is another query at all; ``fit`` how well it suits.
"""
