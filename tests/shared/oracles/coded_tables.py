"""A reader of coded tables, written from docs/model-format.md: slow, and as plain as the page."""

from itertools import accumulate, pairwise


class Bits:
    def __init__(self, data):
        self.data, self.at = data, 0

    def get(self, count=1):
        value = 0
        for k in range(count):
            value |= (self.data[self.at // 8] >> self.at % 8 & 1) << k
            self.at += 1
        return value

    def gamma(self):
        more = 0
        while self.get():
            more += 1
        return 1 << more | self.get(more)

    def change(self):
        z = 0
        while self.get():
            z += 2
        z += self.get()
        return z // 2 if z % 2 == 0 else -(z + 1) // 2


def read_levels(bits, alphabet, parent):
    """Return {symbol: level}; `parent` is that of the parent table, None for the root."""
    possible = list(range(alphabet)) if parent is None else sorted(parent)
    levels, place, d = {}, -1, 8 if parent is None else 0
    for _ in range(bits.gamma()):
        place += bits.gamma()
        symbol = possible[place]
        d += bits.change()
        levels[symbol] = (0 if parent is None else parent[symbol]) + d
    return levels


def frequencies(levels):
    """Return [(symbol, start, frequency)]."""
    v = {symbol: (2 + (level - 1) % 2) << (level - 1) // 2 for symbol, level in levels.items()}
    f = {symbol: 1 + v[symbol] * (2048 - len(v)) // sum(v.values()) for symbol in v}
    f[max(levels, key=lambda symbol: (levels[symbol], -symbol))] += 2048 - sum(f.values())
    starts = [0, *accumulate(f[symbol] for symbol in sorted(f))]
    return [(symbol, start, f[symbol]) for symbol, start in zip(sorted(f), starts, strict=False)]


def read_tables(bits, alphabet, outer=0, inner=0):
    """Return the frequencies of contexts: None is the root, a an outer context, (a, b) an inner one."""
    root = read_levels(bits, alphabet, None)
    tables = {None: frequencies(root)}
    for a in range(outer):
        if bits.get():
            own = read_levels(bits, alphabet, root)
            tables[a] = frequencies(own)
            for b in range(inner):
                if bits.get():
                    tables[a, b] = frequencies(read_levels(bits, alphabet, own))
    return tables


class Stream:
    def __init__(self, data, alphabet, outer=0, inner=0, skip=0):
        bits = Bits(data)
        bits.get(skip)
        self.tables = read_tables(bits, alphabet, outer, inner)
        self.begin(data, bits)

    def begin(self, data, bits):
        rest = data[(bits.at + 7) // 8 :]
        self.states = [int.from_bytes(rest[4 * k : 4 * k + 4], "little") for k in range(4)]
        self.words = [int.from_bytes(rest[k : k + 2], "little") for k in range(16, len(rest), 2)]

    def step(self, x):
        if x < 65536:
            x = x << 16 | self.words.pop(0)
        self.states = [*self.states[1:], x]

    def symbol(self, a=None, b=None):
        table = self.tables.get((a, b)) or self.tables.get(a) or self.tables[None]
        x = self.states[0]
        slot = x % 2048
        symbol, start, f = next(row for row in table if row[1] <= slot < row[1] + row[2])
        self.step(f * (x // 2048) + slot - start)
        return symbol

    def plain(self, count):
        value = 0
        for done in range(0, count, 16):
            k = min(16, count - done)
            value |= self.states[0] % (1 << k) << done
            self.step(self.states[0] >> k)
        return value

    def number(self, low=0):
        return self.number_of(self.symbol(), low)

    def number_of(self, t, low=0):
        if t < 16:
            return (t << low) + self.plain(low)
        m = (t - 16) // 8 + 1
        return ((8 + (t - 16) % 8) << m + low) + self.plain(m + low)

    def is_done(self):
        return self.states == [65536] * 4 and not self.words


def lanes(sizes):
    """Yield (place, how many are to come with this one, size) of all weights, in the order of reading."""
    features, firsts, rest = len(sizes), [0, *accumulate(sizes)], []
    for j in range(4):
        mine = range(features * j // 4, features * (j + 1) // 4)
        rest.append([(firsts[f] + k, sizes[f] - k, sizes[f]) for f in mine for k in range(sizes[f])])
    for turn in range(max(map(len, rest))):
        yield from (lane[turn] for lane in rest if turn < len(lane))


def read_keys(data, features, b):
    stream = Stream(data, 496)
    low, keys = max(1, b - features.bit_length() - 2), []
    for _ in range(features):
        keys.append(stream.number(low) + (keys[-1] + 1 if keys else 0))
    assert stream.is_done()
    return keys


def read_table(record, data):
    """Return the keys, sizes, outputs and weights of a table of int8 or int16 weights."""
    features, width, b = record["features"], record["width"], record["key_bits"]
    ends = [0, *accumulate(record["lengths"])]
    sections = [data[begin:end] for begin, end in pairwise(ends)]
    if features == 0:
        return [], [], [], []

    keys = read_keys(sections[0], features, b)
    stream = Stream(sections[1], 496)
    sizes = [stream.number() + 1 for _ in range(features)]
    assert stream.is_done()

    outputs = [0] * record["weights"]
    if width > 1:
        low = max(10, (width - 1).bit_length()) - 10
        alphabet = ((width - 1) >> low) + 1
        stream = Stream(sections[2], alphabet, alphabet + 1, 3)
        for place, to_come, size in lanes(sizes):
            before = 0 if to_come == size else 1 + (outputs[place - 1] >> low)
            symbol = stream.symbol(before, min(to_come, 3) - 1)
            outputs[place] = symbol << low | stream.plain(low)
        assert stream.is_done()
    return keys, sizes, outputs, read_weights(sections[3], sizes)


def read_weights(data, sizes):
    mode, width = data[0] & 3, data[0] >> 2 & 7
    if mode == 0:
        return [int.from_bytes(data[k : k + width], "little", signed=True) for k in range(1, len(data), width)]
    weights = [0] * sum(sizes)
    stream = Stream(data, 240, 12, 24, skip=5)
    for place, to_come, size in lanes(sizes):
        before = sum(weights[place - (size - to_come) : place])
        is_last = to_come == 1 and size > 1
        q = abs(before) // (1 if width == 1 else 256)
        sign = 1 if q == 0 else 0 if before < 0 else 2
        symbol = stream.symbol(min(size, 6) - 1 + 6 * is_last, 3 * min(q.bit_length(), 7) + sign)
        w = stream.number_of(symbol // 2) * (-1 if symbol % 2 else 1)
        weights[place] = w - before if mode == 2 and is_last else w
    assert stream.is_done()
    return weights
