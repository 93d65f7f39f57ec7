"""Model-free text analysis, Chinese and English alike; usable on its own.

- ``qx.text.clean``: control characters, HTML and repeated punctuation, with offsets that map back.
- ``qx.text.normalise``: folding and similarity for comparison.
- ``qx.text.segment``: words of mixed Chinese and Latin text, content words.
- ``qx.text.language``: the language of a short query.
- ``qx.text.identifiers``: error codes, model numbers, versions, URLs and the like.
- ``qx.text.quotes``: quoted phrases and titles; where a quotation stands in its source.
- ``qx.text.quantities``: money, measures and ranges.
- ``qx.text.times``: dates and relative times.
- ``qx.text.negation``: what a query excludes.
- ``qx.text.redact``: personal data, masked and put back.
- ``qx.text.spelling``: correction of unknown words.
- ``qx.text.lexicons``: the word lists that ship with the package.

No function here raises on any ``str``, broken surrogates included, and all are linear in the length of the text.
"""
