// RUN: mmtune-opt %s --schedule-matmul --split-input-file | FileCheck %s

// CHECK: module attributes {gpu.container_module}
// CHECK-LABEL: func.func @matmul
// CHECK-SAME: (%[[A:.*]]: memref<64x32xf32>, %[[B:.*]]: memref<32x48xf32>, %[[C:.*]]: memref<64x48xf32>)
// CHECK-NOT: linalg
// CHECK: gpu.launch_func @[[MODULE:matmul_64x48x32_0]]::@[[KERNEL:.*]] blocks in {{.*}} args(%[[A]] : memref<64x32xf32>, %[[B]] : memref<32x48xf32>, %[[C]] : memref<64x48xf32>)
// CHECK-NEXT: return
// CHECK: gpu.module @[[MODULE]]
// CHECK-SAME: mmtune.problem = "64x48x32"
// CHECK-SAME: mmtune.schedule = "fma
// CHECK-SAME: mmtune.source = "default"
// CHECK: llvm.func @[[KERNEL]](%{{.*}}: !llvm.ptr {{{.*}}llvm.readonly{{.*}}}, %{{.*}}: !llvm.ptr {{{.*}}llvm.readonly{{.*}}}, %{{.*}}: !llvm.ptr {{{.*}}mmtune.overwrites{{.*}}})
func.func @matmul(%a: memref<64x32xf32>, %b: memref<32x48xf32>, %c: memref<64x48xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<64x48xf32>)
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x48xf32>) outs(%c : memref<64x48xf32>)
  return
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
// CHECK-LABEL: func.func @transposed_b
// CHECK: gpu.launch_func @matmul_64x48x32_0::
// CHECK: gpu.module
// CHECK-SAME: mmtune.problem = "64x48x32 transpose_b"
func.func @transposed_b(%a: memref<64x32xf32>, %b: memref<48x32xf32>, %c: memref<64x48xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<64x48xf32>)
  linalg.matmul indexing_maps = [#a, #b, #c]
    ins(%a, %b : memref<64x32xf32>, memref<48x32xf32>) outs(%c : memref<64x48xf32>)
  return
}

// -----

// CHECK-LABEL: func.func @batch
// CHECK: gpu.launch_func @matmul_64x48x32_0::
// CHECK: gpu.module
// CHECK-SAME: mmtune.problem = "64x48x32 batch=3"
func.func @batch(%a: memref<3x64x32xf32>, %b: memref<3x32x48xf32>, %c: memref<3x64x48xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<3x64x48xf32>)
  linalg.batch_matmul ins(%a, %b : memref<3x64x32xf32>, memref<3x32x48xf32>) outs(%c : memref<3x64x48xf32>)
  return
}

// -----

#a = affine_map<(b, m, n, k) -> (b, m, k)>
#b = affine_map<(b, m, n, k) -> (b, n, k)>
#c = affine_map<(b, m, n, k) -> (b, m, n)>
// CHECK-LABEL: func.func @batch_transposed_b
// CHECK: gpu.module
// CHECK-SAME: mmtune.problem = "64x48x32 batch=3 transpose_b"
func.func @batch_transposed_b(%a: memref<3x64x32xf32>, %b: memref<3x48x32xf32>, %c: memref<3x64x48xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<3x64x48xf32>)
  linalg.batch_matmul indexing_maps = [#a, #b, #c]
    ins(%a, %b : memref<3x64x32xf32>, memref<3x48x32xf32>) outs(%c : memref<3x64x48xf32>)
  return
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
// CHECK-LABEL: func.func @contract
// CHECK: gpu.launch_func @matmul_64x48x32_0::
func.func @contract(%a: memref<64x32xf32>, %b: memref<32x48xf32>, %c: memref<64x48xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<64x48xf32>)
  linalg.contract indexing_maps = [#a, #b, #c]
    ins(%a, %b : memref<64x32xf32>, memref<32x48xf32>) outs(%c : memref<64x48xf32>)
  return
}

// -----

// Inputs in the other order, loops and operands in any.
#b = affine_map<(k, n, m) -> (k, n)>
#a = affine_map<(k, n, m) -> (m, k)>
#c = affine_map<(k, n, m) -> (m, n)>
// CHECK-LABEL: func.func @generic
// CHECK-SAME: (%[[A:.*]]: memref<64x32xf32>, %[[B:.*]]: memref<32x48xf32>, %[[C:.*]]: memref<64x48xf32>)
// CHECK: gpu.launch_func @matmul_64x48x32_0::{{.*}} args(%[[A]] : {{.*}}, %[[B]] : {{.*}}, %[[C]] : {{.*}})
func.func @generic(%a: memref<64x32xf32>, %b: memref<32x48xf32>, %c: memref<64x48xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<64x48xf32>)
  linalg.generic {indexing_maps = [#b, #a, #c], iterator_types = ["reduction", "parallel", "parallel"]}
    ins(%b, %a : memref<32x48xf32>, memref<64x32xf32>) outs(%c : memref<64x48xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %0 = arith.mulf %y, %x : f32
    %1 = arith.addf %0, %sum : f32
    linalg.yield %1 : f32
  }
  return
}

// -----

// A layer applied to every row of a batch: rows of two dimensions are rows.
#a = affine_map<(b, m, n, k) -> (b, m, k)>
#w = affine_map<(b, m, n, k) -> (k, n)>
#c = affine_map<(b, m, n, k) -> (b, m, n)>
// CHECK-LABEL: func.func @shared_weights
// CHECK: gpu.launch_func @matmul_192x48x32_0::{{.*}} args(%{{.*}} : memref<3x64x32xf32>, %{{.*}} : memref<32x48xf32>, %{{.*}} : memref<3x64x48xf32>)
func.func @shared_weights(%a: memref<3x64x32xf32>, %w: memref<32x48xf32>, %c: memref<3x64x48xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<3x64x48xf32>)
  linalg.contract indexing_maps = [#a, #w, #c]
    ins(%a, %w : memref<3x64x32xf32>, memref<32x48xf32>) outs(%c : memref<3x64x48xf32>)
  return
}

// -----

// Equal matmuls share a module, in loops and in other functions; others get their own.
// CHECK-LABEL: func.func @in_a_loop
// CHECK: scf.for
// CHECK-NOT: linalg
// CHECK: gpu.launch_func @matmul_64x64x64_0::
// CHECK-LABEL: func.func @again
// CHECK: gpu.launch_func @matmul_64x64x64_0::
// CHECK: gpu.launch_func @matmul_32x64x64_1::
// CHECK: gpu.module @matmul_64x64x64_0
// CHECK: gpu.module @matmul_32x64x64_1
// CHECK-NOT: gpu.module
func.func @in_a_loop(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>, %n: index) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    linalg.fill ins(%zero : f32) outs(%c : memref<64x64xf32>)
    linalg.matmul ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
  }
  return
}
func.func @again(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>,
                 %d: memref<32x64xf32>, %e: memref<32x64xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<64x64xf32>)
  linalg.fill ins(%zero : f32) outs(%e : memref<32x64xf32>)
  linalg.matmul ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
  linalg.matmul ins(%d, %b : memref<32x64xf32>, memref<64x64xf32>) outs(%e : memref<32x64xf32>)
  return
}

// -----

// A name that is taken.
// CHECK: gpu.launch_func @matmul_64x64x64_0_0::
func.func @name_taken(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<64x64xf32>)
  linalg.matmul ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
  return
}
func.func private @matmul_64x64x64_0()
