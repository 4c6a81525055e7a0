"""Build of the native core. The metadata is in pyproject.toml.

exactplay.cython_core lives in ./cython_core, a path that does not spell its
dotted name. Cython looks a .pxd up by dotted name only, so the build mirrors
the .pxd files into build/cython_include/exactplay/cython_core and puts that on
Cython's include path.

Environment:
  EXACTPLAY_CFLAGS="-march=native"   extra C flags, for local builds only
  EXACTPLAY_DEBUG=1                  bounds checks on, address and undefined-behaviour sanitizers in
  EXACTPLAY_TRACE=1                  line tracing, for coverage of .pyx files
"""
from __future__ import annotations

import os
import shlex
import shutil
import sys
import sysconfig
from pathlib import Path

from setuptools import Extension, find_packages, setup
from setuptools.command.build_ext import build_ext as _build_ext

PKG = "exactplay"
CORE = f"{PKG}.cython_core"
SHARED = f"{CORE}._cyutility"
DIRS = {PKG: "src/exactplay", CORE: "cython_core", f"{PKG}.solvers": "solvers"}
MIRROR = Path("build/cython_include")
DEBUG = os.environ.get("EXACTPLAY_DEBUG") == "1"
TRACE = os.environ.get("EXACTPLAY_TRACE") == "1"
os.chdir(Path(__file__).parent.resolve())

DIRECTIVES = {
    "language_level": "3",
    "boundscheck": DEBUG,
    "wraparound": False,
    "initializedcheck": DEBUG,
    "cdivision": True,
    "embedsignature": True,
    "embedsignature.format": "python",
    "linetrace": TRACE,
}


def packages() -> list[str]:
    """Every package of the distribution; the symlinks that src/exactplay holds for mypy are not walked twice."""
    out = []
    for name, folder in DIRS.items():
        skip = [n.rpartition(".")[2] for n in DIRS if n.rpartition(".")[0] == name]
        out += [name, *(f"{name}.{p}" for p in find_packages(folder) if p.split(".")[0] not in skip)]
    return out


def mirror_pxd() -> str:
    """Copy .pxd, .pxi and .h files under their dotted path; return the root."""
    top = MIRROR / PKG
    core = MIRROR.joinpath(*CORE.split("."))
    want = set()
    # Regular packages, not namespace ones: Cython searches those first, so an
    # installed exactplay on sys.path never wins over the tree being built.
    rooms = [core / folder.relative_to(DIRS[CORE]) for folder in core_folders()]
    for d in (top, *rooms):
        d.mkdir(parents=True, exist_ok=True)
        (d / "__init__.pxd").touch()
        want.add(d / "__init__.pxd")
    for src in (path for folder in core_folders() for path in sorted(folder.glob("*"))):
        if src.suffix in {".pxd", ".pxi", ".h"}:
            dst = core / src.relative_to(DIRS[CORE])
            want.add(dst)
            if not dst.exists() or dst.read_bytes() != src.read_bytes():
                shutil.copyfile(src, dst)  # new mtime: dependents are rebuilt
    for old in [p for p in top.rglob("*") if p.is_file() and p not in want]:
        old.unlink()
    return str(MIRROR)


def core_folders() -> list[Path]:
    """The native core's folder and those of its packages."""
    root = Path(DIRS[CORE])
    return [root, *sorted(path.parent for path in root.glob("*/__init__.py"))]


class build_ext(_build_ext):
    """Cythonizes only when something is really compiled: not for sdist or metadata."""

    def build_extensions(self) -> None:
        """Run Cython, then the compiler."""
        try:
            from Cython.Build import cythonize
        except ImportError:
            raise SystemExit("Cython is missing: pip install 'Cython>=3.3,<4'") from None
        cargs, largs = self._flags()
        self._require_compiler()
        kw = {} if TRACE else {"shared_utility_qualified_name": SHARED}
        if TRACE:  # Cython.Coverage cannot follow the shared module
            self.extensions = [e for e in self.extensions if e.name != SHARED]
        done = cythonize(
            [
                Extension(e.name, list(e.sources), include_dirs=list(e.include_dirs), depends=list(e.depends))
                for e in self.extensions
            ],
            include_path=[mirror_pxd()],
            # Cython.Coverage wants the .c beside the .pyx
            build_dir=None if TRACE else "build/cython",
            compiler_directives=DIRECTIVES,
            emit_linenums=DEBUG,
            force=bool(self.force),
            **kw,
        )
        by_name = {e.name: e for e in done}
        for ext in self.extensions:
            ext.sources = by_name[ext.name].sources
            ext.depends = by_name[ext.name].depends
            ext.extra_compile_args = [*cargs, *ext.extra_compile_args]
            ext.extra_link_args = [*largs, *ext.extra_link_args]
            if TRACE:
                ext.define_macros.append(("CYTHON_TRACE_NOGIL", "1"))
        super().build_extensions()

    def _flags(self) -> tuple[list[str], list[str]]:
        if self.compiler.compiler_type == "msvc":
            cargs, largs = ["/O2"], []
        else:
            # No contraction to fused multiply-adds: every flavour of a kernel gives the same bits.
            cargs, largs = ["-O3", "-g0", "-ffp-contract=off"], ["-Wl,-s"] if sys.platform == "linux" else []
            if DEBUG:
                sanitize = ["-fsanitize=address,undefined,float-cast-overflow", "-fno-sanitize-recover=all"]
                # Python's own flags define signed overflow (-fwrapv); the sanitizer then says nothing about it.
                cargs = ["-O1", "-g", "-fno-wrapv", "-fno-omit-frame-pointer", "-ffp-contract=off", *sanitize]
                largs = sanitize
        return cargs + shlex.split(os.environ.get("EXACTPLAY_CFLAGS", "")), largs

    def _require_compiler(self) -> None:
        """End with one clear line where no C compiler answers, or Python's headers are missing."""
        command = getattr(self.compiler, "compiler_so", None)
        if command and shutil.which(command[0]) is None:
            raise SystemExit(
                f"exactplay needs a C compiler to install, and {command[0]!r} was not found: "
                "install gcc or clang (Debian: apt install build-essential; macOS: xcode-select --install)"
            )
        header = Path(sysconfig.get_path("include"), "Python.h")
        if not header.exists():
            raise SystemExit(
                f"exactplay needs Python's headers to install, and {header} is missing (Debian: apt install python3-dev)"
            )


headers = sorted(p.as_posix() for folder in core_folders() for p in folder.glob("*.h"))
extensions = [
    Extension(
        ".".join((CORE, *p.relative_to(DIRS[CORE]).with_suffix("").parts)), [p.as_posix()],
        include_dirs=[DIRS[CORE]], depends=headers,
    )
    for folder in core_folders() for p in sorted(folder.glob("*.pyx"))
]
extensions.insert(0, Extension(SHARED, []))

setup(
    packages=packages(),
    package_dir=DIRS,
    ext_modules=extensions,
    cmdclass={"build_ext": build_ext},
)
