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

/* Returns the GPU with this index, or -1: CUDA_VISIBLE_DEVICES ends at the first that is absent. */
static int visible(int index) {
  const char *list = getenv("CUDA_VISIBLE_DEVICES");
  if (!list) return index < GPUS ? index : -1;
  for (int i = 0; list; i++, list = strchr(list, ',')) {
    if (i) list++;
    int gpu = atoi(list);
    if (gpu >= GPUS) return -1;
    if (i == index) return gpu;
  }
  return -1;
}

int cuDeviceGetCount(int *count) {
  *count = 0;
  while (visible(*count) >= 0) ++*count;
  return 0;
}

int cuDeviceGet(int *device, int index) {
  *device = visible(index);
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
