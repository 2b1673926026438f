# The same as keeper.pl, which is preferred because it starts faster: python3 -c SOURCE MARK STATUS COMMAND...
import ctypes
import glob
import os
import resource
import signal
import sys
import time

mark, status, command = sys.argv[1], sys.argv[2], sys.argv[3:]
os.environ.pop("ELASTUNE_KEEPER", None)
prctl = ctypes.CDLL(None).prctl


def run():
    try:
        if mark:
            resource.setrlimit(10, (int(mark), int(mark)))  # file locks
    except (OSError, ValueError):
        pass
    try:
        os.execvp(command[0], command)
    finally:
        os._exit(127)


def quiet():
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null, stream)


def exit_code(result):
    return 128 + os.WTERMSIG(result) if os.WIFSIGNALED(result) else os.WEXITSTATUS(result)


def kill_children():
    for stat in glob.glob("/proc/[0-9]*/stat"):
        try:
            with open(stat, encoding="latin-1") as file:
                line = file.read()
            if int(line[line.rindex(")") + 4 :].split()[0]) == os.getpid():
                os.kill(int(line.split()[0]), signal.SIGKILL)
        except (OSError, ValueError):
            pass


if prctl(36, 1, 0, 0, 0) != 0:
    run()
for name in ("TERM", "INT", "HUP", "QUIT", "USR1", "USR2", "ALRM"):
    signal.signal(getattr(signal, "SIG" + name), lambda number, frame: None)
second = os.fork()
if second:
    quiet()
    result = 0
    while True:
        try:
            ended, code = os.waitpid(-1, os.WNOHANG if os.WIFSIGNALED(result) else 0)
        except ChildProcessError:
            break
        if ended == second:
            result = code
        if ended == 0:  # children of a keeper that was killed
            kill_children()
            time.sleep(0.01)
    os._exit(exit_code(result))
prctl(36, 1, 0, 0, 0)
signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # Python ignores it, which the command would inherit
worker = os.fork()
if worker == 0:
    run()
quiet()
code = 126
while True:
    try:
        ended, result = os.waitpid(-1, 0)
    except ChildProcessError:
        break
    if ended == worker:
        code = exit_code(result)
        try:
            if os.path.lexists(status + ".part"):  # the command may have put a pipe there, which would wait
                os.unlink(status + ".part")
            part = os.open(status + ".part", os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            os.write(part, str(code).encode())
            os.rename(status + ".part", status)
        except OSError:
            pass
os._exit(code)
