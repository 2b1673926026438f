"""One trial: fits a million weights on the GPU, and fails where there is none.

It needs the GPU's driver and Python 3.9 or newer, and no packages. Replace it with your own training.
"""

import array
import ctypes
import sys

import elastune_trial

COUNT = 1 << 20
STEPS = 20_000  # of a unit

# One step of gradient descent for each weight, whose target is 1: w -= lr * (w - 1)
STEP = b"""
.version 6.3
.target sm_70
.address_size 64
.visible .entry step(.param .u64 weights, .param .f32 lr) {
  .reg .b32 %r<5>; .reg .b64 %d<4>; .reg .f32 %f<5>;
  ld.param.u64 %d1, [weights];
  ld.param.f32 %f1, [lr];
  cvta.to.global.u64 %d1, %d1;
  mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;
  mad.lo.u32 %r4, %r1, %r2, %r3;
  mul.wide.u32 %d2, %r4, 4;
  add.u64 %d3, %d1, %d2;
  ld.global.f32 %f2, [%d3];
  sub.f32 %f3, %f2, 0f3F800000;
  neg.f32 %f4, %f1;
  fma.rn.f32 %f2, %f4, %f3, %f2;
  st.global.f32 [%d3], %f2;
  ret;
}
"""


class Gpu:
    """The GPU of this worker, through the driver alone."""

    def __init__(self):
        try:
            self.driver = ctypes.CDLL("libcuda.so.1")
        except OSError as error:
            sys.exit(f"no GPU: {error}")
        self("cuInit", 0)
        name, context, module = ctypes.create_string_buffer(100), ctypes.c_void_p(), ctypes.c_void_p()
        self.step, self.weights = ctypes.c_void_p(), ctypes.c_uint64()
        self("cuDeviceGetName", name, len(name), 0)
        self("cuCtxCreate_v2", ctypes.byref(context), 0, 0)
        self("cuModuleLoadData", ctypes.byref(module), STEP)
        self("cuModuleGetFunction", ctypes.byref(self.step), module, b"step")
        self("cuMemAlloc_v2", ctypes.byref(self.weights), ctypes.c_size_t(4 * COUNT))
        print("trains on", name.value.decode(), flush=True)

    def __call__(self, function, *arguments):
        code = getattr(self.driver, function)(*arguments)
        if code:
            sys.exit(f"no GPU: {function} returned the CUDA error {code}")

    def write(self, values):
        self("cuMemcpyHtoD_v2", self.weights, values.tobytes(), ctypes.c_size_t(4 * COUNT))

    def read(self):
        values = ctypes.create_string_buffer(4 * COUNT)
        self("cuMemcpyDtoH_v2", values, self.weights, ctypes.c_size_t(4 * COUNT))
        return array.array("f", values.raw)

    def train(self, lr, steps):
        rate = ctypes.c_float(lr)
        parameters = (ctypes.c_void_p * 2)(ctypes.addressof(self.weights), ctypes.addressof(rate))
        for _ in range(steps):
            self("cuLaunchKernel", self.step, COUNT // 256, 1, 1, 256, 1, 1, 0, None, parameters, None)
        self("cuCtxSynchronize")


def read(folder):
    with open(f"{folder}/weights", "rb") as file:
        return array.array("f", file.read())


trial = elastune_trial.load(config={"lr": 1e-4}, units=2)
gpu = Gpu()
gpu.write(trial.restore(read, lambda: array.array("f", bytes(4 * COUNT))))
for unit in trial.units():
    gpu.train(trial.config["lr"], steps=STEPS)
    weights = gpu.read()

    def write(folder):
        with open(f"{folder}/weights", "wb") as file:
            file.write(weights.tobytes())

    trial.save(unit, write)
    trial.report(unit, loss=(weights[0] - 1) ** 2)
