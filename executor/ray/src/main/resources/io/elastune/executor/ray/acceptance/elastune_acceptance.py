"""Observes the NVIDIA GPUs of this node or container, and judges nothing.

Prints one line of JSON: what `nvidia-smi` lists, and for each GPU whether CUDA can create a context
on it, and how fast it copies its memory. Needs Python 3.6 and no package: CUDA is its driver library.

The arguments are the seconds that nvidia-smi, and CUDA on all GPUs, may take, and `speed` if the
copies are to be timed. A driver can hang so that its process cannot be killed. Such a process is
left behind.
"""

import ctypes
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import time

QUERY = ["--query-gpu=name", "--format=csv,noheader"]
FOLDERS = ["/usr/bin", "/usr/local/bin", "/usr/local/nvidia/bin", "/opt/bin"]
LIBRARIES = ["libcuda.so.1", "/usr/local/nvidia/lib64/libcuda.so.1"]
MOST_OUTPUT = 4000
BUFFER = 256 << 20
COPIES = 50
COPY_S = 0.3


def smi(limit_s):
    path = os.pathsep.join([os.environ.get("PATH", "")] + FOLDERS)
    tool = shutil.which("nvidia-smi", path=path)
    if not tool:
        return {"found": False}
    try:
        process = subprocess.Popen(
            [tool] + QUERY,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    except OSError as e:
        return {"found": True, "exit": 127, "output": str(e)}
    try:
        output = process.communicate(timeout=limit_s)[0].decode("utf-8", "replace")
        return {"found": True, "exit": process.returncode, "output": output[:MOST_OUTPUT]}
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        return {"found": True, "timed_out": True}


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
    listed = smi(float(sys.argv[1]))
    # CUDA would hang, too, and leave another process behind.
    observed = {} if listed.get("timed_out") else cuda(float(sys.argv[2]), "speed" in sys.argv[3:])
    print(json.dumps({"smi": listed, "cuda": observed}), flush=True)


if __name__ == "__main__":
    main()
