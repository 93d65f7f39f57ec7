"""Commands of ``qx chat`` for the operator: import, export, delete, stats, embed."""
