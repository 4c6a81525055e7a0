"""The pages: one frame around each game's script, so that the ways between them stand once."""
from __future__ import annotations

import re
from html import escape
from pathlib import Path
from string import Template

STATIC = Path(__file__).parent / "static"

#: name -> how the way to its page is called, its heading, its own style sheet, and what it offers
GAMES: dict[str, tuple[str, str, str, str]] = {
    "winston84": (
        "Winston 1984", "Winston: Nineteen Eighty-Four", "winston84.css",
        "The dice and the route sheet: which die to place now, and what every other decision would cost.",
    ),
    "winkeladvokat": (
        "Winkeladvokat", "Winkeladvokat", "winkeladvokat.css",
        "Detours, Articles and captures: set up a position, have it solved, play against the engine.",
    ),
    "winner": (
        "Winner", "Winner (Zheng Shangyou)", "cards.css",
        "A climbing game: what to play with hidden hands, and exact play with open ones.",
    ),
    "winston_dogs": (
        "Winston", "Winston, the dog cards", "cards.css",
        "Collect dogs: the best turn for your hand, and how sure that is.",
    ),
    "walk_the_dogs": (
        "Walk the Dogs", "Walk the Dogs", "cards.css",
        "Five in a row: which card to play, and what it brings.",
    ),
}

_FRAME = Template("""\
<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>$title</title>
  <link rel="icon" href="/icon.svg" type="image/svg+xml">
  $links
</head>
<body>
  <a class="skip" href="#app">To the game</a>
  <nav aria-label="Games">
    <ul>$ways</ul>
  </nav>
  $main
  <footer>exactplay: every value says whether it is exact, a proven bound or an average.
    Nothing leaves this machine.</footer>
</body>
</html>
""")

_GAME = Template("""\
<main>
    <h1>$heading</h1>
    <p id="problem" role="alert"></p>
    <div id="app"><noscript>This page needs JavaScript, which comes from this server only.</noscript></div>
  </main>""")

_HERE = ' aria-current="page"'

_INDEX = Template("""\
<main id="app">
    <h1>Exact best play for five tabletop games</h1>
    <ul class="games">$games</ul>
    <p>Under the pages lies a JSON API, described in <a href="/api/openapi.json">openapi.json</a>.</p>
  </main>""")


def index() -> str:
    """The first page."""
    games = "\n".join(
        f'<li><a href="/{name}.html"><strong>{escape(heading)}</strong></a><br>{escape(offers)}</li>'
        for name, (_, heading, _, offers) in GAMES.items()
    )
    return _framed("/", "exactplay", _links(), _INDEX.substitute(games=games))


def page(name: str) -> str:
    """The page of a game."""
    _, heading, style, _ = GAMES[name]
    # The browser asks for all modules at once, where it would else see each one's imports only when it has come.
    modules = [f'<link rel="modulepreload" href="/{module}">' for module in sorted(_imported(f"{name}.js"))]
    links = _links(style, *modules, f'<script type="module" src="/{name}.js"></script>')
    return _framed(f"/{name}.html", f"{escape(heading)} - exactplay", links, _GAME.substitute(heading=escape(heading)))


def _framed(path: str, title: str, links: str, main: str) -> str:
    ways = {"/": "All games", **{f"/{name}.html": called for name, (called, *_) in GAMES.items()}}
    shown = "\n".join(
        f'<li><a href="{to}"{_HERE if to == path else ""}>{escape(called)}</a></li>'
        for to, called in ways.items()
    )
    return _FRAME.substitute(title=title, links=links, ways=shown, main=main)


def _links(style: str | None = None, *more: str) -> str:
    sheets = ["/app.css", "/drawing.css", *([] if style is None else [f"/{style}"])]
    return "\n  ".join([*(f'<link rel="stylesheet" href="{sheet}">' for sheet in sheets), *more])


def _imported(script: str) -> set[str]:
    """The modules that a script imports, and those that these import."""
    found: set[str] = set()
    left = [script]
    while left:
        at = left.pop()
        for name in re.findall(r'from "(\./[^"]+)"|^import "(\./[^"]+)"', (STATIC / at).read_text(encoding="utf-8"), re.M):
            module = (Path(at).parent / (name[0] or name[1])).as_posix()
            if module not in found:
                found.add(module)
                left.append(module)
    return found
