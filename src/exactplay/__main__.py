"""``python -m exactplay``: the same as the command ``exactplay``."""
from exactplay.cli import main

if __name__ == "__main__":
    main()
