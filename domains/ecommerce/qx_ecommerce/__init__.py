"""The domain pack ``ecommerce``: nothing but data, which ``pack.yaml`` and the files beside it hold."""
