"""Values that a table fills in: in Arrow, Parquet, polars and `datasets` each row has the members of all rows."""

import datetime
import json

from commands import run_command

from kinds import kind
from kinds.examples import TWO, jsonl, learned, refused, train
from sapwood import Classifier, DataError, SequenceTagger

ROWS = [{"w=good": 1.0}, {"w=bad": 1.0, "n": 2.0}, {"w=good": 1.0, "kind": "long"}, {"n": 0.5}] * 5
LABELS = ["up", "down", "up", "down"] * 5
SENTENCES = [[{"w": "Ada"}, {"w": "left", "end": True}], [{"w": "Rome", "shape": {"cap": 1.0}}]] * 5
TAGS = [["PER", "O"], ["LOC"]] * 5


def filled(rows):
    """Return the rows, each with the members of all, as a table has them: None where a row has none."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    return [{name: row.get(name) for name in names} for row in rows]


def through_arrow(rows):
    import pyarrow

    return pyarrow.array(rows).to_pylist()


def through_parquet(rows):
    import pyarrow
    from pyarrow import parquet

    parquet.write_table(pyarrow.table({"row": rows}), "rows.parquet")
    return parquet.read_table("rows.parquet")["row"].to_pylist()


WAYS = {"None": filled, "Arrow": through_arrow, "Parquet": through_parquet}


@kind("a feature that a table fills in for a row that has none is none")
def features():
    plain = Classifier(min_updates=1).fit(ROWS, LABELS)
    for name, way in WAYS.items():

        def classified(folder, way=way):
            model = Classifier(min_updates=1).fit(way(ROWS), LABELS)
            return model.model_.dump() == plain.model_.dump() and [*model.predict(way(ROWS))] == [*plain.predict(ROWS)]

        def several(folder, way=way):
            sets = [[label] for label in LABELS]
            models = [Classifier(min_updates=1, multi_label=True).fit(rows, sets) for rows in (ROWS, way(ROWS))]
            return models[0].model_.dump() == models[1].model_.dump()

        def tagged(folder, way=way):
            models = [SequenceTagger(min_updates=1).fit(sentences, TAGS) for sentences in (SENTENCES, way_of(way))]
            return models[0].model_.dump() == models[1].model_.dump()

        def way_of(way):
            tokens = iter(way([token for sentence in SENTENCES for token in sentence]))
            return [[next(tokens) for _ in sentence] for sentence in SENTENCES]

        yield f"{name}: a classifier", classified
        yield f"{name}: a classifier of several labels", several
        yield f"{name}: a tagger", tagged
    for options in ((), ("--multi-label",), ("--stream",)):

        def lines(folder, options=options):
            rows = [{"label": label, "features": row} for label, row in zip(LABELS, ROWS, strict=True)]
            assert train(folder, "t.jsonl", jsonl(rows), *options).status == 0
            model = learned()
            rows = [{**row, "features": features} for row, features in zip(rows, filled(ROWS), strict=True)]
            return (train(folder, "t.jsonl", jsonl(rows), *options).status, learned()) == (0, model)

        yield " ".join(("lines of JSON", *options)), lines

    def answered(folder):
        rows = [{"label": label, "features": row} for label, row in zip(LABELS, ROWS, strict=True)]
        assert train(folder, "t.jsonl", jsonl(rows)).status == 0
        (folder / "new.jsonl").write_text(jsonl({"features": row} for row in ROWS))
        (folder / "filled.jsonl").write_text(jsonl({"features": row} for row in filled(ROWS)))
        return len({run_command(["classify", "m.sap", file]).out for file in ("new.jsonl", "filled.jsonl")}) == 1

    yield "lines of JSON: classify", answered

    def not_a_number(folder):
        try:
            Classifier().fit([{"a": float("nan")}], ["x"])
        except DataError as error:
            return "not a number" in str(error)

    yield "NaN is refused", not_a_number


@kind("a category that a table fills in for a text is none")
def categories():
    for options in ((), ("--multi-label",), ("--stream",)):

        def lines(folder, options=options):
            rows = [{"text": text, "cats": {label: 1.0}} for label, text in TWO]
            assert train(folder, "t.jsonl", jsonl(rows), *options).status == 0
            plain = learned()
            labels = {label for label, _ in TWO}
            rows = [{**row, "cats": dict.fromkeys(labels) | row["cats"]} for row in rows]
            return (train(folder, "t.jsonl", jsonl(rows), *options).status, learned()) == (0, plain)

        yield " ".join(("cats", *options)), lines

    def evaluated(folder):
        rows = [{"text": text, "cats": {"up": None, "down": None} | {label: 1.0}} for label, text in TWO]
        assert train(folder, "t.jsonl", jsonl(rows)).status == 0
        return run_command(["eval", "m.sap", "t.jsonl"]).status == 0

    yield "cats: eval", evaluated

    def none(folder):
        rows = [{"text": text, "cats": {"up": None, "down": None} | ({label: 1.0} if k else {})}
                for k, (label, text) in enumerate(TWO)]  # fmt: skip
        return refused(train(folder, "t.jsonl", jsonl(rows)), "t.jsonl:1: ", "none of its labels is chosen")

    yield "cats: null alone", none

    def words(folder):
        rows = [{"text": text, "cats": {"up": "yes", "down": None}} for _, text in TWO]
        return refused(train(folder, "t.jsonl", jsonl(rows)), "t.jsonl:1: ", "no label")

    yield "cats of words are refused", words


@kind("a member of records that a table fills in, null in all of them, is none")
def members():
    ways = {
        "text": lambda text: {"text": text},
        "tokens": lambda text: {"tokens": text.split()},
        "features": lambda text: {"features": dict.fromkeys(text.split(), 1)},
    }
    for name, way in ways.items():
        nulls = dict.fromkeys((*ways, "cats", "accept", "answer"))
        for options in ((), ("--stream",)):

            def same(folder, way=way, options=options, nulls=nulls):
                rows = [{"label": label} | way(text) for label, text in TWO]
                assert train(folder, "t.jsonl", jsonl(rows), *options).status == 0
                plain = learned()
                rows = [nulls | row for row in rows]
                return (train(folder, "t.jsonl", jsonl(rows), *options).status, learned()) == (0, plain)

            yield " ".join((name, *options)), same

    def null_text(folder):
        assert train(folder, "t.jsonl", jsonl({"label": label, "text": text} for label, text in TWO)).status == 0
        nulls = {"tokens": None, "marked": None, "features": None}
        (folder / "new.jsonl").write_text(jsonl(nulls | {"text": text} for text in ("good", None)))
        run = run_command("classify m.sap new.jsonl")
        return run.status == 0 and "new.jsonl:2: the text is null" in run.err and run.out.endswith("\n_\t0\n")

    yield "a null text beside null tokens", null_text
    for name, way, what in [
        ("features", ways["features"], "there is no object called 'features'"),
        ("tokens", ways["tokens"], "'tokens' is not a list"),
    ]:
        for options in ((), ("--stream",)):

            def null_alone(folder, name=name, way=way, what=what, options=options):
                rows = [{"label": label} | way(text) for label, text in TWO]
                return refused(train(folder, "t.jsonl", jsonl([*rows, {"label": "up", name: None}]), *options),
                               f"t.jsonl:{len(rows) + 1}: {what}")  # fmt: skip

            yield " ".join((name, "null in one row alone", *options)), null_alone

    def nothing(folder):
        rows = [{"label": label} | dict.fromkeys(ways) for label, _ in TWO]
        return refused(train(folder, "t.jsonl", jsonl(rows)), "t.jsonl:1: ", "no text", "null")

    yield "nothing else", nothing


@kind("a member of lists of candidates that a table fills in is none")
def lists():
    tree = "(S (NP (NN a)) (VP (VB b)))"
    for name, rest, candidates in [
        ("features", {}, [{"features": {"a": 1}, "loss": 0}, {"features": {"b": 1}, "loss": 1}]),
        ("tree", {"gold": tree}, [{"tree": tree}, {"tree": "(S (NN a) (VB b))"}]),
        ("labels", {"tokens": ["a"], "gold": ["X"]}, [{"labels": ["X"]}, {"labels": ["Y"]}]),
        ("heads", {"tokens": ["a"]}, [{"heads": [0], "loss": 0}, {"heads": [0], "loss": 1}]),
    ]:

        def same(folder, rest=rest, candidates=candidates):
            models = []
            for nulls in ((), ("tree", "labels", "heads", "deprels", "features", "loss", "tokens", "gold")):
                filled = [dict.fromkeys(nulls) | {"score": 1.0} | each for each in candidates]
                a_list = dict.fromkeys(nulls) | rest | {"candidates": filled}
                assert train(folder, "t.jsonl", jsonl([a_list] * 9), task="rank").status == 0
                models.append(learned())
            return models[0] == models[1]

        yield name, same


@kind("a map of Arrow's is an object, with the members that the row has")
def maps():
    def as_map(rows, value="double"):
        import pyarrow

        pairs = [None if row is None else list(row.items()) for row in rows]
        return pyarrow.array(pairs, type=pyarrow.map_(pyarrow.string(), pyarrow.type_for_alias(value)))

    def table(columns):
        import pyarrow
        from pyarrow import parquet

        out = pyarrow.BufferOutputStream()
        parquet.write_table(pyarrow.table(columns), out)
        return out.getvalue().to_pybytes()

    numbers = [{name: value for name, value in row.items() if not isinstance(value, str)} for row in ROWS]
    cats = [{label: 1.0} for label, _ in TWO]
    texts = [text for _, text in TWO]
    of_words = [{"a": "x"} if label == "up" else {"b": "y"} for label in LABELS]
    for name, plain, columns in [
        ("features", [{"features": row} for row in numbers], lambda: {"features": as_map(numbers)}),
        (
            "features of words",
            [{"features": row} for row in of_words],
            lambda: {"features": as_map(of_words, "string")},
        ),
    ]:

        def features(folder, plain=plain, columns=columns):
            rows = [{"label": label} | row for label, row in zip(LABELS, plain, strict=True)]
            assert train(folder, "t.jsonl", jsonl(rows)).status == 0
            model = learned()
            run = train(folder, "t.parquet", table({"label": LABELS} | columns()))
            return (run.status, learned()) == (0, model)

        yield name, features
    for options in ((), ("--multi-label",)):

        def categories(folder, options=options):
            rows = [{"text": text, "cats": each} for text, each in zip(texts, cats, strict=True)]
            assert train(folder, "t.jsonl", jsonl(rows), *options).status == 0
            model = learned()
            columns = {"text": texts, "cats": as_map(cats)}
            run = train(folder, "t.parquet", table(columns), *options)
            return (run.status, learned()) == (0, model)

        yield " ".join(("cats", *options)), categories

    def comes_out(folder):
        import pyarrow
        from pyarrow import parquet

        columns = {"text": texts, "label": [label for label, _ in TWO], "more": as_map(cats)}
        assert train(folder, "t.parquet", table(columns)).status == 0
        run = run_command("classify m.sap t.parquet --to parquet --output out")
        (written,) = (folder / "out").iterdir()
        return run.status == 0 and isinstance(parquet.read_table(written)["more"].type, pyarrow.MapType)

    yield "in records that come out", comes_out

    def other_maps():
        import pyarrow
        from pyarrow import float64, map_

        day = datetime.date(2026, 11, 30)
        yield "a name twice", [("a", 1.0), ("a", 2.0)], map_(pyarrow.string(), float64()), [["a", 1], ["a", 2]]
        yield "numbers", [(3, 1.0)], map_(pyarrow.int64(), float64()), [[3, 1]]
        yield "days", [(day, 1.0)], map_(pyarrow.date32(), float64()), [["2026-11-30", 1]]
        struct = pyarrow.struct([("x", pyarrow.int64())])
        yield "objects", [({"x": 1}, 1.0)], map_(struct, float64()), [[{"x": 1}, 1]]

    for name, pairs, kind_of_map, written in other_maps():

        def stays(folder, pairs=pairs, kind_of_map=kind_of_map, written=written):
            import pyarrow

            column = pyarrow.array([pairs] * len(texts), type=kind_of_map)
            columns = {"text": texts, "label": [label for label, _ in TWO]}
            assert train(folder, "t.parquet", table(columns | {"more": column})).status == 0
            run = run_command("classify m.sap t.parquet --to jsonl")
            refused_as_features = train(folder, "t.parquet", table({"label": columns["label"], "features": column}))
            said = refused(refused_as_features, "t.parquet:1: there is no object called 'features', but a list; ")
            return run.status == 0 and json.loads(run.out.splitlines()[0])["more"] == written and said

        yield f"a list of pairs stays one: {name}", stays
