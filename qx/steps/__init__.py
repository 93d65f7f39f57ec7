"""The steps of a request, each with one job, and what they are made of.

``understand``: Query -> Understanding
    ``ask`` asks the model (``prompt``, ``drafts``), ``reconcile`` holds its answer against the query.

``expand``: Understood -> Expansion
    ``abstain`` leaves a query alone; ``strategies`` write candidates by rules, ``batch`` and ``iterate`` let a model write
    them, ``instructions`` knows what was read out of the prompt, ``mix`` shares the places out.  Whoever wrote a
    candidate, it passes ``guard``, and then the profile's own ``processors``.

``search``: Expansion -> Rankings
    ``requests`` says what is asked, ``exclusions`` what is ruled out in words, ``grounding`` what the index holds of it;
    ``lowering`` says it in one backend's names; ``fanout`` asks them all, ``vectors`` by meaning too; ``listing`` reads
    their answers; ``pace`` remembers how long they took.

``fuse``: Rankings -> one Ranking; ``sorting`` where the caller wants an order of the fields.

``process``: Ranking -> Ranking, through the profile's hit processors.

The order in which ``guard`` looks, cheapest first; the first reason found is the one that is told:

1. nothing is left of the text, or it is too long;
2. a number or identifier is changed, or what the query excludes is asked for (``qx.rules.protection``);
3. something that means anything only in one piece is taken apart (``qx.rules.tokens``);
4. a word of exclusion stands twice, or half of an exclusion is gone;
5. it is in another language (but for ``translate``);
6. it puts something else in the place of what was asked for, shares nothing with the query, or loses its subject
   (``qx.rules.variants``, ``contrasts``, ``drift``, ``subjects``);
7. it loses what must stay, or says the contrary (but for single parts of ``decompose``);
8. then over all candidates: parts that leave something out together, and at last what is one query with a better one
   (``qx.rules.likeness``).
"""
