// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The runtime library of models compiled by mmtune: libmmtune_runtime.so. C99 and C++.
 *
 * A compiled model calls the mgpu* functions of this library, which direct its device operations at one device of the
 * process: a GPU through the CUDA driver, or this machine's CPU (the SIMT device). Nothing here has to be called. The
 * device is made when a model first needs it:
 *
 *   1. the one given to mmtune_set_device();
 *   2. else the one named by the environment variable MMTUNE_DEVICE, in the same form;
 *   3. else the kind of device that the first model loaded was compiled for.
 *
 * The functions of a model cannot return errors. The first error is kept, and what a model does after it has no effect,
 * so results are not to be used unless mmtune_take_error() returned NULL after the call. An error that was not
 * taken is written to standard error when the process ends.
 *
 * Every function may be called from any thread. Models run one device operation at a time.
 */
#ifndef MMTUNE_RUNTIME_H_
#define MMTUNE_RUNTIME_H_

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Chooses the device: "simt", "cuda" (the first GPU) or "cuda:1". Returns NULL when it is ready, else an error, valid
 * until the thread's next call of this function. A process has one device: once it is in use, only the same one can be
 * chosen again. */
const char* mmtune_set_device(const char* device);

/* Returns the name of the device in use: "simt-cpu (..., 2 threads)", "NVIDIA H200". NULL when there is none yet. Valid
 * until the process ends. */
const char* mmtune_device_name(void);

/* Returns and clears the first error since the last call, one line; NULL if there was none. Valid until the thread's
 * next call of this function. Models work again afterwards, unless the device itself was lost. */
const char* mmtune_take_error(void);

/* Counts of operations on the device since the process started. At rest, creations equal releases; images and constants
 * (weights) of a model are released when it is unloaded. Memory of gpu.alloc host_shared is not counted. */
typedef struct mmtune_counters {
  int64_t allocations, frees;
  int64_t streams_created, streams_destroyed;
  int64_t events_created, events_destroyed;
  int64_t modules_loaded, modules_unloaded;
  int64_t launches;
} mmtune_counters;

void mmtune_get_counters(mmtune_counters* counters);

/* Returns "0.1.0". */
const char* mmtune_version(void);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* MMTUNE_RUNTIME_H_ */
