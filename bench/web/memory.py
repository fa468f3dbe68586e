"""What memory does the page's server take, with one worker and with four, and after its models were loaded again?

    python -m bench.web.memory TEST.conllu [MODEL ...] [--requests N] [--reloads N] [--json FILE]

The server is `sapwood serve MODEL ... --workers N`; without MODEL it serves `en`. As many clients as there are workers
send the requests, pieces of about 100 words of the test set's text, and then one of about 1 MiB each, which is the
largest that a server takes. Then the models are loaded again, and asked, so many times.

start      resident memory in MB before the first request
requests   after all of them
large      after a text of nearly 1 MiB for each worker at the same time
reloads    after the models were loaded again so many times
peak       at most, as the kernel counted: a container's limit has to be above it
"""

import argparse
import json
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from urllib.request import Request, urlopen

from bench.web.serve import texts_of
from measure.layout import print_rows, write_rows
from measure.report import Row

_COLUMNS = {name: (name, ",.0f") for name in ("start", "requests", "large", "reloads", "peak")}
_LARGE = 1_000_000  # bytes
_PATIENT = "--max-seconds", "600", "--max-wait", "600"  # on a slow machine all is answered, too


def memory_of(pid: int) -> dict[str, float]:
    """Return the resident memory of a process, and its peak, in MB."""
    status = Path(f"/proc/{pid}/status").read_text()
    return {
        name: int(re.search(rf"{key}:\s+(\d+)", status)[1]) / 1024
        for name, key in (("now", "VmRSS"), ("peak", "VmHWM"))
    }


def ask(port: int, text: str) -> None:
    """Have a text analysed."""
    body = json.dumps({"text": text}).encode()
    asked = Request(f"http://127.0.0.1:{port}/annotate", body, {"Content-Type": "application/json"})
    with urlopen(asked) as answer:
        while answer.read(1 << 16):
            pass


def at_once(port: int, texts: list[str], clients: int) -> None:
    """Let so many clients ask about their share of the texts."""
    threads = [
        threading.Thread(target=lambda k=k: [ask(port, text) for text in texts[k::clients]]) for k in range(clients)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def measured(models: list[str], workers: int, texts: list[str], requests: int, reloads: int) -> Row:
    """Return the memory of a server."""
    command = [sys.executable, "-m", "sapwood", "serve", *models, "--port", "0", *_PATIENT, "--workers", str(workers)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            port = int(
                next(line for line in process.stderr if " at http://" in line).split("/ (")[0].rpartition(":")[2]
            )
            found: Row = {"name": f"{workers} worker{'s' * (workers > 1)}", "start": memory_of(process.pid)["now"]}
            at_once(port, (texts * (1 + requests // len(texts)))[:requests], workers)
            found["requests"] = memory_of(process.pid)["now"]
            whole = " ".join(texts)
            large = (whole * (1 + _LARGE // len(whole.encode()))).encode()[:_LARGE].decode(errors="ignore")
            at_once(port, [large] * workers, workers)
            found["large"] = memory_of(process.pid)["now"]
            for _ in range(reloads):
                process.send_signal(signal.SIGHUP)
                while "loaded again" not in process.stderr.readline():
                    time.sleep(0.01)
                ask(port, texts[0])
            return {**found, "reloads": memory_of(process.pid)["now"], "peak": memory_of(process.pid)["peak"]}
        finally:
            process.terminate()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("treebank")
    parser.add_argument("models", nargs="*", default=["en"])
    parser.add_argument("--requests", type=int, default=500)
    parser.add_argument("--reloads", type=int, default=20)
    parser.add_argument("--json")
    asked = parser.parse_args()
    texts = [text for text, _ in texts_of(asked.treebank, 100)]
    rows = [measured(asked.models, workers, texts, asked.requests, asked.reloads) for workers in (1, 4)]
    print_rows(rows, _COLUMNS)
    if asked.json:
        write_rows(asked.json, rows)


if __name__ == "__main__":
    main()
