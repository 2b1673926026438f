"""A docker command for tests, without an engine: a container is a process of this machine.

It refuses every argument that it does not check. As on a real engine, a container is no child of
the client, gets only the variables that are named, and outlives a client that is killed. As with a
rootless engine, its processes cannot be found by the variables of the attempt. Its state is in
containers/ beside this file, with the arguments of all calls in calls.
"""

import json
import os
import signal
import subprocess
import sys
import time

HOME = os.path.dirname(os.path.abspath(__file__))
STATE = os.path.join(HOME, "containers")
FLAGS = {"--rm", "--init"}
VALUES = {"--pull": "never", "--network": "host", "--ipc": "host", "--entrypoint": "sh"}
VALUES["--user"] = f"{os.getuid()}:{os.getgid()}"
FREE = {"--gpus", "--workdir", "--name", "--cpuset-cpus"}
REPEATED = {"--label", "--mount", "--env"}
HIDDEN = ("ELASTUNE_ATTEMPT", "ELASTUNE_LEASE")


def refuse(message):
    sys.exit(f"fake docker: {message}")


def path(name, kind):
    return os.path.join(STATE, f"{name}.{kind}")


def parse(arguments):
    options = {name: [] for name in REPEATED}
    while arguments and arguments[0].startswith("-"):
        name = arguments.pop(0)
        if name in FLAGS:
            options[name] = True
            continue
        if name not in FREE and name not in REPEATED and name not in VALUES:
            refuse(f"unknown flag: {name}")
        value = arguments.pop(0)
        if name in VALUES and value != VALUES[name]:
            refuse(f"{name} is {value}")
        if name in REPEATED:
            options[name].append(value)
        elif name in options:
            refuse(f"{name} is given twice")
        else:
            options[name] = value
    for name in FLAGS | set(VALUES) | {"--workdir", "--name"}:
        if name not in options:
            refuse(f"{name} is missing")
    return options, arguments


def check_mounts(options):
    targets = []
    for mount in options["--mount"]:
        fields = dict(part.partition("=")[::2] for part in mount.split(","))
        if set(fields) - {"type", "source", "target", "readonly"} or fields["type"] != "bind":
            refuse(f"invalid mount {mount}")
        if not os.path.exists(fields["source"]) or fields["source"] != fields["target"]:
            refuse(f"invalid mount {mount}")
        if fields["target"] in targets:
            refuse(f"duplicate mount point {fields['target']}")
        targets.append(fields["target"])
    if options["--workdir"] not in targets:
        refuse("the working folder is not mounted")


def environment(options):
    made = {"PATH": "/usr/local/bin:/usr/bin:/bin"}
    for variable in options["--env"]:
        name, given, value = variable.partition("=")
        if given:
            made[name] = value
        elif name in os.environ:
            made[name] = os.environ[name]
    if "--gpus" in options:
        made["FAKE_GPUS"] = options["--gpus"]
    return {name: value for name, value in made.items() if name not in HIDDEN}


def run(arguments):
    options, (image, *command) = parse(arguments)
    if not os.path.exists(os.path.join(HOME, "images", image)):
        refuse(f"no such image: {image}")
    check_mounts(options)
    name = options["--name"]
    with open(path(name, "labels"), "x") as file:
        json.dump(options["--label"], file)
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            engine(name, ["sh", *command], environment(options), options["--workdir"])
        os._exit(0)
    os.wait()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda number, frame: end(name, number))
    while not os.path.exists(path(name, "exit")):
        time.sleep(0.02)
    with open(path(name, "exit")) as file:
        code = int(file.read())
    forget(name, "labels", "pid", "exit")
    sys.exit(code)


def engine(name, command, made, workdir):
    """Runs in the background, as the engine does: without the variables of the client."""
    arguments = [sys.executable, os.path.abspath(__file__), "engine", name, workdir]
    os.execve(sys.executable, [*arguments, *command], made)


def run_engine(name, workdir, *command):
    process = subprocess.Popen(command, cwd=workdir, stdin=subprocess.DEVNULL, start_new_session=True)
    write(path(name, "pid"), str(process.pid))
    if not os.path.exists(path(name, "labels")):
        end(name, signal.SIGKILL)  # removed meanwhile
    code = process.wait()
    write(path(name, "exit"), str(code if code >= 0 else 128 - code))


def write(file, text):
    with open(file + ".part", "w") as part:
        part.write(text)
    os.rename(file + ".part", file)


def end(name, number):
    try:
        with open(path(name, "pid")) as file:
            os.killpg(int(file.read()), number)
    except (FileNotFoundError, ProcessLookupError):
        return


def await_end(name):
    """Waits until the kernel has ended the process, as the engine does before it confirms."""
    try:
        with open(path(name, "pid")) as file:
            stat = f"/proc/{file.read()}/stat"
        for _ in range(500):
            with open(stat) as file:
                if file.read().rpartition(")")[2].split()[0] in "ZX":
                    return
            time.sleep(0.01)
    except FileNotFoundError:
        return


def forget(name, *kinds):
    for kind in kinds:
        try:
            os.remove(path(name, kind))
        except FileNotFoundError:
            continue


def ps(arguments):
    if arguments[:2] != ["--all", "--quiet"]:
        refuse(f"ps {arguments}")
    wanted = []
    for argument in arguments[2:]:
        if not argument.startswith("--filter=label="):
            refuse(f"unknown flag: {argument}")
        wanted.append(argument[len("--filter=label=") :])
    for entry in sorted(os.listdir(STATE)):
        if entry.endswith(".labels"):
            with open(os.path.join(STATE, entry)) as file:
                if set(wanted) <= set(json.load(file)):
                    print(entry[: -len(".labels")])


def rm(arguments):
    if arguments[0] != "--force":
        refuse(f"rm {arguments}")
    for name in arguments[1:]:
        forget(name, "labels")
        end(name, signal.SIGKILL)
        await_end(name)


def version(arguments):
    if arguments != ["--format", "{{.Server.Version}}"]:
        refuse(f"version {arguments}")
    print("0")


def image(arguments):
    if len(arguments) != 2 or arguments[0] != "inspect":
        refuse(f"image {arguments}")
    if not os.path.exists(os.path.join(HOME, "images", arguments[1])):
        refuse("no such image")


def pull(arguments):
    if len(arguments) != 2 or arguments[0] != "--quiet" or arguments[1] == "absent":
        refuse(f"pull {arguments}")
    os.makedirs(os.path.join(HOME, "images"), exist_ok=True)
    write(os.path.join(HOME, "images", arguments[1]), "")


def main(command, *arguments):
    if command == "engine":
        run_engine(*arguments)
        return
    if os.path.exists(os.path.join(HOME, "down")):
        refuse("cannot connect to the Docker daemon")
    os.makedirs(STATE, exist_ok=True)
    with open(os.path.join(HOME, "calls"), "a") as file:
        file.write(json.dumps([command, *arguments]) + "\n")
    calls = {"run": run, "ps": ps, "rm": rm, "version": version, "image": image, "pull": pull}
    if command not in calls:
        refuse(f"unknown command: {command}")
    calls[command](list(arguments))


if __name__ == "__main__":
    main(*sys.argv[1:])
