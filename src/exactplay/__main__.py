"""``python -m exactplay`` and the command ``exactplay``."""
import sys


def main() -> None:
    """Run the command line; Ctrl-C while it is still being imported ends in one line, too."""
    try:
        from exactplay.cli import main as run
    except KeyboardInterrupt:
        print("\nexactplay: interrupted", file=sys.stderr)
        raise SystemExit(130) from None
    raise SystemExit(run())


if __name__ == "__main__":
    main()
