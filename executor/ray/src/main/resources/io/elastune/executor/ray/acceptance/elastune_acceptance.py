"""Observes the NVIDIA GPUs of this node or container, and judges nothing.

Prints one line of JSON: what `nvidia-smi` lists, and for each GPU whether CUDA can create a context
on it, and how fast it copies its memory; then the errors of the GPUs, of which the kernel and
`nvidia-smi` have records. Needs Python 3.6 and no package: CUDA is its driver library.

The arguments are the seconds that nvidia-smi, and CUDA on all GPUs, may take, `speed` if the copies
are to be timed, and `health` for the records of errors. A driver can hang so that its process cannot
be killed. Such a process is left behind.
"""

import ctypes
import json
import os
import re
import select
import shutil
import signal
import subprocess
import sys
import time

FORMAT = "--format=csv,noheader"
NAMES = "--query-gpu=name"
RECORDS = {
    "ecc": "--query-gpu=gpu_bus_id,ecc.errors.uncorrected.volatile.total",
    "pages": "--query-gpu=gpu_bus_id,retired_pages.pending",
    "rows": "--query-remapped-rows=gpu_bus_id,remapped_rows.pending,remapped_rows.failure",
}
XID = re.compile(r"NVRM: Xid \(([^)]*)\): (\d+)")
FOLDERS = ["/usr/bin", "/usr/local/bin", "/usr/local/nvidia/bin", "/opt/bin"]
LIBRARIES = ["libcuda.so.1", "/usr/local/nvidia/lib64/libcuda.so.1"]
MOST_OUTPUT = 4000
MOST_XIDS = 50
LOG_S = 5
BUFFER = 256 << 20
COPIES = 50
COPY_S = 0.3


def run(tool, arguments, limit_s):
    path = os.pathsep.join([os.environ.get("PATH", "")] + FOLDERS)
    found = shutil.which(tool, path=path)
    if not found:
        return {"found": False}
    try:
        process = subprocess.Popen(
            [found] + arguments,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    except OSError as e:
        return {"found": True, "exit": 127, "output": str(e)}
    try:
        output = process.communicate(timeout=limit_s)[0].decode("utf-8", "replace")
        return {"found": True, "exit": process.returncode, "output": output}
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        return {"found": True, "timed_out": True}


def smi(query, limit_s):
    result = run("nvidia-smi", [query, FORMAT], limit_s)
    if "output" in result:
        result["output"] = result["output"][:MOST_OUTPUT]
    return result


def xids():
    """Returns the GPU and the code of each Xid error since the boot; none if the log is protected."""
    found = []
    for match in XID.finditer(run("dmesg", [], LOG_S).get("output", "")):
        xid = {"gpu": match.group(1), "code": int(match.group(2))}
        if xid not in found:
            found.append(xid)
    return found[:MOST_XIDS]


class Cuda:
    """CUDA's driver library."""

    def __init__(self, library):
        self.library = library

    def call(self, name, *arguments):
        code = getattr(self.library, name)(*arguments)
        if code:
            text = ctypes.c_char_p()
            self.library.cuGetErrorName(code, ctypes.byref(text))
            error = (text.value or b"error %d" % code).decode()
            raise RuntimeError("{}: {}".format(name, error))

    def count(self):
        self.call("cuInit", 0)
        count = ctypes.c_int()
        self.call("cuDeviceGetCount", ctypes.byref(count))
        return count.value

    def gpu(self, index, timed):
        device, context = ctypes.c_int(), ctypes.c_void_p()
        self.call("cuDeviceGet", ctypes.byref(device), index)
        name = ctypes.create_string_buffer(100)
        self.call("cuDeviceGetName", name, len(name), device)
        found = {"name": name.value.decode("utf-8", "replace")}
        try:
            self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
            self.call("cuCtxSetCurrent", context)
            self.call("cuCtxSynchronize")
            if timed:
                found["gb_per_s"] = self.speed()
            self.call("cuDevicePrimaryCtxRelease_v2", device)
        except RuntimeError as e:
            found["error"] = str(e)
        return found

    def speed(self):
        """Returns the bytes that copies within the memory read and write, in GB per second."""
        buffers = [ctypes.c_uint64(), ctypes.c_uint64()]
        for buffer in buffers:
            self.call("cuMemAlloc_v2", ctypes.byref(buffer), ctypes.c_size_t(BUFFER))
        self.copy(buffers, 1)
        copies = max(1, min(COPIES, int(COPY_S / self.copy(buffers, 1))))
        seconds = self.copy(buffers, copies) / copies
        for buffer in buffers:
            self.call("cuMemFree_v2", buffer)
        return round(2 * BUFFER / seconds / 1e9, 1)

    def copy(self, buffers, count):
        """Returns the seconds that some copies take."""
        self.call("cuCtxSynchronize")
        began = time.monotonic()
        for _ in range(count):
            self.call("cuMemcpyDtoD_v2", buffers[0], buffers[1], ctypes.c_size_t(BUFFER))
        self.call("cuCtxSynchronize")
        return max(time.monotonic() - began, 1e-6)


def library():
    for name in LIBRARIES:
        try:
            return ctypes.CDLL(name)
        except OSError:
            continue
    return None


def observe(write, timed):
    """Writes the number of GPUs, then each of them."""
    found = library()
    if found is None:
        write({"found": False})
        return
    try:
        cuda = Cuda(found)
        count = cuda.count()
        write({"found": True, "count": count})
        for index in range(count):
            write(cuda.gpu(index, timed))
    except RuntimeError as e:
        write({"found": True, "error": str(e)})


def cuda(limit_s, timed):
    """Observes CUDA in a process of its own, whose output shows at which GPU it hangs or dies."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        try:
            observe(lambda value: os.write(writer, json.dumps(value).encode() + b"\n"), timed)
        finally:
            os._exit(0)
    os.close(writer)
    data, end, timed_out = b"", time.monotonic() + limit_s, False
    while not timed_out:
        timed_out = not select.select([reader], [], [], max(0, end - time.monotonic()))[0]
        piece = b"" if timed_out else os.read(reader, 65536)
        if not piece:
            break
        data += piece
    lines = [json.loads(line) for line in data.split(b"\n")[:-1]]
    result = lines[0] if lines else {"found": True}
    result["gpus"] = lines[1:]
    if timed_out:
        os.kill(child, signal.SIGKILL)
        result["timed_out"] = True
    elif os.waitpid(child, 0)[1]:
        result["error"] = "the process that called CUDA has crashed"
    return result


def main():
    os.environ["CUDA_DEVICE_ORDER"] = "PCI_BUS_ID"
    limit_s, cuda_s, words = float(sys.argv[1]), float(sys.argv[2]), sys.argv[3:]
    listed = smi(NAMES, limit_s)
    # CUDA would hang, too, and leave another process behind.
    observed = {} if listed.get("timed_out") else cuda(cuda_s, "speed" in words)
    result = {"smi": listed, "cuda": observed}
    if "health" in words:
        queries = RECORDS.items() if listed.get("exit") == 0 else []
        result["health"] = {name: smi(query, limit_s) for name, query in queries}
        result["health"]["xids"] = xids()
    print(json.dumps(result), flush=True)


if __name__ == "__main__":
    main()
