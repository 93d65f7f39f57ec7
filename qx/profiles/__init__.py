"""Profiles: found, inherited, validated, explained.  ``loading`` is where to start."""

from qx.profiles.files import ProfileFile, find, list_profiles
from qx.profiles.loading import Loaded, explain_profile, fingerprint, load, load_profile
from qx.profiles.provenance import Difference, Setting, differences, shown
from qx.profiles.schema import profile_schema

__all__ = [
    "Difference",
    "Loaded",
    "ProfileFile",
    "Setting",
    "differences",
    "explain_profile",
    "find",
    "fingerprint",
    "list_profiles",
    "load",
    "load_profile",
    "profile_schema",
    "shown",
]
