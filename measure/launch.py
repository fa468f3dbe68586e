"""Run one command and print what it used: python -I -S launch.py OUTPUT COMMAND... (see processes.py)."""

import os
import sys
from time import perf_counter

if __name__ == "__main__":
    output, *command = sys.argv[1:]
    target = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
    started = perf_counter()
    child = os.posix_spawn(command[0], command, os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, target, 1)])
    _, status, used = os.wait4(child, 0)
    print(used.ru_utime + used.ru_stime, perf_counter() - started, used.ru_maxrss / 1024)
    sys.exit(os.waitstatus_to_exitcode(status) != 0)
