"""``exactplay completion SHELL``: the script that completes commands and options."""
from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from exactplay.cli import COMPLETION, PROGRAM

SHELLS = ("bash", "zsh", "fish")


@click.command(
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Print the script that completes commands and options in a shell.\n\n"
    'For bash: eval "$(exactplay completion bash)", in ~/.bashrc to keep it.',
)
@click.argument("shell", type=click.Choice(SHELLS))
def completion(shell: str) -> None:
    """Print the script of a shell."""
    kind = get_completion_class(shell)
    assert kind is not None
    print(kind(click.get_current_context().find_root().command, {}, PROGRAM, COMPLETION).source())
