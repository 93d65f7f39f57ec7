"""Understanding and expanding without a model.  START HERE: ``understand`` reads a query, ``expand`` writes its queries.

What is in the text
    ``reading`` puts together what ``qx.text`` finds; ``names``, ``things`` and ``patterns`` find what is named;
    ``titled`` are words that belong to a name; ``kinds`` says what an entity is a kind of; ``phrases`` and ``terms``
    look terms of the packs up, in any case, form or synonym; ``bounds`` limits the work, and ``shared`` compiles rules
    once.

What it means
    ``intents``, with ``cues`` (the packs' words, weighed), ``structure`` (what things and limits say of them), ``asked``
    (which no single cue says), ``uncued`` (where no cue speaks), ``tasks`` (the name of one), and the troubles that are
    merely told: ``undone`` (不脱水), ``mishaps`` (膝盖响) and ``statements`` ("cursor jumps around"; Chinese ones in
    ``statements_zh``, what they are news of in ``statements_kinds``);
    ``kind``, ``moods``, ``needs``, ``readings`` (of ambiguous words), ``signals`` (priority, tone);
    ``unmeant`` are words that name a wish or a fault and do not mean it; ``scripts`` writes needs in the query's
    characters.

What limits it
    ``constraints``, from ``amounts``, ``memories`` (and storage), ``sizes`` (of clothes), ``dates``, ``plans`` (dates of
    what is to come), ``compared_years`` and ``stated`` (by patterns of the packs); ``negations`` and ``ruled_out`` say what is not wanted, ``softened`` what is
    not to be too much, ``preferred`` what is only wished for.

What it speaks of
    ``standalone``, ``followups`` and ``replacements`` settle the conversation; ``condense`` shortens; ``cutting`` and
    ``talk`` say which words can go.

What candidates are made of
    ``wording`` (the words that are left), ``attributes`` (what a question asks for, by name), ``templates``,
    ``platforms`` (where to look) and ``respelling`` (of measures); the strategies themselves are in ``qx.steps.strategies``.

Whether a candidate is true to the query (``qx.steps.guard`` asks)
    ``protection`` what must stay; ``tokens`` and ``figures`` what must stay in one piece; ``drift`` and ``subjects``
    whether it is still about the same; ``demands`` whether it asks what the query does not; ``variants`` and
    ``contrasts`` whether it names something else instead; ``likeness`` whether it is another query at all; ``fit`` how
    well it suits.
"""
