"""Search backends over documents that are held in memory: for a file format, a small collection, a test.

``InMemoryBackend`` searches documents that it is given.  ``FileBackend`` reads them from a file in a format of yours,
``WritableFileBackend`` also writes them there: a subclass says how to ``read`` (and ``write``), the rest of the contract
(words in both languages, BM25, expressions, filters, sorting, counts, spelling) is here.  Every search looks at every
document: 10,000 of 66 words are read in 0.5 s and searched in 75 ms, and ten times that takes ten times as long.  Beyond
that there is ``type: local``.

================================  =====================================================================================
``backend.py``                    START HERE: one search, from the request to the response
``file.py``                       the same over a file, read again when it changes
``writing.py``                    adding and deleting documents
``entry.py``, ``types.py``        a document as it is held, and the types of its fields
``words.py``                      texts as tokens, in both languages
``matching.py``, ``ranking.py``   which documents an expression matches, and how well (BM25F)
``sorting.py``                    the caller's own order, and counts of values
================================  =====================================================================================
"""

from qx.in_memory.backend import InMemoryBackend
from qx.in_memory.file import FileBackend, FileSettings, WritableFileBackend
from qx.in_memory.writing import Written

__all__ = ["FileBackend", "FileSettings", "InMemoryBackend", "WritableFileBackend", "Written"]
