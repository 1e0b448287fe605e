"""What only a process of its own shows: imports, pipes, encodings, signals."""

import signal
import subprocess
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

import pytest

Process = Callable[..., Any]
SLOW = ("networkx", "prompt_toolkit", "rich", "lark", "cattrs", "hypothesis")


def loaded_by(*words: str) -> set[str]:
    """Return the packages that a command has imported when it is done."""
    code = (
        "import sys; from rulewright.interpreter.cli import main as cli; status = cli.main(sys.argv[1:]);"
        "print(*sorted({name.partition('.')[0] for name in sys.modules}), file=sys.stderr);"
        "sys.exit(status)"
    )
    result = subprocess.run(
        [sys.executable, "-c", code, *words], capture_output=True, encoding="utf-8", check=True
    )
    return set(result.stderr.split())


@pytest.mark.parametrize("words", [["--version"], ["--help"], ["list"], ["explain", "RW201"]])
def test_a_quick_command_loads_nothing_slow(words: list[str]) -> None:
    assert not loaded_by(*words).intersection(SLOW)


def test_the_version_needs_no_attrs() -> None:
    assert "attr" not in loaded_by("--version")


def test_a_check_loads_no_terminal() -> None:
    assert not loaded_by("check", "tic_tac_toe").intersection({"prompt_toolkit", "rich"})


def test_the_version_is_that_of_the_package(process: Process) -> None:
    result = process("--version")

    assert result.returncode == 0
    assert result.stdout == f"rulewright {version('rulewright')}\n"


def test_the_command_is_installed() -> None:
    from importlib.metadata import entry_points

    (found,) = entry_points(group="console_scripts", name="rulewright")

    assert found.value == "rulewright.interpreter.cli.main:main"


def test_a_reader_who_leaves_is_no_error() -> None:
    writer = subprocess.Popen(
        [sys.executable, "-m", "rulewright.interpreter", "graph", "tic_tac_toe"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    assert writer.stdout is not None and writer.stderr is not None
    writer.stdout.close()

    status = writer.wait(timeout=60)

    assert (status, writer.stderr.read()) == (141, "")
    writer.stderr.close()


@pytest.mark.parametrize("columns", ["0", "1", "20", "100000", "wide"])
def test_any_width_of_the_terminal_will_do(columns: str, process: Process) -> None:
    helped = process("play", "--help", COLUMNS=columns)
    played = process("play", "tic_tac_toe", "--seed", "1", typed="1\n", COLUMNS=columns)

    assert (helped.returncode, helped.stderr) == (0, "")
    assert (played.returncode, played.stderr) == (0, "")


def test_a_reply_need_not_be_text() -> None:
    result = subprocess.run(
        [sys.executable, "-m", "rulewright.interpreter", "play", "tic_tac_toe", "--seed", "1"],
        input=b"\xff\xfe\n\0\n1",
        capture_output=True,
        check=False,
    )

    assert (result.returncode, result.stderr) == (0, b"")
    assert b"is no option" in result.stdout
    assert b"current is now P1" in result.stdout


def test_an_encoding_without_a_letter_is_no_error(process: Process) -> None:
    result = process("list", "tic_tac_toe", PYTHONIOENCODING="ascii")

    assert result.returncode == 0
    assert "Mis\\xe8re" in result.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="a matter of Unix")
@pytest.mark.parametrize(
    ("redirection", "status"),
    [("<&-", 0), (">&-", 0), ("2>&-", 0), ("<&- >&- 2>&-", 0), (">/dev/full", 74)],
)
def test_streams_may_be_closed_or_full(redirection: str, status: int) -> None:
    command = f"{sys.executable} -m rulewright.interpreter play tic_tac_toe --seed 1 {redirection}"

    result = subprocess.run(
        ["sh", "-c", command], input="1\n", capture_output=True, encoding="utf-8", check=False
    )

    assert result.returncode == status, result.stderr
    assert result.stderr.count("\n") == (1 if status else 0)


@pytest.mark.skipif(sys.platform == "win32", reason="a matter of Unix")
def test_ctrl_c_ends_a_long_run_and_tells_what_was_counted() -> None:
    command = [sys.executable, "-m", "rulewright.interpreter", "playout", "tic_tac_toe"]
    began = time.monotonic()
    subprocess.run([*command, "-n", "1"], stdout=subprocess.DEVNULL, check=True)
    start = time.monotonic() - began
    running = subprocess.Popen(
        [*command, "-n", "1000000"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        # A shell lets what runs in its background ignore Ctrl-C, and all that this starts, too.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    # As the machine is: other tests run, too.
    time.sleep(1 + 2 * start)

    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=60)

    assert running.returncode == 130
    assert b"Seats:" in out and b"Traceback" not in err
    assert b"interrupted after" in err
