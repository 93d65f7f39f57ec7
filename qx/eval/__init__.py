"""Proof: whether expanding a query beats not doing it, on queries of your own (extra ``eval``).

================================  =====================================================================================
``values.py``                     what flows: ``Dataset`` -> ``Condition`` -> ``Row`` -> ``Report``
``datasets/``                     one file a format: BEIR, TREC, clicks, a bare list of queries
``kinds.py``                      the kind of each query, by which every table is divided
``conditions.py``                 no expansion, profiles, ablations, baselines
``running.py``                    runs conditions over a dataset: concurrent, resumable; ``run_folder.py`` has the rows
``idle.py``                       ablations that need not be run: of strategies that write no query of the dataset
``kept.py``                       what models and engines answered, so that nobody is asked the same twice
``presence.py``, ``waiting.py``   whether the right index is searched; what must not hang on a busy machine
``measures.py``                   nDCG, recall, ... by ir-measures; zero results, overlap, what each query brought
``comparing.py``                  paired differences, bootstrap intervals, correction for many comparisons
``reporting.py``, ``notes.py``    one ``Report`` of all rows, and what counts against its figures; ``deciding.py`` decides
``gate.py``                       ``--fail-if``
================================  =====================================================================================
"""
