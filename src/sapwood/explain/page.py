"""A report as one page of HTML: no script, no network, readable on paper and on a telephone, light and dark."""

from collections.abc import Iterator, Sequence
from html import escape

from sapwood.base.drawing.sentence import escaped
from sapwood.base.drawing.svg import TREE_STYLE, size_attributes, style_sheet, svg_inline
from sapwood.explain.scores import Aspect, ModelChanges, Page, Section, ShownExample, Table, Trees
from sapwood.metrics.confusion import Confusion, shortened
from sapwood.metrics.labels import percent
from sapwood.metrics.reliability import Coverage
from sapwood.metrics.significance import shown_p
from sapwood.model.explanation_records import ExplanationRecord, choice, summed_features

_TOP = 5  # features of an explanation
_AROUND = 15  # words that are shown on each side of the one that an example is about
_BEGINNING = 50  # words that are shown of an example that is about none
_LONG = 60  # characters of a word or label
_WIDTH, _HEIGHT = 420, 120  # pixels of the plot
_LEFT, _BELOW = 60, 40  # pixels for the numbers of the axes

_STYLE = f"\n{style_sheet(__file__, 'report.css')}\n{TREE_STYLE}"
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"  # whatever stands in the text, nothing is run or fetched


def html_report(page: Page) -> Iterator[str]:
    """Yield the parts of the page. All text is escaped; characters that cannot be printed are shown as U+FFFD."""
    yield page_head(page.title, page.facts)
    if page.overview:
        lines = "\n".join(escaped(line) for line in page.overview.splitlines())
        yield f'<div class="wide"><pre>{lines}</pre></div>\n'
    for name, scores, kept in page.curves:
        yield f"<h3>Score on held-out data by epoch: {_safe(name)}</h3>\n"
        points = [(str(epoch), score) for epoch, score in enumerate(scores, start=1)]
        title = f"{name}: {scores[kept - 1]:.2f} after {kept} of {len(scores)} epochs"
        yield f'<div class="wide">{svg_curve(points, title, kept - 1)}</div>\n'
    if len(page.sections) > 1:
        links = "".join(f'<li><a href="#s{k}">{_headline(each)}</a></li>' for k, each in enumerate(page.sections))
        yield f"<nav><ul>{links}</ul></nav>\n"
    for number, section in enumerate(page.sections):
        yield from _section(number, section)
    yield "</main>\n</body>\n</html>\n"


def page_head(title: str, facts: Sequence[tuple[str, str]]) -> str:
    """Return the beginning of a page up to what is known of its making. All text is escaped."""
    known = "".join(f"<dt>{_safe(name)}</dt><dd>{escaped(value)}</dd>" for name, value in facts)
    return (
        '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{_safe(title)}</title>\n<style>{_STYLE}</style>\n<body>\n<main>\n"
        f"<h1>{_safe(title)}</h1>\n<dl>{known}</dl>\n"
    )


def _section(number: int, section: Section) -> Iterator[str]:
    yield f'<section>\n<h2 id="s{number}">{_headline(section)}</h2>\n'
    if section.changes is not None:
        yield _changes(section.changes)
    for table in section.tables[:1]:
        yield _table(table)
    if section.patterns:
        yield "<h3>Where errors are more frequent than elsewhere</h3>\n" + _patterns(section)
    if section.coverage:
        yield _coverage(section.coverage)
    if section.confusion is not None:
        yield "<h3>Which label was taken for which</h3>\n" + _confusion(section.confusion)
    if section.aspects:
        yield (
            '<h3>Errors by what they share</h3>\n<p class="place">In each sentence the error is <mark>marked</mark>, '
            'other errors are <span class="also">underlined</span>. Reasons are the features by which the model\'s '
            "answer and the right one (or, where it was not to be had in one step, the second best) differ, with what "
            "each contributes: those above 0 spoke for the error.</p>\n"
        )
    for aspect in section.aspects:
        yield from _aspect(aspect, section.errors)
    if len(section.tables) > 1:
        yield "<h3>Scores in detail</h3>\n"
    for table in section.tables[1:]:
        yield _table(table)
    yield "</section>\n"


def _headline(section: Section) -> str:
    right = 100 * (1 - section.errors / section.decisions) if section.decisions else 0.0
    title = _safe(_capital(section.title))
    return f"{title}: {section.errors:,} errors in {section.decisions:,}, {right:.2f}% right"


def _capital(title: str) -> str:
    return title[:1].upper() + title[1:]


def _changes(changes: ModelChanges) -> str:
    rows: list[list[object]] = [["", "other", "this", "difference", "95 % interval", "p bootstrap", "p randomisation"]]
    rows += [score.row() for score in changes.scores]
    sign_p = _safe(f"= {shown_p(changes.sign_p)}".replace("= <", "<"))
    parts = [
        "<h3>Beside the other model</h3>\n" + _table(Table("", rows)),
        f"<p>Fixed: <b>{changes.fixed:,}</b> that only this model has right. Broken: <b>{changes.broken:,}</b> that "
        f"only the other one has right. Sign test: p {sign_p}.</p>\n",
    ]
    for title, examples in (("Fixed", changes.examples_fixed), ("Broken", changes.examples_broken)):
        if examples:
            body = "".join(map(_example, examples))
            parts.append(f"<details><summary><b>{title}</b><small>examples</small></summary>{body}</details>\n")
    return "".join(parts)


def _patterns(section: Section) -> str:
    compared = section.changes is not None
    rows: list[list[object]] = [["", "errors", "of", "percent", *(["other's errors"] if compared else [])]]
    for title, group in section.patterns:
        other = [group.other] if compared else []
        share = percent(group.errors, group.total or 0)
        rows.append([f"{title}: {group.value}", group.errors, group.total, share, *other])
    average = 100 * section.errors / max(section.decisions, 1)
    return _table(Table(f"On average {average:.1f} % are errors.", rows))


def _coverage(coverage: Sequence[Coverage]) -> str:
    title = "Answers that are right, if only the surest are given"
    points = [(f"{100 * each.coverage:.0f} %", 100 * each.precision) for each in reversed(coverage)]
    rows: list[list[object]] = [["answered", "right, percent", "from confidence"]]
    rows += [[f"{100 * each.coverage:.0f} %", 100 * each.precision, each.confidence] for each in coverage]
    return f'<h3>{title}</h3>\n<div class="wide">{svg_curve(points, title)}</div>\n{_table(Table("", rows))}'


def _confusion(confusion: Confusion) -> str:
    labels = [_safe(shortened(label)) for label in confusion.labels]
    head = "".join(f"<th>{label}</th>" for label in labels)
    rows = []
    for y, counts in enumerate(confusion.counts):
        most = max(max((n for z, n in enumerate(counts) if z != y), default=0), 1)
        cells = "".join(
            f'<td class="same">{n:,}</td>'
            if z == y
            else f'<td style="background:rgba(var(--shade),{0.45 * (n / most) ** 0.5:.2f})">{n:,}</td>'
            if n
            else "<td></td>"
            for z, n in enumerate(counts)
        )
        rows.append(f"<tr><th>{labels[y]}</th>{cells}</tr>")
    return (
        '<p class="place">Rows are gold, columns the model; labels that were confused most.</p>\n'
        f'<div class="wide"><table class="matrix"><tr><td></td>{head}</tr>{"".join(rows)}</table></div>\n'
    )


def _aspect(aspect: Aspect, errors: int) -> Iterator[str]:
    left_out = f" <small>and {aspect.left_out:,} smaller groups</small>" if aspect.left_out else ""
    yield f"<h3>{_safe(_capital(aspect.title))}{left_out}</h3>\n"
    for number, group in enumerate(aspect.groups):
        of = "" if group.total is None else f" of {group.total:,}, {percent(group.errors, group.total):.1f} %"
        share = 100 * group.errors / max(errors, 1)
        other = "" if group.other is None else f"; the other model: {group.other:,}"
        size = f"<small>{group.errors:,} errors{of}; {share:.1f} % of all{other}</small>"
        yield f"<details{' open' if number == 0 else ''}><summary><b>{_safe(group.value)}</b>{size}</summary>"
        yield "".join(map(_example, group.examples)) + "</details>\n"


def _example(example: ShownExample) -> str:
    is_right = example.gold == example.guess
    other = f', the other model <span class="place">{_safe(example.other)}</span>' if example.other is not None else ""
    trees = "" if example.trees is None else _trees(example.trees, example)
    reason = "" if example.reason is None else _reason(example.reason)
    return (
        f'<div class="example"><p>{_sentence(example)}</p><p><span class="place">{_safe(example.place)}:</span> gold '
        f'<span class="gold">{_safe(example.gold)}</span>, model '
        f'<span class="{"gold" if is_right else "guess"}">{_safe(example.guess)}</span>'
        f"{other}</p>{trees}{reason}</div>"
    )


def _sentence(example: ShownExample) -> str:
    words, marked = example.words, example.marked
    if not words:
        return '<span class="place">(features without text)</span>'
    begin, end = (max(marked.start - _AROUND, 0), marked.stop + _AROUND) if marked else (0, _BEGINNING)
    shown = [_safe(word) for word in words[begin:end]]
    for k in range(begin, begin + len(shown)):
        if k in marked:
            kind = ' class="right"' if example.gold == example.guess else ""
            first, last = f"<mark{kind}>" * (k == marked.start), "</mark>" * (k == marked.stop - 1)
            shown[k - begin] = f"{first}{shown[k - begin]}{last}"
        elif k in example.also_wrong:
            shown[k - begin] = f'<span class="also">{shown[k - begin]}</span>'
    return ("… " if begin else "") + " ".join(shown) + (" …" if end < len(words) else "")


def _trees(trees: Trees, example: ShownExample) -> str:
    gold, guess, tags = trees
    words = list(map(_cut, example.words))
    wrong = {m + 1 for m in (*example.also_wrong, *example.marked)}
    pictures = ((gold, set[int](), "the gold tree"), (guess, wrong, "the model's tree; wrong arcs are marked"))
    return "".join(
        f'<div class="wide"><div class="place">{_safe(title)}</div>'
        f"{svg_inline((words, heads, relations, tags), marked, title)}</div>"
        for (heads, relations), marked, title in pictures
    )


def _reason(record: ExplanationRecord) -> str:
    rows = summed_features(record["features"])
    body = "".join(
        f'<tr><td class="{"for" if number > 0 else "against"}">{number:+.2f}</td><td class="left">{_safe(text)}</td>'
        f'<td class="left">{_safe(weights)}</td></tr>'
        for number, text, weights in rows[:_TOP]
    )
    if len(rows) > _TOP:
        rest = sum(row.contribution for row in rows[_TOP:])
        body += f'<tr><td>{rest:+.2f}</td><td class="left" colspan="2">{len(rows) - _TOP:,} other features</td></tr>'
    return f'<div class="wide"><table><caption>{_safe(choice(record))}</caption>{body}</table></div>'


def _table(table: Table) -> str:
    heading, *rows = table.rows
    head = "".join(f"<th>{_safe(str(cell))}</th>" if cell else "<td></td>" for cell in heading)
    body = "".join(f"<tr>{''.join(f'<td>{_cell(cell)}</td>' for cell in row)}</tr>" for row in rows)
    caption = f"<caption>{escaped(table.caption)}</caption>" if table.caption else ""
    return f'<div class="wide"><table>{caption}<tr>{head}</tr>{body}</table></div>\n'


def _cell(value: object) -> str:
    match value:
        case float():
            return f"{value:.2f}"
        case int():
            return f"{value:,}"
    return "" if value is None else _safe(str(value))


def _safe(text: str) -> str:
    return escaped(_cut(text))


def _cut(text: str) -> str:
    return text if len(text) <= _LONG else text[: _LONG - 1] + "…"


def svg_curve(named: Sequence[tuple[str, float]], title: str, chosen: int | None = None) -> str:
    """Draw scores in percent with the names of their points. The chosen point is larger; the title is read out.

    >>> picture = svg_curve([("1", 70.0), ("2", 80.0), ("3", 75.0)], "80.00 after 2 of 3 epochs", 1)
    >>> picture.count("<circle"), "80.00 after 2 of 3 epochs" in picture
    (3, True)
    """
    names, scores = zip(*named, strict=True)
    low, high = min(scores), max(scores)

    def point(number: int, score: float) -> tuple[float, float]:
        x = _LEFT + _WIDTH * (number / (len(scores) - 1) if len(scores) > 1 else 0.5)
        return x, 10 + _HEIGHT * ((high - score) / (high - low) if high > low else 0.5)

    points = [point(*each) for each in enumerate(scores)]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    circles = "".join(
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{5 if k == chosen else 2.5}">'
        f"<title>{names[k]}: {scores[k]:.2f}</title></circle>"
        for k, (x, y) in enumerate(points)
    )
    texts = [(_LEFT - 10.0, point(0, s)[1] + 4, "end", f"{s:.2f}") for s in dict.fromkeys((high, low))]
    texts += [(points[k][0], _HEIGHT + 30, "middle", names[k]) for k in dict.fromkeys((0, len(scores) - 1))]
    words = "".join(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{at}">{text}</text>' for x, y, at, text in texts)
    width, height = _LEFT + _WIDTH + 20, _HEIGHT + _BELOW
    return (
        f'<svg class="curve" role="img" {size_attributes(width, height)} aria-label="{escape(title, quote=True)}">'
        f'<polyline points="{line}"/>{circles}{words}</svg>'
    )
