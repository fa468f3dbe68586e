"""At the end of a session no process of a test is left."""

import subprocess
import sys

from processes import end_processes_of

WAIT = [sys.executable, "-c", "import signal; print(flush=True); signal.pause()"]
BEGIN = f"import subprocess; subprocess.Popen({WAIT}, stdout=subprocess.PIPE).stdout.readline()"


def test_a_process_whose_parent_has_ended_is_named_and_ended(tmp_path):
    subprocess.run([sys.executable, "-c", BEGIN], env={"TMPDIR": str(tmp_path)}, check=True)
    assert end_processes_of(str(tmp_path), patience=0) == [" ".join(WAIT)]
    assert end_processes_of(str(tmp_path)) == []
