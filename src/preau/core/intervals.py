"""How sure one can be of a share that was counted.

>>> low, high = wilson(300, 600)
>>> f"{low:.3f} {high:.3f}"
'0.460 0.540'
"""

from __future__ import annotations

from math import sqrt

Z95 = 1.959963984540054
"""How many standard deviations hold 95 % of a normal distribution."""
Z99 = 2.5758293035489004


def wilson(wins: float, games: float, z: float = Z95) -> tuple[float, float]:
    """Wilson's interval for a share of `games`, 95 % by default.

    `wins` may be a sum of fractions (a win shared by two counts a half for each). What lies between 0 and 1 and has the
    mean p never varies by more than p (1 - p), which is what Wilson reckons with, so with fractions the interval
    is rather too wide than too narrow.

    >>> [round(bound, 3) for bound in wilson(5, 10)]
    [0.237, 0.763]
    """
    if not games:
        return 0.0, 1.0
    share, z2 = wins / games, z * z
    middle = (share + z2 / (2 * games)) / (1 + z2 / games)
    reach = z / (1 + z2 / games) * sqrt(max(0.0, share * (1 - share)) / games + z2 / (4 * games * games))
    return max(0.0, middle - reach), min(1.0, middle + reach)
