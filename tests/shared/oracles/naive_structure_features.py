"""Features of whole labellings and dependency trees by name: what core/features/structure_features.cpp has by key."""

from collections import Counter
from collections.abc import Sequence

from sapwood.metrics.chunks import extract_chunks

__all__ = ["arc_features", "label_features"]

_LONGEST = 6  # tokens of a chunk that is spelled out


def label_features(tokens: Sequence[Sequence[str]], labels: Sequence[str], chunks: bool) -> Counter[str]:
    """Return the features of one label a token, or of the chunks that the labels spell.

    tokens : [tokens][columns], the word first, a tag second if there is one
    """
    words = [row[0].lower() for row in tokens]
    tags = [row[1] if len(row) > 1 else "_" for row in tokens]
    features: Counter[str] = Counter()
    if not chunks:
        padded = ["<s>", "<s>", "<s>", *labels, "</s>"]
        for i in range(len(labels) + 1):
            features[f"4:{' '.join(padded[i : i + 4])}"] += 1
        for i, word in enumerate(words):
            features[f"3w:{' '.join(padded[i + 1 : i + 4])} {word}"] += 1
        return features
    segments: list[tuple[str, int, int]] = []  # chunks, and the words outside of them
    at = 0
    for chunk in extract_chunks(labels):
        segments += [("O", k, k + 1) for k in range(at, chunk.start)]
        segments.append(chunk)
        at = max(at, chunk.end)
    segments += [("O", k, k + 1) for k in range(at, len(labels))]
    kinds = ["<s>", "<s>", *(kind for kind, _, _ in segments), "</s>"]
    heads = ["<s>", *(words[end - 1] for _, _, end in segments), "</s>"]
    for k in range(len(segments) + 1):
        features[f"k3:{' '.join(kinds[k : k + 3])}"] += 1
        features[f"kh:{kinds[k + 1]} {heads[k]} {kinds[k + 2]} {heads[k + 1]}"] += 1
        features[f"kk:{kinds[k + 1]} {kinds[k + 2]} {heads[k + 1]}"] += 1
    for k, (kind, start, end) in enumerate(segments):
        inside = " ".join(tags[start:end]) if end - start <= _LONGEST else f"{tags[start]} .. {tags[end - 1]}"
        before, behind = tags[start - 1] if start else "<s>", tags[end] if end < len(tags) else "</s>"
        features[f"t:{kind} {inside}"] += 1
        features[f"t<>:{kind} {before} {inside} {behind}"] += 1
        features[f"w:{kind} {' '.join(words[start:end][:_LONGEST])}"] += 1
        features[f"fl:{kind} {words[start]} {words[end - 1]}"] += 1
        features[f"n:{kind} {min(end - start, 8)}"] += 1
        features[f"k4:{kinds[k]} {kinds[k + 1]} {kind} {kinds[k + 3]} {heads[k + 1]}"] += 1
    return features


def arc_features(tokens: Sequence[Sequence[str]], heads: Sequence[int], deprels: Sequence[str]) -> Counter[str]:
    """Return the features of a dependency tree: grandparents, children of a head and their number, distances.

    tokens : [words][columns], the word first, a tag second if there is one; heads : [words], 0 the root
    """
    words = ["<root>", *(row[0].lower() for row in tokens)]
    tags = ["<root>", *(row[1] if len(row) > 1 else "_" for row in tokens)]
    features: Counter[str] = Counter()
    children: dict[int, list[int]] = {}
    for modifier, head in enumerate(heads, 1):
        children.setdefault(head, []).append(modifier)
        above = heads[head - 1] if head else -1
        side = "<" if modifier < head else ">"
        grandparent = tags[above] if above >= 0 else "<none>"
        features[f"g:{grandparent} {tags[head]} {tags[modifier]} {side}"] += 1
        features[f"gw:{grandparent} {words[head]} {tags[modifier]} {side}"] += 1
        features[f"wg:{grandparent} {tags[head]} {words[modifier]} {side}"] += 1
        features[f"r:{deprels[modifier - 1]} {tags[head]} {words[modifier]}"] += 1
    for head, below in children.items():
        left = [tags[m] for m in below if m < head]
        right = [tags[m] for m in below if m > head]
        features[f"c:{tags[head]} {' '.join(left)} | {' '.join(right)}"] += 1
        features[f"v:{words[head]} {min(len(left), 4)} {min(len(right), 4)}"] += 1
        features[f"d:{tags[head]} {' '.join(sorted(deprels[m - 1] for m in below))}"] += 1
        for side_tags in (["<s>", *left, "</s>"], ["<s>", *right, "</s>"]):
            for k in range(len(side_tags) - 1):
                features[f"s:{tags[head]} {side_tags[k]} {side_tags[k + 1]}"] += 1
    return features
