"""The Docker file copies what the build needs: its commands run here as far as they can without Docker."""

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import psutil
import pytest
from processes import HANG
from servers import running

ROOT = Path(__file__).parents[1]
FILE = ROOT / "Dockerfile"

pytestmark = pytest.mark.skipif(not FILE.is_file(), reason="the sources are not here")


def test_what_is_copied_is_there():
    for source in re.findall(r"^COPY (?!--from)(\S+) ", FILE.read_text(), re.MULTILINE):
        assert (ROOT / source).exists(), source


def test_nothing_that_the_build_reads_is_ignored():
    """A wheel is built from files of git, of which .dockerignore may leave out none that the build names."""
    ignored = set((ROOT / ".dockerignore").read_text().split())
    named = re.findall(r"\b(?:core|src|tests|fuzz)/[\w./]+\.(?:cpp|hpp)", (ROOT / "CMakeLists.txt").read_text())
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    for path in {*named, project["readme"], *project["license-files"], "src/sapwood/bundled/en.sap"}:
        assert (ROOT / path).is_file(), path
        assert path.split("/")[0] not in ignored, path


def test_the_entry_point_is_a_command_of_the_package():
    entry = re.search(r'^ENTRYPOINT \["(\S+)"\]$', FILE.read_text(), re.MULTILINE)[1]
    assert entry in tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]


def test_python_of_both_stages_is_the_same_and_new_enough():
    stages = re.findall(r"^FROM python:(\d+)\.(\d+)-slim", FILE.read_text(), re.MULTILINE)
    assert len(stages) == 2
    assert len(set(stages)) == 1
    assert tuple(map(int, stages[0])) >= (3, 11)


def instruction(name):
    """The last instruction of this name, of which the others are overruled, with its lines joined."""
    lines = FILE.read_text().replace("\\\n", " ").splitlines()
    return [line.partition(" ")[2].strip() for line in lines if line.partition(" ")[0] == name][-1]


def test_the_image_can_serve():
    assert all('sapwood[web]"' in line for line in FILE.read_text().replace("\\\n", "").splitlines() if "pip " in line)
    port = instruction("EXPOSE")
    assert json.loads(instruction("CMD")) == ["serve", "--host", "0.0.0.0", "--port", port]
    assert f":{port}/" in instruction("HEALTHCHECK")


def test_the_user_is_not_root():
    user = instruction("USER")
    assert int(user) > 0
    assert f"--uid {user} " in instruction("RUN")


@pytest.mark.slow
def test_the_health_check_tells_a_server_from_none(tmp_path):
    """The commands of the image, but for the port."""
    taken = json.loads(instruction("CMD"))[:-1]
    assert taken[0] == "serve"
    check = json.loads(instruction("HEALTHCHECK").partition("CMD ")[2])
    assert check[0] == "python"
    with running(*taken[1:], "0", "--max-wait", HANG) as server:
        here = [each.replace(f":{instruction('EXPOSE')}/", f":{server.port}/") for each in check[1:]]
        assert here != check[1:]
        assert subprocess.run([sys.executable, *here], stderr=subprocess.PIPE).returncode == 0
    assert subprocess.run([sys.executable, *here], stderr=subprocess.PIPE).returncode != 0


@pytest.mark.slow
def test_outside_of_a_container_only_this_machine_is_served():
    with running("--max-wait", HANG) as server:
        ends = psutil.Process(server.process.pid).net_connections("inet")
        assert {end.laddr.ip for end in ends if end.status == psutil.CONN_LISTEN} == {"127.0.0.1"}


EXAMPLES = ROOT / "examples/serve"


def test_the_examples_of_compose_and_kubernetes_start_what_the_image_does():
    """Their arguments are a command that the verb takes; ports and users are those of the image."""
    yaml = pytest.importorskip("yaml")
    from sapwood.cli.app import find_verb
    from sapwood.cli.base.verb import parser_of

    port, user = instruction("EXPOSE"), instruction("USER")
    service = yaml.safe_load((EXAMPLES / "compose.yaml").read_text())["services"]["sapwood"]
    assert (EXAMPLES / service["build"] / "Dockerfile").resolve() == FILE
    assert service["ports"] == [f"127.0.0.1:{port}:{port}"]
    assert f":{port}/ready'" in service["healthcheck"]["test"][-1]

    deployment, outside = yaml.safe_load_all((EXAMPLES / "kubernetes.yaml").read_text())
    pod = deployment["spec"]["template"]
    [container] = pod["spec"]["containers"]
    assert pod["metadata"]["labels"] == deployment["spec"]["selector"]["matchLabels"] == outside["spec"]["selector"]
    assert container["ports"] == [{"name": "http", "containerPort": int(port)}]
    assert pod["metadata"]["annotations"]["prometheus.io/port"] == port
    assert container["securityContext"]["runAsUser"] == int(user)
    assert [each["targetPort"] for each in outside["spec"]["ports"]] == ["http"]
    assert service["mem_limit"] + "i" == container["resources"]["limits"]["memory"].replace("M", "m")

    for command in (service["command"], container["args"]):
        name, verb, rest = find_verb(command)
        values = parser_of(name, verb).read(rest)
        assert (name, values["host"], values["port"]) == ("serve", "0.0.0.0", int(port))
    seconds = values["max_seconds"] + values["max_wait"]
    assert pod["spec"]["terminationGracePeriodSeconds"] >= seconds, "running requests would be broken off"


def test_the_paths_that_probes_ask_are_those_of_the_server():
    yaml = pytest.importorskip("yaml")
    pytest.importorskip("httpx")
    from web import client_of

    from sapwood import Classifier

    pod = next(yaml.safe_load_all((EXAMPLES / "kubernetes.yaml").read_text()))["spec"]["template"]
    [container] = pod["spec"]["containers"]
    probes = [container[name]["httpGet"]["path"] for name in ("readinessProbe", "livenessProbe")]
    client = client_of({"m": Classifier(min_updates=1).fit(["good", "bad"], ["+", "-"])})
    for path in (*probes, pod["metadata"]["annotations"]["prometheus.io/path"]):
        assert client.get(path).status_code == 200, path


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    from sapwood import Classifier

    path = tmp_path_factory.mktemp("function") / "m.sap"
    Classifier(min_updates=1).fit(["good fun", "bad"], ["+", "-"]).save(path)
    return path


def test_the_function_without_a_server_answers(small):
    run = subprocess.run(
        [sys.executable, EXAMPLES / "function.py", small, "good"], capture_output=True, text=True, check=True
    )
    assert json.loads(run.stdout)["label"] == "+"
    assert re.fullmatch(r"\d+\.\d\d CPU seconds\n", run.stderr)


def test_mlflow_keeps_the_file_and_answers(small, tmp_path):
    pytest.importorskip("mlflow.pyfunc")
    environment = {**os.environ, "MLFLOW_ALLOW_FILE_STORE": "true"}
    command = [sys.executable, EXAMPLES / "mlflow_model.py", small, tmp_path / "runs", "good", "bad"]
    run = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert run.returncode == 0, run.stderr
    assert run.stdout.splitlines()[-2:] == ["+", "-"]
    [kept] = (tmp_path / "runs").rglob("m.sap")
    assert kept.read_bytes() == small.read_bytes()
    assert not [*(tmp_path / "runs").rglob("*.pkl")]
