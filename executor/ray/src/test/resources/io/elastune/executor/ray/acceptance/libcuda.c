/* CUDA's driver library without GPUs. Its behavior is chosen when it is compiled. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef GPUS
#define GPUS 1
#endif
#ifndef MODEL
#define MODEL "NVIDIA A10G"
#endif
#ifndef INIT_ERROR
#define INIT_ERROR 0
#endif
#ifndef CONTEXT_ERROR /* of the last GPU */
#define CONTEXT_ERROR 0
#endif
#ifndef COPY_US
#define COPY_US 0
#endif

int cuInit(unsigned flags) { return INIT_ERROR; }

int cuGetErrorName(int error, const char **name) {
  *name = error == 2     ? "CUDA_ERROR_OUT_OF_MEMORY"
          : error == 214 ? "CUDA_ERROR_ECC_UNCORRECTABLE"
                         : "CUDA_ERROR_SYSTEM_NOT_READY";
  return 0;
}

int cuDeviceGetCount(int *count) {
  *count = GPUS;
  return 0;
}

int cuDeviceGet(int *device, int index) {
  *device = index;
  return 0;
}

int cuDeviceGetName(char *name, int length, int device) {
  strncpy(name, MODEL, length);
  return 0;
}

int cuDevicePrimaryCtxRetain(void **context, int device) {
#ifdef HANG
  while (device == GPUS - 1) pause();
#endif
#ifdef CRASH
  if (device == GPUS - 1) abort();
#endif
  *context = context;
  return device == GPUS - 1 ? CONTEXT_ERROR : 0;
}

int cuDevicePrimaryCtxRelease_v2(int device) { return 0; }

int cuCtxSetCurrent(void *context) { return 0; }

int cuCtxSynchronize(void) { return 0; }

int cuMemAlloc_v2(unsigned long long *buffer, size_t bytes) {
  *buffer = 4096;
  return 0;
}

int cuMemFree_v2(unsigned long long buffer) { return 0; }

int cuMemcpyDtoD_v2(unsigned long long to, unsigned long long from, size_t bytes) {
  usleep(COPY_US);
  return 0;
}
