// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The runtime library of models compiled by mmtune: libmmtune_runtime.so. C99 and C++.
 *
 * A compiled model calls the mgpu* functions of this library, which execute its device operations on the device of the
 * process: a GPU through the CUDA driver, or this machine's CPU (the SIMT device). A program need not call any function
 * declared here. The device is chosen when a model first needs one:
 *
 *   1. the one given to mmtune_set_device();
 *   2. else the one named by the environment variable MMTUNE_DEVICE, in the same form;
 *   3. else a device of the kind for which the model that was loaded first was compiled.
 *
 * The functions of a model cannot return errors. The library keeps the first error, and later device operations have no
 * effect. So use the results of a call only if mmtune_take_error() returns NULL after it. An error that
 * mmtune_take_error() has not returned is written to standard error when the process ends.
 *
 * Every function may be called from any thread. Models run one device operation at a time.
 */
#ifndef MMTUNE_RUNTIME_H_
#define MMTUNE_RUNTIME_H_

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Chooses and opens the device: "simt", "cuda" (the first GPU) or "cuda:1". Returns NULL if it is ready, otherwise an
 * error text, which is valid until the thread's next call of this function. A process has one device: once a device is
 * in use, choosing another one is an error. */
const char* mmtune_set_device(const char* device);

/* Returns the name of the device in use, such as "simt-cpu (..., 2 threads)" or "NVIDIA H200"; NULL if there is none
 * yet. The name is valid until the process ends. */
const char* mmtune_device_name(void);

/* Returns the first error since the last call, as one line of text, and clears it; NULL if there was no error. The text
 * is valid until the thread's next call of this function. Models work again afterwards, unless the device was lost. */
const char* mmtune_take_error(void);

/* Counts of operations on the device since the process started. When no model runs, as many objects were released as
 * created, except for the images and constants (weights) of models, which are released when the model is unloaded.
 * Memory of gpu.alloc host_shared is not counted. */
typedef struct mmtune_counters {
  int64_t allocations, frees;
  int64_t streams_created, streams_destroyed;
  int64_t events_created, events_destroyed;
  int64_t modules_loaded, modules_unloaded;
  int64_t launches;
} mmtune_counters;

/* Writes the counts to *counters. */
void mmtune_get_counters(mmtune_counters* counters);

/* Returns the version of this library, such as "0.1.0". */
const char* mmtune_version(void);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* MMTUNE_RUNTIME_H_ */
