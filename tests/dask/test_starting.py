"""A worker that is killed while the cluster starts is said in a line, and leaves no process behind."""

import psutil
import pytest
from processes import HANG, wait_until

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("seconds", [0.0, 0.2, 0.6])  # of the worker's own CPU before it is killed
def test_a_worker_that_is_killed_while_the_cluster_starts_is_a_line(spawn_cli, tmp_path, workers, seconds):
    pytest.importorskip("distributed")
    (tmp_path / "a.txt").write_text("Ada wrote it.\n")
    process = spawn_cli(["annotate", tmp_path / "a.txt", "-o", tmp_path / "out", "--workers", str(workers)])
    parent, victims = psutil.Process(process.pid), []

    def is_killed():
        for each in parent.children(recursive=True):
            try:
                if "spawn_main" in " ".join(each.cmdline()) and each.cpu_times().user >= seconds:
                    each.kill()
                    victims.append(each)
                    return True
            except psutil.Error:
                pass
        return process.poll() is not None

    wait_until(is_killed)
    _, error = process.communicate(timeout=HANG)
    if victims and process.returncode:  # a worker that was ready already is started again
        assert error.decode() == (
            "sapwood: cannot start workers: one of them ended while it started; is there enough memory for so many?\n"
        )
        assert process.returncode == 1
    assert not any(each.is_running() and each.status() != psutil.STATUS_ZOMBIE for each in victims)
