"""Ways of putting hits in a better order, one file each, for the processor ``rerank``."""
