"""Tests that a third party's class inherits: subclass, override one fixture, and the contract is tested."""
