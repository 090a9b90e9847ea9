// RUN: mmtune-opt %s --schedule-matmul="arch=sm_75" --split-input-file | FileCheck %s

// On sm_75 only a last resort multiplies f16: where the module extends its operands, the product is one of f32.
// CHECK-LABEL: func.func @extended
// CHECK: linalg.copy
// CHECK: linalg.copy
// CHECK: mmtune.problem = "512x512x512", mmtune.schedule = "fma
func.func @extended(%a: memref<512x512xf16>, %b: memref<512x512xf16>, %c: memref<512x512xf32>) {
  %zero = arith.constant 0.0 : f32
  %aw = memref.alloc() : memref<512x512xf32>
  %bw = memref.alloc() : memref<512x512xf32>
  linalg.copy ins(%a : memref<512x512xf16>) outs(%aw : memref<512x512xf32>)
  linalg.copy ins(%b : memref<512x512xf16>) outs(%bw : memref<512x512xf32>)
  linalg.fill ins(%zero : f32) outs(%c : memref<512x512xf32>)
  linalg.matmul ins(%aw, %bw : memref<512x512xf32>, memref<512x512xf32>) outs(%c : memref<512x512xf32>)
  memref.dealloc %aw : memref<512x512xf32>
  memref.dealloc %bw : memref<512x512xf32>
  return
}

// -----

// Where the operation itself extends them, there is nothing else to take.
// CHECK-LABEL: func.func @implicit
// CHECK: mmtune.problem = "512x512x512 f16 out=f32", mmtune.schedule = "direct
func.func @implicit(%a: memref<512x512xf16>, %b: memref<512x512xf16>, %c: memref<512x512xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<512x512xf32>)
  linalg.matmul ins(%a, %b : memref<512x512xf16>, memref<512x512xf16>) outs(%c : memref<512x512xf32>)
  return
}
