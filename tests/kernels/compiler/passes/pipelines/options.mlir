// RUN: not mmtune-opt %s --mmtune-to-gpu=streams=bogus 2>&1 | FileCheck %s --check-prefix=STREAMS
// RUN: not mmtune-opt %s --mmtune-to-gpu=arch=sm_1 2>&1 | FileCheck %s --check-prefix=ARCH
// RUN: not mmtune-opt %s --mmtune-gpu-to-binary=device=tpu 2>&1 | FileCheck %s --check-prefix=DEVICE
// RUN: not mmtune-opt %s --mmtune-to-gpu=spec=/proc/nonexistent/spec.json 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not mmtune-opt %s --mmtune-to-gpu=spec=%s 2>&1 | FileCheck %s --check-prefix=GARBAGE
// RUN: mmtune-opt %s --mmtune-to-gpu="streams=one arch=sm_90" -o /dev/null

// An error of MLIR's, not the end of the program by LLVM.
// STREAMS-NOT: LLVM ERROR
// STREAMS: Cannot find option named 'bogus'!
// ARCH-NOT: LLVM ERROR
// ARCH: error: unknown architecture 'sm_1'; known: sm_75
// DEVICE-NOT: LLVM ERROR
// DEVICE: error: unknown device kind 'tpu'; known: cuda, simt
// MISSING-NOT: LLVM ERROR
// MISSING: error: the tuning spec '/proc/nonexistent/spec.json': cannot read /proc/nonexistent/spec.json: No such file or directory
// GARBAGE-NOT: LLVM ERROR
// GARBAGE: error: the tuning spec '{{.*}}options.mlir':
module {
}
