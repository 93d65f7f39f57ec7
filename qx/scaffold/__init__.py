"""``qx new``: complete packages of plugins, made from templates, whose tests pass at once."""

from qx.scaffold.project import KINDS, Project, project, write

__all__ = ["KINDS", "Project", "project", "write"]
