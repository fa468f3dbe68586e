"""The verbs, put together. A verb's file is imported when it is asked for."""

from importlib import import_module

import click

from sapwood import __version__

__all__ = ["LazyGroup", "sapwood"]


class LazyGroup(click.Group):
    """A group whose commands are ``module:name`` strings until one of them is needed."""

    def __init__(self, *, verbs: dict[str, str], **settings: object) -> None:
        super().__init__(**settings)  # type: ignore[arg-type]
        self._verbs = verbs

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the verbs in the order in which they were given."""
        return list(self._verbs)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a verb."""
        if cmd_name not in self._verbs:
            return None
        module, _, name = self._verbs[cmd_name].partition(":")
        command: click.Command = getattr(import_module(f"sapwood.cli.{module}"), name)
        return command


sapwood = click.version_option(__version__, message="sapwood %(version)s")(
    LazyGroup(
        name="sapwood",
        help="Small, fast, explainable linear models for language: train, tag, score and look inside.",
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110, "show_default": True},
        verbs={
            "train": "train:train",
            "tag": "tag:tag",
            "eval": "evaluate:evaluate",
            "inspect": "inspect:inspect",
            "reproduce": "reproduce:reproduce",
            "generate": "generate:generate",
        },
    )
)
