"""What makes a hit spam: named detectors, one file each, and their word lists under ``data``.

A detector looks at one ``Page`` and returns why it is spam, or None.  What the query itself speaks of never counts
against a page: who asks for coupons, captchas or 404 pages wants to read about them.
"""
