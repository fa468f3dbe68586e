# The solutions of lesson 2. Others are right, too; a tagger's features above all are a matter of taste.

# %% exercise="phi"
def phi(f, words, labels):
    """Return how often each feature occurs in a sentence with these labels."""
    counts = Counter()
    h = START
    for i, y in enumerate(labels):
        for feature in f(words, i, h, y):
            counts[feature] += 1
        h = y
    return counts


# %% exercise="forward"
def forward(n, labels, s):
    """Return alpha: for each of n words a dict, from labels to the best score that ends there."""
    alpha = [{y: s(0, START, y) for y in labels}]
    for i in range(1, n):
        alpha.append({y: max(alpha[i - 1][h] + s(i, h, y) for h in labels) for y in labels})
    return alpha


# %% exercise="viterbi"
def viterbi(n, labels, s):
    """Return the sequence of n labels that has the highest score."""
    alpha, back = [{y: s(0, START, y) for y in labels}], [{}]
    for i in range(1, n):
        alpha.append({})
        back.append({})
        for y in labels:
            scores = {h: alpha[i - 1][h] + s(i, h, y) for h in labels}
            h = max(labels, key=scores.get)
            alpha[i][y], back[i][y] = scores[h], h
    y = max(labels, key=alpha[n - 1].get)
    path = [y]
    for i in range(n - 1, 0, -1):
        y = back[i][y]
        path.append(y)
    return path[::-1]


# %% exercise="update"
def update(w, right, wrong):
    """Add the features of gold, `right`, to w, and subtract those of the guess, `wrong`."""
    for feature, n in right.items():
        w[feature] = w.get(feature, 0) + n
    for feature, n in wrong.items():
        w[feature] = w.get(feature, 0) - n


# %% exercise="train"
def train(sentences, labels, f, epochs):
    """Return the averaged weights of a perceptron, a dict from features to numbers."""
    w, total, presented = {}, {}, 0
    for _ in range(epochs):
        for sentence in sentences:
            words = [word for word, _ in sentence]
            gold = [label for _, label in sentence]
            guess = decode(w, f, words, labels)
            if guess != gold:
                update(w, phi(f, words, gold), phi(f, words, guess))
            for feature, weight in w.items():
                total[feature] = total.get(feature, 0) + weight
            presented += 1
    return {feature: weight / presented for feature, weight in total.items()}


# %% exercise="my_features"
def my_features(words, i, h, y):
    word = words[i]
    features = [("word " + word, y), ("label before", (h, y))]
    features += [("ending " + word[-2:], y), ("ending " + word[-3:], y), ("last " + word[-1], y)]
    if i > 0:
        features.append(("word before " + words[i - 1], y))
    return features
