// RUN: not mmtune-opt %s --schedule-matmul="arch=sm_1" 2>&1 | FileCheck %s --check-prefix=ARCH
// RUN: not mmtune-opt %s --schedule-matmul="device=tpu" 2>&1 | FileCheck %s --check-prefix=DEVICE
// RUN: not mmtune-opt %s --schedule-matmul="spec=/proc/nonexistent/spec.json" 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not mmtune-opt %s --schedule-matmul="spec=%s" 2>&1 | FileCheck %s --check-prefix=GARBAGE

// ARCH: error: unknown architecture 'sm_1'; known: sm_75
// DEVICE: error: unknown device kind 'tpu'; known: cuda, simt
// MISSING: error: the tuning spec '/proc/nonexistent/spec.json': cannot read /proc/nonexistent/spec.json: No such file or directory
// GARBAGE: error: the tuning spec '{{.*}}errors.mlir':
module {
}
