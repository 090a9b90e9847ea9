// RUN: mmtune-opt %s --schedule-matmul="arch=sm_75" --split-input-file | FileCheck %s

// On sm_75 only a last resort multiplies bf16: where the module extends its operands, the matmul is one of f32.
// CHECK-LABEL: func.func @extended
// CHECK: linalg.copy
// CHECK: linalg.copy
// CHECK: mmtune.problem = "512x512x512", mmtune.schedule = "fma
func.func @extended(%a: memref<512x512xbf16>, %b: memref<512x512xbf16>, %c: memref<512x512xf32>) {
  %zero = arith.constant 0.0 : f32
  %aw = memref.alloc() : memref<512x512xf32>
  %bw = memref.alloc() : memref<512x512xf32>
  linalg.copy ins(%a : memref<512x512xbf16>) outs(%aw : memref<512x512xf32>)
  linalg.copy ins(%b : memref<512x512xbf16>) outs(%bw : memref<512x512xf32>)
  linalg.fill ins(%zero : f32) outs(%c : memref<512x512xf32>)
  linalg.matmul ins(%aw, %bw : memref<512x512xf32>, memref<512x512xf32>) outs(%c : memref<512x512xf32>)
  memref.dealloc %aw : memref<512x512xf32>
  memref.dealloc %bw : memref<512x512xf32>
  return
}

// -----

// Where the operation itself extends them, there is nothing else to take.
// CHECK-LABEL: func.func @implicit
// CHECK: mmtune.problem = "512x512x512 bf16 out=f32", mmtune.schedule = "direct
func.func @implicit(%a: memref<512x512xbf16>, %b: memref<512x512xbf16>, %c: memref<512x512xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<512x512xf32>)
  linalg.matmul ins(%a, %b : memref<512x512xbf16>, memref<512x512xbf16>) outs(%c : memref<512x512xf32>)
  return
}

// -----

// Of i32 there is nothing else either.
#id = affine_map<(m, n) -> (m, n)>
// CHECK-LABEL: func.func @extended_bytes
// CHECK-NOT: arith.extsi
// CHECK: mmtune.problem = "64x64x64 s8", mmtune.schedule = "direct
func.func @extended_bytes(%a: memref<64x64xi8>, %b: memref<64x64xi8>, %c: memref<64x64xi32>) {
  %zero = arith.constant 0 : i32
  %aw = memref.alloc() : memref<64x64xi32>
  %bw = memref.alloc() : memref<64x64xi32>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%a : memref<64x64xi8>) outs(%aw : memref<64x64xi32>) {
  ^bb0(%x: i8, %old: i32):
    %0 = arith.extsi %x : i8 to i32
    linalg.yield %0 : i32
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%b : memref<64x64xi8>) outs(%bw : memref<64x64xi32>) {
  ^bb0(%x: i8, %old: i32):
    %0 = arith.extsi %x : i8 to i32
    linalg.yield %0 : i32
  }
  linalg.fill ins(%zero : i32) outs(%c : memref<64x64xi32>)
  linalg.matmul ins(%aw, %bw : memref<64x64xi32>, memref<64x64xi32>) outs(%c : memref<64x64xi32>)
  memref.dealloc %aw : memref<64x64xi32>
  memref.dealloc %bw : memref<64x64xi32>
  return
}

// -----

// f16 is not one of them: tensor cores of sm_75 multiply it.
// CHECK-LABEL: func.func @half
// CHECK: mmtune.problem = "512x512x512 f16 out=f32", mmtune.schedule = "mma async=0
func.func @half(%a: memref<512x512xf16>, %b: memref<512x512xf16>, %c: memref<512x512xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<512x512xf32>)
  linalg.matmul ins(%a, %b : memref<512x512xf16>, memref<512x512xf16>) outs(%c : memref<512x512xf32>)
  return
}
