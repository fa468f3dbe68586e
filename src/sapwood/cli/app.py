"""The verbs, put together."""

from typing import Any

import typer

from sapwood.cli import evaluate, generate, inspect, reproduce, tag, train

__all__ = ["command"]


def command() -> Any:
    """Return the click command that typer makes of the verbs."""
    app = typer.Typer(
        name="sapwood",
        help="Small, fast, explainable linear models for language: train, tag, score and look inside.",
        no_args_is_help=True,
        add_completion=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_options)
    app.add_typer(train.app, name="train")
    app.command("tag")(tag.tag)
    app.command("eval")(evaluate.evaluate)
    app.command("inspect")(inspect.inspect)
    app.add_typer(reproduce.app, name="reproduce")
    app.add_typer(generate.app, name="generate")
    return typer.main.get_command(app)


def _show_version(value: bool) -> None:
    if value:
        from sapwood import __version__

        typer.echo(f"sapwood {__version__}")
        raise typer.Exit


def _options(
    version: bool = typer.Option(False, "--version", callback=_show_version, is_eager=True, help="Show the version."),
) -> None:
    pass
