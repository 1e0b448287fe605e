"""`serve`: what is wrong with it is said in one line, before anything begins."""

import socket
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]
ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("missing", ["starlette", "uvicorn", "jinja2"])
def test_what_has_to_be_installed_is_said(
    rulewright: Run, monkeypatch: pytest.MonkeyPatch, missing: str
) -> None:
    for name in [*sys.modules]:
        if name.startswith("rulewright.interpreter.web") or name.partition(".")[0] == missing:
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, missing, None)

    result = rulewright("serve")

    assert result.status == 2
    assert "rulewright[web]" in result.output and result.output.count("\n") == 1


def test_pages_say_what_the_message_says() -> None:
    for page in ("README.md", "interpreter/COMMANDS.md"):
        text = " ".join((ROOT / page).read_text("utf-8").split())
        assert "pip install 'rulewright[web]'" in text and "'.[web]'" not in text


@pytest.mark.parametrize(
    "words",
    [
        *("--port x", "--port 99999", "--workers 0", "nowhere", "--data /dev/null/x"),
        *("--public-url games.example", "--public-url https://a/b", "--forget 0", "--forget x"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(rulewright: Run, words: str) -> None:
    pytest.importorskip("uvicorn", reason="uvicorn is not installed (extra `web`)")
    pytest.importorskip("starlette", reason="Starlette is not installed (extra `web`)")
    pytest.importorskip("jinja2", reason="Jinja2 is not installed (extra `web`)")

    result = rulewright(f"serve {words}")

    assert result.status == 2 and result.output.count("\n") == 1


def test_a_port_that_is_taken_is_said(rulewright: Run, tmp_path: Path) -> None:
    pytest.importorskip("uvicorn", reason="uvicorn is not installed (extra `web`)")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]

        result = rulewright(f"serve --port {port} --data {tmp_path}")

    assert result.status == 2 and f":{port} cannot be used" in result.output


def test_a_folder_that_another_server_has_is_said(rulewright: Run, tmp_path: Path) -> None:
    pytest.importorskip("uvicorn", reason="uvicorn is not installed (extra `web`)")
    from rulewright.interpreter.web.folder_lock import folder_locked

    with folder_locked(tmp_path):
        result = rulewright(f"serve --port 0 --data {tmp_path}")

    assert result.status == 2 and result.output.count("\n") == 1
    assert "is in use by another server" in result.output
