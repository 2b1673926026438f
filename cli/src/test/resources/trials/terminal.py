"""Runs a command in a terminal: terminal.py WAIT SEND [WAIT SEND ...] -- COMMAND.

Waits for each WAIT text in the output since the previous one, then types its SEND text. Copies the
terminal's output to standard output and exits with the command's exit code.
"""
import os
import pty
import signal
import sys

end = sys.argv.index("--")
steps = list(zip(sys.argv[1:end:2], sys.argv[2:end:2]))
pid, terminal = pty.fork()
if pid == 0:
    # As in a real terminal, also if a script that runs the tests in the background ignores it.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    os.execv(sys.argv[end + 1], sys.argv[end + 1 :])
seen = b""
while True:
    try:
        data = os.read(terminal, 65536)
    except OSError:  # the command has exited
        break
    if not data:
        break
    os.write(1, data)
    seen += data
    if steps and steps[0][0].encode() in seen:
        seen = b""
        os.write(terminal, steps.pop(0)[1].encode())
code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
sys.exit(code if code >= 0 else 128 - code)
