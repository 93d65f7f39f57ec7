"""The built-in strategies, one file each: a class without arguments that implements ``qx.strategy.Strategy``.

Other words for the same
    ``spelling``, ``keywords``, ``synonym`` (with ``substitution``: where words may be exchanged), ``boolean``, ``site``.

Less, more or only a part of it
    ``generalize``, ``refine``, ``decompose``, ``senses``.

By a model (with ``asking``; only where the profile names them)
    ``translate``, ``step_back``, ``pseudo_document``.

By what is found
    ``feedback`` reads the first hits of a search.

``candidates`` says how a strategy writes what it proposes.  Which strategies suit a query is chosen in
``qx.rules.expand``; what they propose passes ``qx.steps.guard``.
"""
