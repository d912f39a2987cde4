"""The language server under malformed, huge and out-of-order messages: it answers what can be answered, and ends."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from project import STRIDED

from coalint.cli.server.bounded_input import LARGEST, BoundedInput

pytest.importorskip("pygls", reason="the language server needs pygls: pip install 'coalint[server]'")

POSITION = {"line": 0, "character": 0}
NEVER_OPENED = {"uri": "file:///never/opened.cu", "version": 3}
BEFORE: tuple[Any, ...] = (
    {
        "id": 1,
        "method": "textDocument/hover",
        "params": {"textDocument": {"uri": "file:///x.cu"}, "position": {"line": 99_999_999, "character": -5}},
    },
    {"method": "textDocument/didChange", "params": {"textDocument": {"uri": 7}, "contentChanges": [{"text": 5}]}},
    [1, 2, 3],
    "words",
    {"id": {}, "method": 7},
    {"id": 9, "method": "no/such/method", "params": {"a": [[[[]]]]}},
)
AFTER: tuple[Any, ...] = (
    {
        "method": "textDocument/didOpen",
        "params": {
            "textDocument": {
                "uri": "file:///etc/../dev/zero",
                "languageId": "cuda-cpp",
                "version": 1,
                "text": "x" * 40_000_000,
            }
        },
    },
    {
        "method": "textDocument/didChange",
        "params": {
            "textDocument": NEVER_OPENED,
            "contentChanges": [{"range": {"start": {"line": 5, "character": 5}, "end": POSITION}, "text": "a"}],
        },
    },
    {"method": "textDocument/didClose", "params": {"textDocument": NEVER_OPENED}},
    {
        "id": 4,
        "method": "textDocument/codeAction",
        "params": {
            "textDocument": {"uri": "file:///x%00y.cu"},
            "range": {"start": POSITION, "end": POSITION},
            "context": {"diagnostics": []},
        },
    },
    {"id": 5, "method": "initialize", "params": {"processId": None, "rootUri": None, "capabilities": {}}},
    {"method": "$/cancelRequest", "params": {"id": 4711}},
    {"id": 4711, "result": [{"answers": "a request that was never made"}]},
    {"id": 4712, "error": {"code": -1, "message": "the same"}},
    {"method": "workspace/didChangeWatchedFiles", "params": {"changes": [{"uri": "\u0000", "type": 99}] * 1000}},
)
EDITED = {"uri": "file:///never/edited.cu", "version": 1}
ODD: tuple[Any, ...] = (
    {
        "method": "textDocument/didOpen",
        "params": {"textDocument": {**EDITED, "languageId": "cuda-cpp", "text": STRIDED}},
    },
    {
        "method": "textDocument/didChange",
        "params": {
            "textDocument": {**EDITED, "version": -7},
            "contentChanges": [
                {
                    "range": {"start": {"line": 2**40, "character": 2**40}, "end": {"line": -1, "character": -1}},
                    "text": "\ud800 \u0000",
                }
            ],
        },
    },
    {"id": 2**70, "method": "textDocument/hover", "params": {"textDocument": EDITED, "position": POSITION}},
    {"id": "s", "method": "textDocument/hover", "params": {"textDocument": EDITED, "position": POSITION}},
    {"id": None, "method": "textDocument/hover", "params": None},
    {"id": 14, "method": "workspace/executeCommand", "params": {"command": "rm", "arguments": ["-rf", "/"]}},
    {"method": "workspace/didChangeConfiguration", "params": {"settings": [[["x"]]]}},
    {
        "method": "notebookDocument/didOpen",
        "params": {
            "notebookDocument": {
                "uri": "file:///never/n.ipynb",
                "notebookType": "jupyter-notebook",
                "version": 1,
                "cells": [{"kind": 2, "document": "file:///dev/zero"}],
            },
            "cellTextDocuments": [],
        },
    },
    {"method": "textDocument/didChange", "params": {"textDocument": EDITED, "contentChanges": [{"text": STRIDED}]}},
)
"""A document that is edited, and asked about, while the process that analyses it starts."""
LIMITED = """
import sys
try:
    import resource
    resource.setrlimit(resource.RLIMIT_DATA, (2 << 30, 2 << 30))
except ImportError:
    pass
from coalint.cli.main import main
if __name__ == "__main__":
    sys.exit(main(["server"]))
"""
"""The server, where Linux lets it have 2 GB."""
LATE: tuple[Any, ...] = (
    {"method": "textDocument/didOpen", "params": {"textDocument": {**NEVER_OPENED, "languageId": "c", "text": "x"}}},
    {"id": 6, "method": "textDocument/hover", "params": {"textDocument": NEVER_OPENED, "position": POSITION}},
)
"""What comes between `shutdown` and `exit`."""


def framed(body: bytes) -> bytes:
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


@pytest.mark.slow
def test_the_server_outlives_every_message(tmp_path: Path) -> None:
    calls: list[Any] = [
        *BEFORE,
        {"id": 2, "method": "initialize", "params": {"processId": None, "rootUri": None, "capabilities": {}}},
        {"method": "initialized", "params": {}},
        *AFTER,
        *ODD,
        {"id": 3, "method": "shutdown"},
        *LATE,
        {"method": "exit"},
    ]
    messages = [{"jsonrpc": "2.0", **call} if isinstance(call, dict) else call for call in calls]
    heads = b"Content-Length: %s\r\n\r\n" % (b"9" * 5000) + b"A" * 3_000_000 + b"\r\n\r\nContent-Length: x\r\n\r\n"
    sent = (
        b"Content-Length: -5\r\n\r\nContent-Length: 0\r\n\r\n"
        + heads
        + framed(b'{"a": nul')
        + framed(b"\xff\xfe{}")
        + framed(b"[" * 100_000)
    )
    sent += b"".join(framed(json.dumps(message).encode()) for message in messages)
    done = subprocess.run([sys.executable, "-c", LIMITED], cwd=tmp_path, input=sent, capture_output=True, timeout=200)
    assert done.returncode == 0, done.stderr[-2000:]
    assert b"internal error" not in done.stdout, "a device that is named, or a closed file, would take all memory"
    answered = {int(number) for number in re.findall(rb'"id": ?(\d+)', done.stdout)}
    assert {2, 3, 4, 14} <= answered
    assert b"KeyboardInterrupt" not in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_message_of_absurd_size_is_passed_over() -> None:
    class Endless(BytesIO):
        """A stream that gives whatever is asked for, and notes down how much at once."""

        most = 0

        def read(self, size: int | None = -1) -> bytes:
            self.most = max(self.most, size or 0)
            return bytes(size or 0)

    endless = Endless()
    assert len(BoundedInput(endless).read(LARGEST + 1)) < 10
    assert len(BoundedInput(endless).read(5_000_000)) == 5_000_000
    assert endless.most <= 1 << 20
    assert BoundedInput(BytesIO(b"{}")).read(10**12) == b"", "the stream ended"
    assert BoundedInput(BytesIO(b"{}...")).read(2) == b"{}"
    assert len(BoundedInput(BytesIO(b"A" * 10**6)).readline()) < 10_000
