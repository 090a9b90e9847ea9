// RUN: mmtune-opt %s --schedule-matmul --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @rows
// CHECK-SAME: (%[[A:.*]]: memref<?x32xf32>, %[[B:.*]]: memref<32x48xf32>, %[[C:.*]]: memref<?x48xf32>)
// CHECK-NOT: linalg
// CHECK: %[[ROWS:.*]] = memref.dim %[[C]], %{{.*}} : memref<?x48xf32>
// CHECK: %[[COVERED:.*]] = arith.addi %[[ROWS]], %{{.*}}
// CHECK: %[[TILES:.*]] = arith.divui %[[COVERED]], %{{.*}}
// CHECK: %[[COUNTED:.*]] = arith.cmpi ule, %[[ROWS]], %{{.*}}
// CHECK: %[[BLOCKS:.*]] = arith.select %[[COUNTED]], %{{.*}}, %{{.*}}
// CHECK: %[[M:.*]] = arith.index_cast %[[ROWS]] : index to i32
// CHECK: gpu.launch_func @[[MODULE:matmul_Mx48x32_0]]::@[[KERNEL:.*]] blocks in (%[[BLOCKS]], {{.*}} args(%[[A]] : memref<?x32xf32>, %[[B]] : memref<32x48xf32>, %[[C]] : memref<?x48xf32>, %[[M]] : i32)
// CHECK-NEXT: return
// CHECK: gpu.module @[[MODULE]]
// CHECK-SAME: mmtune.problem = "?x48x32"
// CHECK: llvm.func @[[KERNEL]]({{.*}}, %{{.*}}: i32)
func.func @rows(%a: memref<?x32xf32>, %b: memref<32x48xf32>, %c: memref<?x48xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<?x48xf32>)
  // expected-remark-re @below {{no tuned schedule for ?x48x32; uses a default one: fma {{.*}}; expected loss: {{.*}}, were it 512x48x32}}
  linalg.matmul ins(%a, %b : memref<?x32xf32>, memref<32x48xf32>) outs(%c : memref<?x48xf32>)
  return
}

// -----

// Of the batch alone, the kernel is told by its grid.
// CHECK-LABEL: func.func @batch
// CHECK: %[[MATRICES:.*]] = memref.dim %{{.*}}, %{{.*}} : memref<?x64x48xf32>
// CHECK: %[[BLOCKS:.*]] = arith.muli %[[MATRICES]], %{{.*}}
// CHECK: gpu.launch_func @matmul_64x48x32_0::@{{.*}} blocks in (%[[BLOCKS]], {{.*}} args(%{{.*}} : memref<?x64x32xf32>, %{{.*}} : memref<?x32x48xf32>, %{{.*}} : memref<?x64x48xf32>)
// CHECK: mmtune.problem = "64x48x32 batch=?"
func.func @batch(%a: memref<?x64x32xf32>, %b: memref<?x32x48xf32>, %c: memref<?x64x48xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<?x64x48xf32>)
  // expected-remark @below {{no tuned schedule for 64x48x32 batch=?; uses a default one: }}
  linalg.batch_matmul ins(%a, %b : memref<?x64x32xf32>, memref<?x32x48xf32>) outs(%c : memref<?x64x48xf32>)
  return
}

// -----

// Two layers that differ in what is known of their rows have kernels of their own.
// CHECK-LABEL: func.func @two
// CHECK: gpu.launch_func @matmul_Mx48x32_0::
// CHECK: gpu.launch_func @matmul_512x48x32_1::
func.func @two(%a: memref<?x32xf32>, %d: memref<512x32xf32>, %b: memref<32x48xf32>, %c: memref<?x48xf32>, %e: memref<512x48xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<?x48xf32>)
  // expected-remark @below {{no tuned schedule}}
  linalg.matmul ins(%a, %b : memref<?x32xf32>, memref<32x48xf32>) outs(%c : memref<?x48xf32>)
  linalg.fill ins(%zero : f32) outs(%e : memref<512x48xf32>)
  // expected-remark @below {{no tuned schedule}}
  linalg.matmul ins(%d, %b : memref<512x32xf32>, memref<32x48xf32>) outs(%e : memref<512x48xf32>)
  return
}

// -----

func.func @columns(%a: memref<64x32xf32>, %b: memref<32x?xf32>, %c: memref<64x?xf32>) {
  // expected-remark @below {{the matmul is not scheduled: its number of columns is known at run time only; map-linalg-to-gpu}}
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x?xf32>) outs(%c : memref<64x?xf32>)
  return
}

// -----

func.func @sums(%a: memref<64x?xf32>, %b: memref<?x48xf32>, %c: memref<64x48xf32>) {
  // expected-remark @below {{the matmul is not scheduled: its k is known at run time only; map-linalg-to-gpu}}
  linalg.matmul ins(%a, %b : memref<64x?xf32>, memref<?x48xf32>) outs(%c : memref<64x48xf32>)
  return
}

// -----

#a = affine_map<(m, n, k) -> (k, m)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @transposed_a(%a: memref<32x?xf32>, %b: memref<32x48xf32>, %c: memref<?x48xf32>) {
  // expected-remark @below {{the matmul is not scheduled: A is transposed, and its number of rows known at run time only; map-linalg-to-gpu}}
  linalg.matmul indexing_maps = [#a, #b, #c] ins(%a, %b : memref<32x?xf32>, memref<32x48xf32>) outs(%c : memref<?x48xf32>)
  return
}

// -----

func.func @nothing(%a: memref<?x0xf32>, %b: memref<0x48xf32>, %c: memref<?x48xf32>) {
  // expected-remark @below {{the matmul is not scheduled: }}
  linalg.matmul ins(%a, %b : memref<?x0xf32>, memref<0x48xf32>) outs(%c : memref<?x48xf32>)
  return
}

// -----

func.func @no_rows(%a: memref<?x0x32xf32>, %b: memref<32x48xf32>, %c: memref<?x0x48xf32>) {
  // expected-remark @below {{the matmul is not scheduled: }}
  linalg.generic {indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>],
    iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
    ins(%a, %b : memref<?x0x32xf32>, memref<32x48xf32>) outs(%c : memref<?x0x48xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %m = arith.mulf %x, %y : f32
    %s = arith.addf %sum, %m : f32
    linalg.yield %s : f32
  }
  return
}

// -----

// Each size is known of one operand, whichever it is.
// CHECK-LABEL: func.func @known_elsewhere
// CHECK: gpu.launch_func @matmul_64x48x32_0::
func.func @known_elsewhere(%a: memref<?x?xf32>, %b: memref<32x?xf32>, %c: memref<64x48xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<64x48xf32>)
  // expected-remark @below {{no tuned schedule for 64x48x32;}}
  linalg.matmul ins(%a, %b : memref<?x?xf32>, memref<32x?xf32>) outs(%c : memref<64x48xf32>)
  return
}
