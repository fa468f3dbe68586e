"""At the end of a session no process of a test is left."""

import subprocess
import sys

from processes import end_processes_of


def test_a_process_that_was_left_is_named_and_ended(tmp_path):
    """Also one whose parent has ended."""
    wait = [sys.executable, "-c", "input()"]
    begin = f"import subprocess; print(subprocess.Popen({wait}, stdin=subprocess.PIPE, stdout=2).pid)"
    environment = {"TMPDIR": str(tmp_path)}
    reader = subprocess.run([sys.executable, "-c", begin], env=environment, stdout=subprocess.PIPE, check=True)
    assert int(reader.stdout) > 0
    assert end_processes_of(str(tmp_path)) in ([" ".join(wait)], [])
