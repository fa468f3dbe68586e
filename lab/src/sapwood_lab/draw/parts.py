"""Pictures beneath each other in one SVG, which has a title."""

from collections.abc import Sequence

from sapwood_lab.base.drawing.sentence import escaped, printable
from sapwood_lab.base.drawing.svg import (
    FORM_SIZE,
    MARGIN,
    SMALL_SIZE,
    STYLE,
    Picture,
    px,
    size_attributes,
    style_sheet,
    text_width,
)

LINE = 20  # pixels from one line of text to the next


def stacked(title: str, parts: Sequence[Picture]) -> str:
    """Return a self-contained SVG with its own background, light or dark as the reader prefers, and light in print."""
    width = max(part.width for part in parts)
    height = sum(part.height for part in parts) + MARGIN
    head = f'xmlns="http://www.w3.org/2000/svg" class="sapwood-step" {size_attributes(width, height)} role="img"'
    svg = [
        f'<svg {head} aria-label="{escaped(title)}">',
        STYLE,
        f"<style>\n{style_sheet(__file__, 'step.css')}</style>",
    ]
    svg.append('<rect class="page" width="100%" height="100%" rx="6"/>')
    y = 0.0
    for part in parts:
        svg += [f'<g transform="translate(0 {px(y)})">', *part.elements, "</g>"]
        y += part.height
    return "\n".join([*svg, "</svg>\n"])


def within(svg: str) -> Picture:
    """Return a whole SVG as a part of another one."""
    width, height = (float(svg.split(f'{name}="', 1)[1].split('"', 1)[0]) for name in ("width", "height"))
    return Picture([svg], width, height)


def paragraph(lines: Sequence[tuple[str, str]]) -> Picture:
    """Draw lines of text, each with its style."""
    elements = [svg_text(MARGIN, LINE * (k + 1), style, content) for k, (style, content) in enumerate(lines)]
    width = max(text_width(printable(content), FORM_SIZE) for _, content in lines) + 2 * MARGIN
    return Picture(elements, width, LINE * len(lines) + SMALL_SIZE)


def svg_text(x: float, y: float, style: str, content: str) -> str:
    """Draw a text in one line."""
    return f'<text class="{style}" x="{px(x)}" y="{px(y)}">{escaped(content)}</text>'
