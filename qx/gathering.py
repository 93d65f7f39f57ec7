"""What a profile comes to before anything of it is opened: its packs merged, its prompts compiled, its sense checked."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from qx.containment import within
from qx.domain import Knowledge, merge
from qx.errors import ProfileError
from qx.packs import ReadPack, load_domains
from qx.paths import profile_folders
from qx.plugins import Plugins
from qx.profiles.own_settings import IMPORTING
from qx.serial import EMPTY
from qx.settings import Profile
from qx.spending.account import check_budget
from qx.steps.prompt import PromptBook
from qx.synonym_files import expanded


def check(profile: Profile, plugins: Plugins, read: Mapping[str, ReadPack] = EMPTY) -> None:
    """Check a loaded profile further, as far as that goes without opening anything: packs, prompts and strategies.

    Raises:
        ProfileError, PackError, PluginError: something is wrong.
    """
    plugins = plugins.only(profile.plugins)
    check_opening(profile)
    prompt_book(profile, gather_knowledge(profile, plugins, read))
    for name in profile.expand.strategies or ():
        within(IMPORTING, f"loading the strategy {name!r}", partial(plugins.registry("strategies").get, name))


def check_opening(profile: Profile) -> None:
    """Check what keeps a profile from working whose values are all right.

    Raises:
        ProfileError: a mode needs a model and there is none, or the day's budget cannot be kept.
    """
    for section, mode in (("understand", profile.understand.mode), ("expand", profile.expand.mode)):
        if mode in ("llm", "llm-single") and profile.llm is None:
            raise ProfileError(
                f"{section}.mode is {mode}, but the profile names no model",
                file=str(profile.source) if profile.source else None,
                hint="add an `llm:` block, set OPENAI_API_KEY, or use mode rules or auto",
            )
    check_budget(profile)


def prompt_book(profile: Profile, knowledge: Knowledge) -> PromptBook:
    """Compile the prompts of ``profile``."""
    settings = profile.understand
    return PromptBook(knowledge, profile.prompts, examples=settings.examples, example_tokens=settings.example_tokens)


def gather_knowledge(profile: Profile, plugins: Plugins, read: Mapping[str, ReadPack] = EMPTY) -> Knowledge:
    """Load the profile's packs and merge them, the general one last, with the profile's own words.

    Args:
        profile: Whose packs.
        plugins: What is installed.
        read: Packs that are read already (``Loaded.packs``).

    Raises:
        PackError, PluginError: a pack is wrong or not there.
        ProfileError: a file of synonyms is.
    """
    words = expanded(profile.synonyms, profile.folder, allowed=profile_folders(profile.folder))
    return merge(load_domains(profile, plugins, read), synonyms=words, lexicon=profile.lexicon)
