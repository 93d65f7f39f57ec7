"""What tenants spend: the budget of a day, which holds across processes, and the ledger of what was spent.

================================  =====================================================================================
``account.py``                    what every paid call passes: reserve before it, settle and record after it
``day_budget.py``                 the day's limits, and the alerts at 80 and 100 %
``ledger_file.py``                the SQLite file behind both
``opening.py``                    an engine's account, from its profile
``sqlite_ledger.py``              the asynchronous face of the file
``routing.py``                    which tier of models a query is worth
================================  =====================================================================================
"""
