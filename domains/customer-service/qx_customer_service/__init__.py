"""The domain pack ``customer-service``: what qx knows of a help desk, as data."""
