"""Fetching pages from the open web, safely.

================================  =====================================================================================
``web_pages.py``                  START HERE: the fetcher ``http``, every hop checked and pinned before it is gone
``addresses.py``                  which addresses a page may come from
``robots.py``                     what sites ask of robots
``inflating.py``                  compressed bodies, a step at a time
``reading.py``                    from bytes to text: HTML, PDF, plain
================================  =====================================================================================
"""
