"""The last row of a small Sudoku is a permutation; that no digit stands twice in a column or box is learned."""

import random
from itertools import permutations

import sapwood


def features(rows, part):
    column, digit = part
    seen = [row[column] for row in rows]
    box = [row[c] for row in rows[2:] for c in range(4) if c // 2 == column // 2]
    return [f"in its column: {digit in seen}", f"in its box: {digit in box}"]


def search(rows, score):
    return max((list(enumerate(row)) for row in permutations(range(1, 5))), key=lambda parts: sum(map(score, parts)))


def grids(count, seed):
    """Return the first three rows of solved grids, and the fourth as parts."""
    draw, rows, last = random.Random(seed), [], []
    for _ in range(count):
        a, b, c, d = draw.sample(range(1, 5), 4)
        grid = [[a, b, c, d], [c, d, a, b], *draw.choice([[[b, a, d, c], [d, c, b, a]], [[d, c, b, a], [b, a, d, c]]])]
        rows.append(grid[:3])
        last.append(list(enumerate(grid[3])))
    return rows, last


if __name__ == "__main__":
    model = sapwood.structured(features, search, epochs=3, names=True).fit(*grids(20, seed=1))
    for feature, weight in sorted(model.weights().items()):
        print(f"{weight:+.2f} {feature}")
    print(f"F1 of parts: {model.evaluate(*grids(100, seed=2)).f1:.1f}")
