"""Starts the command with --json and reads what it prints."""

import dataclasses
import json
import os
import shlex
import subprocess
import sys
import threading
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

from elastune import _launcher


@dataclasses.dataclass(frozen=True)
class Problem:
    """One problem of a file or an option; line is 0 and file empty if there is none."""

    file: str
    line: int
    field: str
    message: str
    hint: str = ""

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}: " if self.file and self.line else f"{self.file}: " if self.file else ""
        field = f"{self.field}: " if self.field else ""
        return place + field + self.message + (f" ({self.hint})" if self.hint else "")


class ElastuneError(Exception):
    """The command failed. exit is its exit code, problems has each problem that it found."""

    def __init__(self, exit: int, problems: Sequence[Problem]) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.exit = exit
        self.problems = list(problems)


@dataclasses.dataclass(frozen=True)
class Answer:
    """What the command printed: documents on standard output, a screen on standard error."""

    exit: int
    documents: List[Any]
    screen: str

    @property
    def document(self) -> Any:
        return self.documents[-1]


def options(values: Dict[str, Any]) -> List[str]:
    """Returns options of the command: unit_time="90s@A10G" is --unit-time 90s@A10G, and True is a flag."""
    arguments: List[str] = []
    for name, value in values.items():
        option = "--" + name.replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            arguments.append(option)
        elif name == "profile" and isinstance(value, (list, tuple)):  # the only one that is repeated
            for one in value:
                arguments += [option, str(one)]
        elif isinstance(value, (list, tuple)):
            arguments += [option, ",".join(map(str, value))]
        else:
            arguments += [option, str(value)]
    return arguments


def call(
    arguments: Sequence[str],
    on_event: Optional[Callable[[Dict[str, Any]], None]] = None,
    on_line: Optional[Callable[[str], None]] = None,
    on_interrupt: Optional[Callable[["subprocess.Popen[str]"], None]] = None,
) -> Answer:
    """Runs a command to its end.

    on_event gets each document of a command that prints one per line, on_line each line for people.
    on_interrupt is called at a KeyboardInterrupt or an error of on_event, after which the command is awaited.
    """
    command, variables = _start([*arguments, "--json"])
    screen: List[str] = []
    output: List[str] = []
    try:
        process = subprocess.Popen(
            command,
            env={**os.environ, **variables},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
            start_new_session=on_interrupt is not None,
        )
    except OSError as error:
        hint = "ELASTUNE_COMMAND names the command" if "ELASTUNE_COMMAND" in os.environ else ""
        raise _failure(127, f"{command[0]} cannot be started: {error.strerror}", hint) from error
    assert process.stdout is not None and process.stderr is not None
    reader = threading.Thread(target=_read, args=(process.stderr, screen, on_line), daemon=True)
    reader.start()
    # After a second interrupt, the command continues without a reader: closing the pipes would wait for it.
    interrupt = _collect(process, output, on_event, on_interrupt)
    exit = process.wait()
    reader.join()
    process.stdout.close()
    process.stderr.close()
    text = "".join(screen)
    try:
        documents = _documents("".join(output))
    except ValueError as error:
        raise _failure(exit, "the command printed something else than JSON: " + "".join(output)[:200], "") from error
    failure = next((some["error"] for some in documents if isinstance(some, dict) and "error" in some), None)
    if interrupt is not None:
        raise interrupt
    if failure is not None:
        raise ElastuneError(failure["exit"], [_problem(some) for some in failure["problems"]])
    if not documents:
        raise _failure(exit, text.strip() or f"the command ended with {exit}", "")
    return Answer(exit, documents, text)


def _start(arguments: List[str]) -> Tuple[List[str], Dict[str, str]]:
    other = os.environ.get("ELASTUNE_COMMAND")  # for a checkout, which has no runtime of its own
    if other:
        return [*shlex.split(other), *arguments], {}
    try:
        return _launcher.start(arguments)
    except SystemExit as refusal:
        raise _failure(2, str(refusal.code), "") from refusal


def _failure(exit: int, message: str, hint: str) -> ElastuneError:
    return ElastuneError(exit, [Problem("", 0, "", message, hint)])


def _collect(
    process: "subprocess.Popen[str]",
    output: List[str],
    on_event: Optional[Callable[[Dict[str, Any]], None]],
    on_interrupt: Optional[Callable[["subprocess.Popen[str]"], None]],
) -> Optional[BaseException]:
    """Reads standard output to its end. Returns what interrupted it: Ctrl-C, or an error of on_event."""
    assert process.stdout is not None
    interrupt: Optional[BaseException] = None
    while True:
        try:
            for line in process.stdout:
                output.append(line)
                if interrupt is None and on_event and line.startswith("{") and line.rstrip().endswith("}"):
                    on_event(json.loads(line))
            return interrupt
        except BaseException as error:
            if interrupt is not None:  # the command is ending by itself
                raise
            if on_interrupt is None:
                process.terminate()
                raise
            interrupt = error
            on_interrupt(process)


def _read(stream: Any, lines: List[str], on_line: Optional[Callable[[str], None]]) -> None:
    for line in stream:  # to its end, whatever happens: a full pipe would block the command
        lines.append(line)
        if on_line:
            try:
                on_line(line.rstrip("\n"))
            except Exception as error:
                warn(f"progress is not shown: {error}")
                on_line = None


def _documents(text: str) -> List[Any]:
    documents: List[Any] = []
    decoder = json.JSONDecoder()
    at = 0
    while True:
        while at < len(text) and text[at].isspace():
            at += 1
        if at == len(text):
            return documents
        document, at = decoder.raw_decode(text, at)
        documents.append(document)


def _problem(some: Dict[str, Any]) -> Problem:
    return Problem(
        some.get("file") or "", some.get("line") or 0, some.get("field") or "", some["message"], some.get("hint") or ""
    )


def warn(line: str) -> None:
    """Prints a line for people."""
    print(line, file=sys.stderr, flush=True)
