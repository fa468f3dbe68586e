"""The features of sklearn-crfsuite's tutorial: a word, its tag, and those of its neighbours, as dicts."""

Sentence = list[tuple[str, ...]]


def word2features(sent: Sentence, i: int) -> dict[str, object]:
    """As sklearn-crfsuite's tutorial has it."""
    word = sent[i][0]
    postag = sent[i][1]
    features = {
        "bias": 1.0,
        "word.lower()": word.lower(),
        "word[-3:]": word[-3:],
        "word[-2:]": word[-2:],
        "word.isupper()": word.isupper(),
        "word.istitle()": word.istitle(),
        "word.isdigit()": word.isdigit(),
        "postag": postag,
        "postag[:2]": postag[:2],
    }
    if i > 0:
        word1 = sent[i - 1][0]
        postag1 = sent[i - 1][1]
        features.update(
            {
                "-1:word.lower()": word1.lower(),
                "-1:word.istitle()": word1.istitle(),
                "-1:word.isupper()": word1.isupper(),
                "-1:postag": postag1,
                "-1:postag[:2]": postag1[:2],
            }
        )
    else:
        features["BOS"] = True
    if i < len(sent) - 1:
        word1 = sent[i + 1][0]
        postag1 = sent[i + 1][1]
        features.update(
            {
                "+1:word.lower()": word1.lower(),
                "+1:word.istitle()": word1.istitle(),
                "+1:word.isupper()": word1.isupper(),
                "+1:postag": postag1,
                "+1:postag[:2]": postag1[:2],
            }
        )
    else:
        features["EOS"] = True
    return features


def dicts_of(sentences: list[Sentence]) -> tuple[list[list[dict[str, object]]], list[list[str]]]:
    """Return the features of each token, and its label, which stands last."""
    X = [[word2features(sentence, i) for i in range(len(sentence))] for sentence in sentences]
    return X, [[token[-1] for token in sentence] for sentence in sentences]
