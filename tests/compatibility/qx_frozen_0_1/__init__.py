"""A plugin as an author wrote it against qx 0.1, one class for each contract.  FROZEN: nobody changes this folder.

``tests/compatibility/test_frozen.py`` keeps it running: what it is given may gain fields, and never loses one.
"""

from qx import Contribution, hookimpl


def _at(**targets: str) -> list[Contribution]:
    return [Contribution(name=f"frozen-{name}", target=f"qx_frozen_0_1.{target}") for name, target in targets.items()]


@hookimpl
def qx_llm_providers():
    return _at(model="parts:Model_")


@hookimpl
def qx_embedders():
    return _at(embedder="parts:Embedder")


@hookimpl
def qx_search_backends():
    return _at(engine="engine:Engine")


@hookimpl
def qx_fusions():
    return _at(fusion="parts:Fusion")


@hookimpl
def qx_domain_packs():
    return [Contribution(name="frozen-pack", target="qx_frozen_0_1:pack.yaml")]


@hookimpl
def qx_intent_taxonomies():
    return [Contribution(name="frozen-taxonomy", target="qx_frozen_0_1:pack.yaml")]


@hookimpl
def qx_post_processors():
    return _at(queries="parts:Queries", hits="parts:Hits")


@hookimpl
def qx_caches():
    return _at(cache="parts:Cache")


@hookimpl
def qx_observers():
    return _at(observer="parts:Observer")


@hookimpl
def qx_steps():
    return _at(strategy="parts:Strategy")


@hookimpl
def qx_fetchers():
    return _at(pages="parts:Pages")


@hookimpl
def qx_profile_sections():
    return [Contribution(name="frozen", target="qx_frozen_0_1.parts:Shelf")]


@hookimpl
def qx_operations():
    return [Contribution(name="frozen.count", target="qx_frozen_0_1.parts:Count")]


@hookimpl
def qx_commands():
    return _at(command="parts:command")
