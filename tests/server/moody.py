"""What answers in a worker process of the tests: it thinks until it may stop, hangs or dies, as the question says."""

from __future__ import annotations

import json
import os
import threading
from pathlib import Path
from typing import Any


def moody() -> Any:
    """Counts the questions it was asked; each answer says who gives it, and its count."""
    count = 0

    def answer(question: dict[str, Any]) -> dict[str, Any]:
        nonlocal count
        count += 1
        if "begun" in question:
            Path(question["begun"]).touch()
        if "wait_for" in question:  # a pipe: reading ends when the test writes to it
            Path(question["wait_for"]).read_bytes()
        if question["mood"] == "hang":
            threading.Event().wait()
        if question["mood"] == "die" and not Path(question["dead"]).exists():
            Path(question["dead"]).touch()
            os._exit(3)
        if question["mood"] == "deadly":
            os._exit(3)
        if question["mood"] == "fail":
            return {"error": "ZeroDivisionError: my fault"}
        return {"action": f"{os.getpid()} {count} {question['seed']}"}

    return answer


def late(pipe: str) -> Any:
    """The same, once the test has written to a pipe."""
    Path(pipe).read_bytes()
    return moody()


def clerk() -> Any:
    """The same at the desk, where questions are texts."""
    answer = moody()

    def look(text: bytes) -> dict[str, Any]:
        said = answer({"mood": "fine", "seed": 0, **json.loads(text)})
        if "error" in said:
            return {"refused": {"error": "SetupError", "message": said["error"], "field": "options"}}
        return {"answer": said["action"].encode()}

    return look
