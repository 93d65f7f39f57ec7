"""What searching a chat log brings, measured on LoCoMo: ``qx chat eval``.

==================  ====================================================================================================
``locomo.py``       the set: conversations as messages, questions with the turns that hold the answer, known errors
``inmemory.py``     a log in memory, behind the same ranking as the stores
``arms.py``         what is compared: plain BM25, all controls, each of them left out
``planned.py``      the planner, by rules or with a model
``remembered.py``   a structured memory: facts extracted per session, embedded, retrieved
``scoring.py``      recall and precision at so many turns, or so many tokens; intervals
``running.py``      runs the arms; ``report.py`` shows what came out
==================  ====================================================================================================
"""
