"""Which lines a statement has: by these, a mutant finds the tests that execute it."""

import pytest

from tests.line_coverage import statement_lines

SOURCE = """\
import functools

@functools.cache
def f(x,
      y=1):
    if (x and
            y):
        return [
            x,
            y,
        ]
    try: return 1 / x
    except ZeroDivisionError:
        return 0
"""


@pytest.mark.parametrize(
    ("line", "lines"),
    [
        (1, [1]),
        (3, [3]),  # a decorator
        (4, [4, 5]),
        (5, [4, 5]),
        (7, [6, 7]),  # the head of a compound statement, without its body
        (9, [8, 9, 10, 11]),
        (12, [12]),
        (13, [12]),  # an except clause, tried whenever its try is
        (14, [14]),
    ],
)
def test_a_line_belongs_to_its_innermost_statement(line, lines):
    assert list(statement_lines(SOURCE, line)) == lines
