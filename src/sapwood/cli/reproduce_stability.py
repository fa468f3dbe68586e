"""``sapwood reproduce stability``: the held-out error of vanilla, voted and averaged perceptrons."""

from sapwood.cli.app import Parser, whole_number

__all__ = ["parser", "run"]

_DESCRIPTION = """The figure of Freund & Schapire (1999): held-out error of vanilla, voted and averaged perceptrons over
passes, with its spread over shuffles of the training examples. Needs NumPy.

Examples:
  sapwood reproduce stability --data corpora --figure stability.png
  sapwood reproduce stability --data corpora --corpus interest --shuffles 50
"""


def parser() -> Parser:
    """Return the parser of ``sapwood reproduce stability``."""
    result = Parser("reproduce stability", _DESCRIPTION)
    add = result.add_argument
    data = "folder with movie_reviews/ or interest/; without, SAPWOOD_DATA, else a generated problem serves"
    add("--data", metavar="DIR", help=data)
    corpus = "movie reviews, or the most frequent sense of the word 'interest' against the others"
    add("--corpus", choices=["reviews", "interest"], default="reviews", help=corpus)
    add("--json", metavar="FILE", help="also write the errors to this file")
    add("--figure", metavar="FILE", help="draw the errors as a .png or .svg")
    add("--epochs", type=whole_number(1, 1000), default=10, metavar="N", help="passes over the data")
    add("--shuffles", type=whole_number(1, 10_000), default=20, metavar="N", help="orders of the training examples")
    add("--seed", type=whole_number(0), default=1, metavar="S", help="of the shuffling")
    return result


def run(
    data: str | None, corpus: str, json: str | None, figure: str | None, epochs: int, shuffles: int, seed: int
) -> None:
    """Measure the errors and print them."""
    from sapwood.draw.figure import check_figure
    from sapwood.io.rows import write_rows
    from sapwood.optional import require

    require("numpy", "the laboratory")
    if figure is not None:
        check_figure(figure)
    from sapwood.experiments import stability

    problem = stability.find_problem(data, corpus)
    held_out = len(problem.X) - problem.train
    title = f"{problem.name}: {problem.train:,} examples, {held_out:,} held out, {shuffles} shuffles"
    print(f"{title}, {problem.X.d:,} features, seed {seed}; held-out error in %, its mean (least to most)")
    scores = stability.run(problem, shuffles=shuffles, epochs=epochs, seed=seed)
    print(stability.format_scores(scores))
    if json is not None:
        write_rows(json, [{"corpus": problem.name, **score.as_dict()} for score in scores])
    if figure is not None:
        from sapwood.draw.laboratory import draw_stability

        draw_stability(scores, title, figure)
