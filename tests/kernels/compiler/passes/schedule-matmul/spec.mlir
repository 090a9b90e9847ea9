// RUN: mmtune-opt %s --mmtune-to-gpu="spec=%S/Inputs/sm_90.json device=cuda arch=sm_90 allow-fallback" --verify-diagnostics | FileCheck %s
// RUN: not mmtune-opt %s --schedule-matmul="spec=%S/Inputs/sm_90.json device=cuda arch=sm_90" 2>&1 | FileCheck %s --check-prefix=INVALID
// RUN: mmtune-opt %s --schedule-matmul="spec=%S/Inputs/sm_90.json device=cuda arch=sm_80" 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: sed 's/"mmtune_tuning_spec": 1/"mmtune_tuning_spec": 2/' %S/Inputs/sm_90.json > %t.json
// RUN: not mmtune-opt %s --schedule-matmul="spec=%t.json" 2>&1 | FileCheck %s --check-prefix=NEWER

// OTHER: spec.mlir:{{.*}} warning: the tuning spec '{{.*}}sm_90.json' has no schedule for cuda sm_80; default schedules are used
// OTHER: no tuned schedule for 1024x1024x512; uses a default one
// INVALID: spec.mlir:{{.*}} error: the tuning spec's schedule for 512x512x512 is not valid for sm_90 (fma: broken rule: {{.*}}): tune the problem again, take the entry out of the spec, or give --allow-fallback, with which the nearest or a default schedule stands in
// NEWER: spec.mlir:{{.*}} error: the tuning spec '{{.*}}.json':

// CHECK: gpu.module @matmul_1024x1024x512_0
// CHECK-SAME: mmtune.code_digest = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
// CHECK-SAME: mmtune.schedule = "fma async=1 bk=16 bm=128
// CHECK-SAME: mmtune.source = "spec"
// CHECK: gpu.module @matmul_1000x1024x512_1
// CHECK-NOT: mmtune.code_digest
// CHECK-SAME: mmtune.source = "nearest"
// CHECK: gpu.module @matmul_512x512x512_2
// CHECK-SAME: mmtune.source = "nearest"

func.func @tuned(%a: memref<1024x512xf32>, %b: memref<512x1024xf32>, %c: memref<1024x1024xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<1024x1024xf32>)
  linalg.matmul ins(%a, %b : memref<1024x512xf32>, memref<512x1024xf32>) outs(%c : memref<1024x1024xf32>)
  return
}

func.func @near(%a: memref<1000x512xf32>, %b: memref<512x1024xf32>, %c: memref<1000x1024xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<1000x1024xf32>)
  // expected-remark-re @below {{no tuned schedule for 1000x1024x512; uses that of 1024x1024x512: fma {{.*}}; expected loss: 2% (tiles cover 2% more than the problem, the last wave is 50% full)}}
  linalg.matmul ins(%a, %b : memref<1000x512xf32>, memref<512x1024xf32>) outs(%c : memref<1000x1024xf32>)
  return
}

// Its own entry breaks a rule of the family: another stands in where that is allowed.
func.func @invalid(%a: memref<512x512xf32>, %b: memref<512x512xf32>, %c: memref<512x512xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<512x512xf32>)
  // expected-remark @below {{no tuned schedule for 512x512x512 that is valid (fma: broken rule: }}
  linalg.matmul ins(%a, %b : memref<512x512xf32>, memref<512x512xf32>) outs(%c : memref<512x512xf32>)
  return
}
