"""Words the compiler understands and plain Python ignores, so that the rules need no package at run time.

This module itself is never compiled.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mypy_extensions import i32, i64, mypyc_attr, u8
else:
    i64 = i32 = u8 = int

    def mypyc_attr(**_: object):
        """Leave the class as it is."""
        return lambda cls: cls


__all__ = ["i32", "i64", "mypyc_attr", "u8"]
