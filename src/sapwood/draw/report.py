"""A report as one page of HTML: no script, no network, readable on paper and on a telephone, light and dark."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from sapwood.draw.explanation import Record, choice, feature_rows
from sapwood.draw.learning_curve import svg_curve
from sapwood.draw.report_parts import Aspect, Changes, Example, Group, Page, Section, Table
from sapwood.draw.sentence import printable
from sapwood.draw.svg import STYLE as TREE_STYLE
from sapwood.draw.svg import svg_inline
from sapwood.metrics.confusion import Confusion, shortened
from sapwood.metrics.significance import shown_p

_TOP = 5  # features of an explanation
_AROUND = 15  # words that are shown on each side of the one that an example is about
_BEGINNING = 50  # words that are shown of an example that is about none
_LONG = 60  # characters of a word or label

_STYLE = """
:root{color-scheme:light dark;--ink:#1c1c1c;--dim:#5f6368;--paper:#fff;--line:#d9dde1;--box:#f5f7f9;--wrong:#b3261e;
--right:#1a7f37;--blue:#1f5f8b;--shade:31,95,139}
@media (prefers-color-scheme:dark){:root{--ink:#ececec;--dim:#a8adb3;--paper:#16191d;--line:#3a4046;--box:#1f242a;
--wrong:#ff8a80;--right:#6fd08c;--blue:#8cc4ec;--shade:140,196,236}}
*{box-sizing:border-box}
body{margin:0 auto;padding:1rem;max-width:62rem;font:16px/1.55 system-ui,"Helvetica Neue",Arial,sans-serif;
background:var(--paper);color:var(--ink)}
h1{font-size:1.5rem;margin:.5rem 0;overflow-wrap:anywhere}h2{margin:2.5rem 0 .5rem;border-bottom:2px solid var(--line)}
h3{margin:1.6rem 0 .4rem;font-size:1.05rem}a{color:var(--blue)}p{margin:.4rem 0}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.1rem 1rem;margin:.5rem 0}dt{color:var(--dim)}
dd{margin:0;overflow-wrap:anywhere}pre{font-size:.85rem}nav ul{padding-left:1.2rem}
.wide{overflow-x:auto;margin:.5rem 0}
table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:.9rem}
caption{text-align:left;color:var(--dim)}
th,td{padding:.15rem .6rem;text-align:right;border-bottom:1px solid var(--line)}
th:first-child,td:first-child,.left{text-align:left}th{color:var(--dim);font-weight:normal}
.matrix td{border:1px solid var(--line);padding:.15rem .4rem}.matrix .same{color:var(--dim)}
details{border:1px solid var(--line);border-radius:.4rem;margin:.4rem 0;background:var(--box)}
summary{padding:.35rem .7rem;cursor:pointer;overflow-wrap:anywhere}summary b{margin-right:.6rem}
summary small,.place{color:var(--dim)}
.example{padding:.4rem .7rem;border-top:1px solid var(--line)}.example p{overflow-wrap:anywhere}
mark{background:none;color:var(--wrong);font-weight:bold;border-bottom:2px solid}
mark.right{color:var(--right)}.also{border-bottom:1px dotted var(--wrong)}.gold{color:var(--right);font-weight:bold}
.guess,.for{color:var(--wrong)}.guess{font-weight:bold}.against{color:var(--right)}
.curve polyline{fill:none;stroke:var(--blue);stroke-width:2}.curve circle{fill:var(--blue)}
.curve text{fill:var(--dim);font-size:.8rem}.curve{max-width:100%;height:auto}
.example table{font-size:.8rem}.example td{overflow-wrap:anywhere}svg{max-width:none}
@media (max-width:40rem){body{padding:.6rem;font-size:15px}dl{display:block}dd{margin-bottom:.4rem}
th,td{padding:.1rem .3rem}}
@media print{body{max-width:none;font-size:10pt}details{break-inside:avoid;background:none}nav{display:none}
details::details-content{content-visibility:visible;block-size:auto}.wide{overflow:visible}svg{max-width:100%;height:auto}}
"""
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"  # whatever stands in the text, nothing is run or fetched


def html_report(page: Page) -> Iterator[str]:
    """Yield the parts of the page. All text is escaped; characters that cannot be printed are shown as U+FFFD."""
    style = TREE_STYLE.removeprefix("<style>").removesuffix("</style>")
    yield (
        '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{_safe(page.title)}</title>\n<style>{_STYLE}{style}</style>\n<body>\n<main>\n"
        f"<h1>{_safe(page.title)}</h1>\n<dl>"
    )
    yield "".join(f"<dt>{_safe(name)}</dt><dd>{escape(printable(value))}</dd>" for name, value in page.facts)
    yield "</dl>\n"
    if page.overview:
        lines = "\n".join(escape(printable(line)) for line in page.overview.splitlines())
        yield f'<div class="wide"><pre>{lines}</pre></div>\n'
    for name, scores in page.curves:
        yield f"<h3>Score on held-out data by epoch: {_safe(name)}</h3>\n"
        yield f'<div class="wide">{svg_curve(scores, name)}</div>\n'
    if len(page.sections) > 1:
        links = "".join(f'<li><a href="#s{k}">{_headline(each)}</a></li>' for k, each in enumerate(page.sections))
        yield f"<nav><ul>{links}</ul></nav>\n"
    for number, section in enumerate(page.sections):
        yield from _section(number, section)
    yield "</main>\n</body>\n</html>\n"


def _section(number: int, section: Section) -> Iterator[str]:
    yield f'<section>\n<h2 id="s{number}">{_headline(section)}</h2>\n'
    if section.changes is not None:
        yield _changes(section.changes)
    for table in section.tables[:1]:
        yield _table(table)
    if section.patterns:
        yield "<h3>Where errors are more frequent than elsewhere</h3>\n" + _patterns(section)
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
        yield from _aspect(aspect, section.errors, section.decisions)
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


def _changes(changes: Changes) -> str:
    rows: list[list[object]] = [["", "other", "this", "difference", "95 % interval", "p bootstrap", "p randomisation"]]
    for s in changes.scores:
        p = [shown_p(value) for value in (s.bootstrap_p, s.randomisation_p)]
        rows.append([s.score, s.a, s.b, f"{s.difference:+.2f}", f"{s.low:+.2f} .. {s.high:+.2f}", *p])
    parts = [
        "<h3>Beside the other model</h3>\n" + _table(Table("", rows)),
        f"<p>Fixed: <b>{changes.fixed:,}</b> that only this model has right. Broken: <b>{changes.broken:,}</b> that "
        f"only the other one has right. Sign test: p {_p(changes.sign_p)}.</p>\n",
    ]
    for title, examples in (("Fixed", changes.examples_fixed), ("Broken", changes.examples_broken)):
        if examples:
            body = "".join(map(_example, examples))
            parts.append(f"<details><summary><b>{title}</b><small>examples</small></summary>{body}</details>\n")
    return "".join(parts)


def _p(p: float) -> str:
    text = shown_p(p)
    return _safe(text if text.startswith("<") else f"= {text}")


def _patterns(section: Section) -> str:
    compared = section.changes is not None
    rows: list[list[object]] = [["", "errors", "of", "percent", *(["other's errors"] if compared else [])]]
    for title, group in section.patterns:
        other = [group.other] if compared else []
        rows.append([f"{title}: {group.value}", group.errors, group.total, _percent(group), *other])
    average = 100 * section.errors / max(section.decisions, 1)
    return _table(Table(f"On average {average:.1f} % are errors.", rows))


def _percent(group: Group) -> float:
    return 100 * group.errors / group.total if group.total else 0.0


def _confusion(confusion: Confusion) -> str:
    labels = [_safe(shortened(label)) for label in confusion.labels]
    head = "".join(f"<th>{label}</th>" for label in labels)
    rows = []
    for y, counts in enumerate(confusion.counts):
        most = max(max((n for z, n in enumerate(counts) if z != y), default=0), 1)
        cells = "".join(
            f'<td class="same">{n:,}</td>'
            if z == y
            else f'<td style="background:rgba(var(--shade),{(n / most) ** 0.5 / 2:.2f})">{n:,}</td>'
            if n
            else "<td></td>"
            for z, n in enumerate(counts)
        )
        rows.append(f"<tr><th>{labels[y]}</th>{cells}</tr>")
    return (
        '<p class="place">Rows are gold, columns the model; labels that were confused most.</p>\n'
        f'<div class="wide"><table class="matrix"><tr><th></th>{head}</tr>{"".join(rows)}</table></div>\n'
    )


def _aspect(aspect: Aspect, errors: int, decisions: int) -> Iterator[str]:
    left_out = f" <small>and {aspect.left_out:,} smaller groups</small>" if aspect.left_out else ""
    yield f"<h3>{_safe(_capital(aspect.title))}{left_out}</h3>\n"
    for number, group in enumerate(aspect.groups):
        of = f" of {group.total:,}, {_percent(group):.1f} %" if group.total is not None else ""
        share = 100 * group.errors / max(errors, 1)
        other = "" if group.other is None else f"; the other model: {group.other:,}"
        size = f"<small>{group.errors:,} errors{of}; {share:.1f} % of all{other}</small>"
        yield f"<details{' open' if number == 0 else ''}><summary><b>{_safe(group.value)}</b>{size}</summary>"
        yield "".join(map(_example, group.examples)) + "</details>\n"


def _example(example: Example) -> str:
    is_right = example.gold == example.guess
    other = f', the other model <span class="place">{_safe(example.other)}</span>' if example.other is not None else ""
    parts = [
        f'<div class="example"><p>{_sentence(example)}</p><p><span class="place">{_safe(example.place)}:</span> gold '
        f'<span class="gold">{_safe(example.gold)}</span>, model '
        f'<span class="{"gold" if is_right else "guess"}">{_safe(example.guess)}</span>'
        f"{other}</p>"
    ]
    if example.trees is not None:
        parts.append(_trees(example))
    if example.reason is not None:
        parts.append(_reason(example.reason))
    return "".join([*parts, "</div>"])


def _sentence(example: Example) -> str:
    """Return the words that the example is about, and those around them."""
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


def _trees(example: Example) -> str:
    assert example.trees is not None
    gold, guess, tags = example.trees
    wrong = {m + 1 for m in (*example.also_wrong, *example.marked)}
    pictures = (
        (gold, frozenset[int](), "the gold tree"),
        (guess, wrong, "the model's tree; wrong arcs are marked"),
    )
    return "".join(
        f'<div class="wide"><div class="place">{_safe(title)}</div>'
        f"{svg_inline(list(map(_cut, example.words)), heads, relations, tags, marked, title)}</div>"
        for (heads, relations), marked, title in pictures
    )


def _reason(record: Record) -> str:
    """Return an explanation: what was chosen, and the features that count most."""
    rows = feature_rows(record["features"])
    body = "".join(
        f'<tr><td class="{"for" if number > 0 else "against"}">{number:+.2f}</td><td class="left">{_safe(text)}</td>'
        f'<td class="left">{_safe(weights)}</td></tr>'
        for number, text, weights in rows[:_TOP]
    )
    if len(rows) > _TOP:
        rest = sum(row[0] for row in rows[_TOP:])
        body += f'<tr><td>{rest:+.2f}</td><td class="left" colspan="2">{len(rows) - _TOP:,} other features</td></tr>'
    return f'<div class="wide"><table><caption>{_safe(choice(record))}</caption>{body}</table></div>'


def _table(table: Table) -> str:
    heading, *rows = table.rows
    head = "".join(f"<th>{_safe(str(cell))}</th>" for cell in heading)
    body = "".join(f"<tr>{''.join(f'<td>{_cell(cell)}</td>' for cell in row)}</tr>" for row in rows)
    caption = f"<caption>{escape(printable(table.caption))}</caption>" if table.caption else ""
    return f'<div class="wide"><table>{caption}<tr>{head}</tr>{body}</table></div>\n'


def _cell(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.2f}"
    return f"{value:,}" if isinstance(value, int) else "" if value is None else _safe(str(value))


def _safe(text: str) -> str:
    return escape(printable(_cut(text)))


def _cut(text: str) -> str:
    """Return a text without the end if it is long."""
    return text if len(text) <= _LONG else text[: _LONG - 1] + "…"


__all__: Sequence[str] = ["html_report"]
