"""Levels: the int8 numbers that weights are rounded to, all of them or those for which a file has short codes."""

import pytest
from parsers import rows

from sapwood import OptionError, SequenceTagger
from sapwood.events import Finished


@pytest.mark.slow
def test_held_out_data_choose_the_levels():
    train, dev = rows(600, 1), rows(60, 2)  # of 250 the smallest model has too few features to tell levels
    whole = SequenceTagger(template="pos", min_updates=1, epochs=4).fit(train)
    small = whole.shrink(train, dev=dev, loss=1)
    first, *others = small.recipe.small.curve
    assert first.levels == "even"
    rounds = [others[k : k + 3] for k in range(0, len(others), 3)]
    for points in rounds:
        assert [point.levels for point in points] == ["uneven", "even", "coarse"]
        uneven, even, coarse = points
        assert even.bytes > uneven.bytes > coarse.bytes
        assert even.value_bits > uneven.value_bits > coarse.value_bits
        assert even.features == uneven.features == coarse.features
    kept = small.recipe.small.curve[small.recipe.small.chosen]
    assert 100 * small.score(dev) == pytest.approx(kept.score)
    assert kept.levels != "even"
    assert kept == min((p for p in small.recipe.small.curve if p.score >= first.score - 1), key=lambda p: p.bytes)
    best = whole.shrink(train, dev=dev, bytes=kept.bytes).recipe.small
    assert best.curve[best.chosen].score == max(p.score for p in best.curve if p.bytes <= kept.bytes)


def test_levels_are_some_of_the_numbers_near_the_weights():
    """Twice the price: fewer bits, larger errors, fewer levels; and nearly none: the nearest numbers."""
    trained = []

    def keep(event):
        if isinstance(event, Finished):
            trained.append(event.freeze)

    SequenceTagger(template="pos", epochs=3, min_updates=1).fit(rows(80, 1), on_event=keep)
    [freeze] = trained
    exact, *models = [freeze(8, 0.0, bit_price=price) for price in (0.0, 1e-9, 1.0, 4.0, 16.0)]
    numbers = [memoryview(model.tables[0].uncoded(8).values).cast("b").tolist() for model in models]
    nearest = memoryview(exact.tables[0].uncoded(8).values).cast("b").tolist()
    assert numbers[0] == nearest
    errors = [sum((a - b) ** 2 for a, b in zip(found, nearest, strict=True)) for found in numbers]
    sizes = [len(model.tables[0].coded(8).values) for model in models]
    assert errors == sorted(errors)
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] < sizes[0] / 2
    assert len(set(numbers[-1])) < len(set(nearest))
    for model in models:
        assert model.tables[0].uncoded(8).outputs == exact.tables[0].uncoded(8).outputs
        assert model.scale == exact.scale
    with pytest.raises(OptionError, match="uneven levels need weights of 8 bits"):
        freeze(16, 0.0, bit_price=1.0)
