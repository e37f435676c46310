"""Answers of a worker process that do what the question says: wait for the test, hang, fail or kill the process."""

from __future__ import annotations

import json
import os
import threading
from pathlib import Path
from typing import Any

import msgspec

from preau.core.errors import SetupError
from preau.host.queries import BookQuery, Query
from preau.host.questions import BotAnswer, BotQuestion, FailedAnswer, ReviewAnswer, decode_question, encode
from preau.server.workers.lookups import Found
from preau.server.workers.refusal_messages import RefusalMessage


def scripted_answers() -> Any:
    """Return a function that answers questions with its process id, the number of questions so far and the seed."""
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


def scripted_bots() -> Any:
    """Return the same function for the worker pool: it reads the script out of the view of a bot's question."""
    answer = scripted_answers()

    def look(data: bytes) -> bytes:
        question = decode_question(data)
        assert isinstance(question, BotQuestion)
        said = answer({**(question.view or {}), "seed": question.seed})
        return encode(FailedAnswer(said["error"]) if "error" in said else BotAnswer(said["action"]))

    return look


def scheduler_answers() -> Any:
    """Return a function that answers every question about a review with the scheduling class of the process."""
    return lambda data: encode(ReviewAnswer(os.sched_getscheduler(0)))


def delayed_answers(pipe: str) -> Any:
    """Return the same function, but only after the test has written to a pipe."""
    Path(pipe).read_bytes()
    return scripted_bots()


def scripted_query(script: dict[str, Any]) -> BookQuery:
    """Return a query for `desk_answers` that carries what the answer is to do."""
    return BookQuery(json.dumps(script))


def desk_answers() -> Any:
    """Return the same function for the lookup service: it reads the script out of the query."""
    answer = scripted_answers()

    def look(text: bytes) -> bytes:
        query = msgspec.json.decode(text, type=Query)
        assert isinstance(query, BookQuery)
        said = answer({"mood": "fine", "seed": 0, **json.loads(query.game)})
        if "error" in said:
            return msgspec.msgpack.encode(RefusalMessage.of(SetupError(said["error"], field="options")))
        return msgspec.msgpack.encode(Found(said["action"].encode()))

    return look
