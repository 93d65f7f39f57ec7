"""An external search engine beside the store: it proposes, the store decides."""
