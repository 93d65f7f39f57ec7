"""The sub-commands of ``qx eval``, one file each, with a ``command``."""
