"""Tasks in several processes: the order of the results, what goes wrong there, and that they can be ended."""

import os
import time
from math import sqrt
from multiprocessing import active_children

import pytest

from rulewright.interpreter.agents.errors import AgentError
from rulewright.interpreter.agents.processes import Failure, in_processes

LONG = 600.0


def test_results_come_in_the_order_of_the_tasks() -> None:
    # The first takes longest.
    tasks = [range(10**7 if number == 0 else number) for number in range(50)]

    assert list(in_processes(sum, tasks, 2)) == [sum(task) for task in tasks]
    assert not active_children()


def test_what_goes_wrong_in_a_process_is_told_and_the_others_go_on() -> None:
    found = list(in_processes(sqrt, [4.0, -1.0, 9.0], 2))

    assert found == [2.0, Failure(-1.0, "ValueError: math domain error"), 3.0]


def test_a_process_that_ends_by_itself_is_told_and_the_others_go_on() -> None:
    assert list(in_processes(os._exit, [3, 4], 2)) == [Failure(3, "", 3), Failure(4, "", 4)]


def test_a_process_in_the_middle_of_a_task_is_ended() -> None:
    found = in_processes(time.sleep, [0, LONG, LONG], 2)
    assert next(found) is None
    begun = time.perf_counter()

    found.close()

    assert time.perf_counter() - begun < 30
    assert not active_children()


def test_no_more_is_begun_than_is_asked_for() -> None:
    asked: list[float] = []

    def tasks() -> object:
        while True:
            asked.append(4.0)
            yield 4.0

    found = in_processes(sqrt, tasks(), 2)  # type: ignore[arg-type]
    assert [next(found) for _ in range(3)] == [2.0] * 3
    found.close()

    assert len(asked) < 50


def test_what_cannot_be_sent_is_one_line() -> None:
    with pytest.raises(AgentError, match="cannot be sent to another process"):
        list(in_processes(lambda number: number, [1], 2))
