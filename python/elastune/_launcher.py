"""Starts the command of this package with the Java runtime of elastune-runtime.

The package has the files of a release, whose launcher is a shell script. It is told which Java to use,
and where to keep the class archives that make later starts faster: in the user's cache, because the
folder of an installation is often not writable.
"""

import os
import sys
import zlib
from typing import Dict, List, NoReturn

_RELEASE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "release")
_ORIGIN = "origin"


def main() -> NoReturn:
    """Replaces this process with the command, whose arguments are those of this process."""
    command, variables = start(sys.argv[1:], sys.argv[0])
    sys.stdout.flush()
    os.execve(command[0], command, {**os.environ, **variables})


def start(arguments: List[str], program: str = "") -> "tuple[List[str], Dict[str, str]]":
    """Returns a command and the environment variables that it needs in addition.

    program is the name under which Python was started, if it was started for this command.
    """
    reason = refusal()
    if reason:
        raise SystemExit(reason)
    from elastune_runtime import JAVA_HOME

    launcher = os.path.join(_RELEASE, "elastune")
    variables = {"ELASTUNE_WHEEL_JAVA": JAVA_HOME, "ELASTUNE_WHEEL_ARCHIVES": _archives(JAVA_HOME)}
    if "ELASTUNE_LAUNCHER" not in os.environ:
        variables["ELASTUNE_LAUNCHER"] = _installed_command(program)
    return ["/bin/sh", launcher, *arguments], variables


def refusal() -> str:
    """Returns in one line why this system cannot start Elastune, or nothing."""
    if sys.platform == "win32":
        return "elastune: Windows is not supported. Install it in WSL2: https://aka.ms/wsl"
    if sys.platform.startswith("linux") and not _glibc():
        return "elastune: This system has no glibc, which the Java runtime needs. Use an image with glibc, such as Debian."
    if not os.path.isdir(_RELEASE):  # the wheel for all other systems: see WheelBuild
        return (
            f"elastune: The place of installation has no wheel for {_system()}. Build one from a JDK for it, "
            "or use the release zip with Java 17: see docs/install.md."
        )
    return ""


def _glibc() -> str:
    try:
        return os.confstr("CS_GNU_LIBC_VERSION") or ""
    except (OSError, ValueError):
        return ""


def _system() -> str:
    import sysconfig

    return " with ".join(filter(None, [sysconfig.get_platform(), _glibc() if sys.platform != "darwin" else ""]))


def _installed_command(program: str) -> str:
    """Returns a program that starts Elastune without other settings, for timers and services."""
    import shutil

    found = shutil.which(program) if os.path.basename(program) == "elastune" else None
    beside = os.path.join(os.path.dirname(sys.executable), "elastune")
    return os.path.abspath(found or (beside if os.access(beside, os.X_OK) else "elastune"))


def _archives(runtime: str) -> str:
    """Returns the folder for the class archives of this installation, which may be impossible to write."""
    from ._private import private_folder  # not above: Windows lacks its modules, and must get the reason

    home = os.path.expanduser("~")
    mac = os.path.join(home, "Library", "Caches")
    cache = os.environ.get("XDG_CACHE_HOME") or (mac if sys.platform == "darwin" else os.path.join(home, ".cache"))
    base = os.path.join(cache, "elastune")
    folder = os.path.join(base, _installation(runtime))
    try:
        private_folder(base)  # an archive of another user would execute their classes
        if not os.path.isdir(folder):
            _remove_outdated(base)
        private_folder(folder)
        with open(os.path.join(folder, _ORIGIN), "w", encoding="utf-8") as file:
            file.write(_RELEASE)
    except OSError:
        return os.path.join(_RELEASE, "none")  # the launcher starts without archives
    return folder


def _installation(runtime: str) -> str:
    """Returns a name that changes with the jars and the runtime: an archive is valid for one state of them."""
    files = [_RELEASE]
    lib = os.path.join(_RELEASE, "lib")
    for folder in (lib, os.path.join(lib, "aws"), os.path.join(lib, "gcp"), os.path.join(runtime, "lib")):
        if os.path.isdir(folder):
            with os.scandir(folder) as entries:
                for entry in entries:
                    about = entry.stat()
                    files.append(f"{entry.path} {about.st_size} {about.st_mtime_ns}")
    return format(zlib.crc32("\n".join(sorted(files)).encode()), "08x")


def _remove_outdated(base: str) -> None:
    """Removes archives of earlier installations in the same place, and of removed ones."""
    import shutil

    for name in os.listdir(base):
        try:
            with open(os.path.join(base, name, _ORIGIN), encoding="utf-8") as file:
                origin = file.read()
        except OSError:
            continue
        if origin == _RELEASE or not os.path.isdir(origin):
            shutil.rmtree(os.path.join(base, name), ignore_errors=True)
