"""Runs a command at a terminal: terminal.py WAIT SEND [WAIT SEND ...] -- COMMAND.

Waits for each text in turn, counting from the last one, and types what follows it. Shows all that
the terminal shows, and ends as the command does.
"""
import os
import pty
import sys

end = sys.argv.index("--")
steps = list(zip(sys.argv[1:end:2], sys.argv[2:end:2]))
pid, terminal = pty.fork()
if pid == 0:
    os.execv(sys.argv[end + 1], sys.argv[end + 1 :])
seen = b""
while True:
    try:
        data = os.read(terminal, 65536)
    except OSError:  # it has ended
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
