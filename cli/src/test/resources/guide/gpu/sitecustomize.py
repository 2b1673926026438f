"""Stands for the driver of a GPU in the example of the guides: ctypes loads it as libcuda.so.1.

It computes what the example's program for the GPU computes: w -= lr * (w - 1), for weights that are
all equal. Python imports this file at its start.
"""

import array
import ctypes

load = ctypes.CDLL


class Driver:
    def __init__(self):
        self.weight = 0.0
        self.count = 0

    def cuInit(self, _flags):
        return 0

    def cuDeviceGetName(self, name, _size, _device):
        name.value = b"Emulated GPU"
        return 0

    def cuCtxCreate_v2(self, _context, _flags, _device):
        return 0

    def cuModuleLoadData(self, _module, program):
        return 0 if b".entry step(" in program else 218  # CUDA_ERROR_INVALID_PTX

    def cuModuleGetFunction(self, _function, _module, name):
        return 0 if name == b"step" else 500  # CUDA_ERROR_NOT_FOUND

    def cuMemAlloc_v2(self, address, size):
        self.count = size.value // 4
        address._obj.value = 4096
        return 0

    def cuMemcpyHtoD_v2(self, _address, values, size):
        self.weight = array.array("f", values[:4])[0]
        return 0 if len(values) == size.value == 4 * self.count else 1

    def cuMemcpyDtoH_v2(self, values, _address, _size):
        values.raw = array.array("f", [self.weight] * self.count).tobytes()
        return 0

    def cuLaunchKernel(self, _function, blocks, _y, _z, threads, *others):
        lr = ctypes.c_float.from_address(others[4][1]).value
        self.weight -= lr * (self.weight - 1)
        return 0 if blocks * threads == self.count else 1

    def cuCtxSynchronize(self):
        return 0


def replaced(name, *arguments, **options):
    return Driver() if name == "libcuda.so.1" else load(name, *arguments, **options)


ctypes.CDLL = replaced
