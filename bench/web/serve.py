"""How fast is the page's server when many ask at once, does every request get its answer, and what memory does it take?

    python -m bench.web.serve TEST.conllu [MODEL] [--udpipe MODEL] [--requests N] [--clients N] [--light N]
                              [--workers N] [--lines N] [--json FILE]

The server is `sapwood serve` with MODEL, or with `en`, the pipeline that comes with sapwood. With --udpipe, or where
UDPIPE_MODEL names one, UDPipe 1 answers the same requests behind the same server. Each request is POST /annotate with a
piece of the test set's text, of about --words words; the clients keep their connections and send one request after
another. Nothing is sent twice: whoever is told to come again counts as an error. Then one client alone sends as many
single sentences, first over a connection that stays open, then over a new connection for each. As many are sent by
--light clients together, over open connections. As clients share the machine with the server, these do the least that
they can: they look at the status and the length of an answer, and whether there are tokens in it. With --lines one
client also sends so many texts as one stream of lines, whose memory must not grow.

errors     answers that are not 200, or whose words are not there
requests/s answered, by the clock
words/s    answered, by the clock: server and clients share the machine
p50, p99   milliseconds from sending a request to having read its answer
CPU ms     of the server for a request
It ends with the time from the command to the first page, and the sizes of pages and what they take.

before MB  resident memory of the server after one request; after MB: after all of them; peak MB: at most
"""

import argparse
import http.client
import json
import os
import socket
import subprocess
import sys
import threading
import time
from contextlib import closing, contextmanager
from pathlib import Path
from queue import Empty, SimpleQueue
from statistics import quantiles
from types import SimpleNamespace
from urllib.parse import urlencode

from measure.layout import print_rows, write_rows
from measure.report import Row
from sapwood.io.conllu import read_treebank
from sapwood.model.base import Model

_TICKS = os.sysconf("SC_CLK_TCK")
_LINES = b"POST /annotate/lines HTTP/1.1\r\nHost: localhost\r\n"
_HEAD = b"POST /annotate HTTP/1.1\r\nHost: localhost\r\n"


_COLUMNS = {
    "requests": ("requests", ",d"),
    "errors": ("errors", ",d"),
    "requests/s": ("requests_per_s", ",.0f"),
    "words/s": ("words_per_s", ",.0f"),
    "p50 ms": ("p50_ms", ",.1f"),
    "p99 ms": ("p99_ms", ",.1f"),
    "CPU ms": ("cpu_ms", ",.1f"),
    "before MB": ("before_mb", ",.1f"),
    "after MB": ("after_mb", ",.1f"),
    "peak MB": ("peak_mb", ",.1f"),
}


class Udpipe(Model):
    """UDPipe 1 as a model of the server, which takes it for a pipeline."""

    task, noun = "pipeline", "pipeline of UDPipe"
    contents = SimpleNamespace(learned="a model of UDPipe 1")

    def __init__(self, path: str) -> None:
        from ufal.udpipe import Model as Loaded
        from ufal.udpipe import Pipeline

        self._loaded = Loaded.load(path)
        if self._loaded is None:
            sys.exit(f"{path}: no model of UDPipe")
        self._pipeline = Pipeline(self._loaded, "tokenize", Pipeline.DEFAULT, Pipeline.DEFAULT, "conllu")
        self.model_ = SimpleNamespace(
            parts={"segmenter": SimpleNamespace(calibration=None)}, calibration=None, provenance={}
        )
        self.pipeline_, self.writer, self.familiarity_ = self, self, SimpleNamespace(monitor=lambda docs, name: docs)

    def with_confidences(self, docs, confidence):
        return docs

    def read(self, data, name):
        return [Written(self._pipeline.process(data.decode()))]

    def written(self, chunks, *, format, **how):
        [doc] = self.read(b"".join(chunks), "input")
        yield doc.to_json_lines(0) if format == "json" else doc.to_conllu(1)


class Written:
    """CoNLL-U, also as JSON of the form that sapwood's documents have."""

    characters, sentence_count = 0, 0

    def __init__(self, text: str) -> None:
        self._text = text

    def to_conllu(self, first):
        return self._text.encode()

    def to_json_lines(self, first):
        lines = []
        for sentence in self._text.strip().split("\n\n"):
            rows = [row.split("\t") for row in sentence.split("\n") if row[:1].isdigit()]
            tokens = [
                {"id": int(row[0]), "text": row[1], "lemma": row[2], "upos": row[3], "xpos": row[4], "feats": row[5],
                 "head": int(row[6]), "deprel": row[7]}
                for row in rows if row[0].isdigit()
            ]  # fmt: skip
            lines.append(json.dumps({"text": "", "tokens": tokens}, ensure_ascii=False) + "\n")
        return "".join(lines).encode()


def texts_of(path: str, words: int) -> list[tuple[str, int]]:
    """Return the treebank's text in pieces of whole sentences with about so many words, and how many they have."""
    data = read_treebank(Path(path))
    found, begin, count = [], 0, 0
    for number, sentence in enumerate(data.column("form"), start=1):
        count += len(sentence)
        if count >= words:
            found.append((data.select(list(range(begin, number))).text().text.decode(), count))
            begin, count = number, 0
    return found


@contextmanager
def server(kind: str, model: str, workers: int):
    """Run a server in a process of its own; give its port and the process."""
    command = [sys.executable, "-m", "bench.web.serve", "--serve", kind, "--workers", str(workers), "-", model]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            line = next(line for line in process.stderr if " at http://" in line)
            yield int(line.split("/ (")[0].rpartition(":")[2]), process
        finally:
            process.terminate()


def run_server(kind: str, model: str, workers: int) -> None:
    from sapwood.loading import load_model
    from sapwood.web.limits import Limits
    from sapwood.web.server import serve

    loaded = Udpipe(model) if kind == "udpipe" else load_model(model)
    serve(lambda: lambda: {kind: loaded}, "127.0.0.1", 0, Limits(workers=workers))


def memory_of(process) -> dict[str, float]:
    """Return resident memory in MB, now and at most."""
    lines = Path(f"/proc/{process.pid}/status").read_text(encoding="ascii").splitlines()
    fields = dict(line.split(":", 1) for line in lines)
    return {name: int(fields[name].split()[0]) / 1024 for name in ("VmRSS", "VmHWM")}


def cpu_of(process) -> float:
    """Return the CPU seconds that a process has used."""
    fields = Path(f"/proc/{process.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


class Client:
    """A program that asks the server with the standard library, and reads the JSON of its answers."""

    def __init__(self, port: int) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)

    def ask(self, text: str) -> bool:
        """Send a text; say whether the answer has words."""
        self._connection.request("POST", "/annotate", json.dumps({"text": text}), {"Content-Type": "application/json"})
        answer = self._connection.getresponse()
        body = answer.read()
        return answer.status == 200 and any(sentence["tokens"] for sentence in json.loads(body)["sentences"])

    def close(self) -> None:
        """Close the connection; the next request opens another."""
        self._connection.close()


class LightClient:
    """Bytes on a socket that stays open: the least that a client can do, so that the server is what is measured."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=120)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def ask(self, text: str) -> bool:
        """Send a text; say whether the answer is as long as it says and has words."""
        body = json.dumps({"text": text}).encode()
        self._socket.sendall(_HEAD + b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
        head, end, answer = self._received().partition(b"\r\n\r\n")
        while not end:
            head, end, answer = (head + self._received()).partition(b"\r\n\r\n")
        left = int(head.lower().partition(b"\r\ncontent-length:")[2].split(b"\r\n")[0]) - len(answer)
        while left > 0:
            part = self._received()
            left -= len(part)
            answer += part
        return head.startswith(b"HTTP/1.1 200 ") and left == 0 and b'"tokens": [{' in answer

    def _received(self) -> bytes:
        if part := self._socket.recv(1 << 16):
            return part
        raise ConnectionError("the server has closed the connection")

    def close(self) -> None:
        """Close the connection."""
        self._socket.close()


def ask_all(
    kind: type[Client | LightClient], port: int, work: SimpleQueue, taken: list[float], failed: list[str], stays: bool
) -> None:
    """Ask until there is no work left. `stays`: over one connection, not over a new one for each request."""
    with closing(kind(port)) as client:
        while True:
            try:
                text = work.get_nowait()
            except Empty:
                return
            begin = time.perf_counter()
            try:
                if not client.ask(text):
                    failed.append("status")
            except (OSError, http.client.HTTPException) as error:
                failed.append(repr(error))
                client.close()
            if not stays:
                client.close()
            taken.append(time.perf_counter() - begin)


def measure(
    name: str,
    texts: list[tuple[str, int]],
    args,
    clients: int,
    kind: str = "sapwood",
    client: type[Client | LightClient] = Client,
    stays: bool = True,
) -> Row:
    """Send all requests, and tell how it went."""
    model = args.udpipe if kind == "udpipe" else args.model
    work: SimpleQueue = SimpleQueue()
    words = 0
    for k in range(args.requests):
        text, count = texts[k % len(texts)]
        work.put(text)
        words += count
    taken: list[float] = []
    failed: list[str] = []
    with server(kind, model, args.workers) as (port, process):
        with closing(Client(port)) as first:
            first.ask(texts[0][0])
        before, cpu = memory_of(process)["VmRSS"], cpu_of(process)
        about = client, port, work, taken, failed, stays
        threads = [threading.Thread(target=ask_all, args=about) for _ in range(clients)]
        begin = time.perf_counter()
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        wall, cpu, after = time.perf_counter() - begin, cpu_of(process) - cpu, memory_of(process)
    for reason in sorted(set(failed)):
        print(f"{name}: {reason}", file=sys.stderr)
    cuts = quantiles(taken, n=100)
    return {
        "name": name,
        "requests": args.requests,
        "errors": len(failed),
        "requests_per_s": args.requests / wall,
        "words_per_s": words / wall,
        "p50_ms": 1000 * cuts[49],
        "p99_ms": 1000 * cuts[98],
        "cpu_ms": 1000 * cpu / args.requests,
        "before_mb": before,
        "after_mb": after["VmRSS"],
        "peak_mb": after["VmHWM"],
    }


def stream(texts: list[tuple[str, int]], args) -> Row:
    """Send lines without end on one connection and read the answers; there are no times for each."""
    lines = [json.dumps({"text": text}).encode() + b"\n" for text, _ in texts]
    words = sum(texts[k % len(texts)][1] for k in range(args.lines))
    with server("sapwood", args.model, args.workers) as (port, process):
        with closing(Client(port)) as first:
            first.ask(texts[0][0])
        before, cpu, begin = memory_of(process)["VmRSS"], cpu_of(process), time.perf_counter()
        with socket.create_connection(("127.0.0.1", port)) as connection:
            connection.sendall(_LINES + b"Content-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n")

            def send() -> None:
                for k in range(args.lines):
                    line = lines[k % len(lines)]
                    connection.sendall(b"%x\r\n%s\r\n" % (len(line), line))
                connection.sendall(b"0\r\n\r\n")

            sender = threading.Thread(target=send)
            sender.start()
            answered = 0
            with http.client.HTTPResponse(connection) as answer:
                answer.begin()
                for line in answer:
                    answered += line.startswith(b'{"sentences": [{')
            sender.join()
        wall, cpu, after = time.perf_counter() - begin, cpu_of(process) - cpu, memory_of(process)
    return {
        "name": "stream of lines",
        "requests": args.lines,
        "errors": args.lines - answered,
        "words_per_s": words / wall,
        "cpu_ms": 1000 * cpu / args.lines,
        "before_mb": before,
        "after_mb": after["VmRSS"],
        "peak_mb": after["VmHWM"],
    }


def pages(texts: list[tuple[str, int]], args) -> str:
    """Tell how soon the first page is there, and how large pages are."""
    begin = time.perf_counter()
    with (
        server("sapwood", args.model, args.workers) as (port, _),
        closing(http.client.HTTPConnection("127.0.0.1", port)) as connection,
    ):

        def load(method: str, path: str, fields: dict[str, str] | None = None) -> tuple[int, float]:
            sent = time.perf_counter()
            body = None if fields is None else urlencode(fields)
            connection.request(method, path, body, {"Content-Type": "application/x-www-form-urlencoded"})
            size = len(connection.getresponse().read())
            return size, 1000 * (time.perf_counter() - sent)

        first, _ = load("GET", "/")
        started = time.perf_counter() - begin
        files = sum(load("GET", f"/static/page.{kind}")[0] for kind in ("css", "js"))
        shown = sorted(load("POST", "/", {"text": text}) for text, _ in texts[:50])[25]
        why = sorted(load("POST", "/why", {"text": text, "why": "1.1.tagger"}) for text, _ in texts[:50])[25]
    return (
        f"first page {started:.2f} s after the command: {first:,} bytes, its style and script {files:,}\n"
        f"page of a text: {shown[0]:,} bytes in {shown[1]:.0f} ms; "
        f"reasons of a tag: {why[0]:,} bytes in {why[1]:.0f} ms"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("test", help="a treebank whose text is sent")
    parser.add_argument("model", nargs="?", default="en")
    parser.add_argument("--udpipe", default=os.environ.get("UDPIPE_MODEL"), metavar="MODEL")
    parser.add_argument("--requests", type=int, default=1000, metavar="N")
    parser.add_argument("--clients", type=int, default=32, metavar="N")
    parser.add_argument("--light", type=int, default=8, metavar="N")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, metavar="N")
    parser.add_argument("--words", type=int, default=100, metavar="N")
    parser.add_argument("--lines", type=int, metavar="N")
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--serve", choices=("sapwood", "udpipe"), help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.serve:
        run_server(args.serve, args.model, args.workers)
        return
    texts = texts_of(args.test, args.words)
    sentences = texts_of(args.test, 1)
    rows = [
        measure("sapwood", texts, args, args.clients),
        measure("one client, an open connection", sentences, args, 1),
        measure("one client, new connections", sentences, args, 1, stays=False),
        measure("light clients, open connections", sentences, args, args.light, client=LightClient),
    ]
    if args.lines:
        rows.append(stream(texts, args))
    if args.udpipe:
        rows.append(measure("UDPipe 1", texts, args, args.clients, kind="udpipe"))
    print_rows(rows, _COLUMNS)
    print(pages(texts, args))
    if args.json:
        write_rows(args.json, rows)


if __name__ == "__main__":
    main()
