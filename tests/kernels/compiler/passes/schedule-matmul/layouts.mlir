// RUN: mmtune-opt %s --schedule-matmul --split-input-file | FileCheck %s

// A slice of rows: the kernel knows the leading dimension, and is launched with the slice.
// CHECK-LABEL: func.func @rows
// CHECK: %[[A:.*]] = memref.subview
// CHECK-NOT: linalg
// CHECK: gpu.launch_func @matmul_64x48x32_0::{{.*}} args(%[[A]] : memref<64x32xf32, strided<[96, 1], offset: 32>>, %{{.*}} : memref<32x48xf32>, %{{.*}} : memref<64x48xf32>)
// CHECK: gpu.module @matmul_64x48x32_0
// CHECK-SAME: mmtune.problem = "64x48x32 lda=96 ldb=48 ldc=48 align=32,0,0"
// CHECK: llvm.func @{{.*}}(%{{.*}}: !llvm.ptr {{{.*}}mmtune.knows_strides{{.*}}}, %{{.*}}: !llvm.ptr {{{.*}}mmtune.knows_strides{{.*}}}, %{{.*}}: !llvm.ptr {{{.*}}mmtune.knows_strides{{.*}}})
func.func @rows(%x: memref<64x96xf32>, %b: memref<32x48xf32>, %c: memref<64x48xf32>) {
  %zero = arith.constant 0.0 : f32
  %a = memref.subview %x[0, 32] [64, 32] [1, 1] : memref<64x96xf32> to memref<64x32xf32, strided<[96, 1], offset: 32>>
  linalg.fill ins(%zero : f32) outs(%c : memref<64x48xf32>)
  linalg.matmul ins(%a, %b : memref<64x32xf32, strided<[96, 1], offset: 32>>, memref<32x48xf32>) outs(%c : memref<64x48xf32>)
  return
}

// -----

// Whole rows of a larger matrix are dense, where they begin at 16 bytes; and where they do not, narrower copies read
// them, by a kernel of its own.
// CHECK-LABEL: func.func @whole_rows
// CHECK: gpu.launch_func @matmul_16x48x31_0::
// CHECK: gpu.launch_func @matmul_16x48x31_1::
// CHECK: gpu.module @matmul_16x48x31_0
// CHECK-SAME: mmtune.problem = "16x48x31",
// CHECK: gpu.module @matmul_16x48x31_1
// CHECK-SAME: mmtune.problem = "16x48x31 lda=31 ldb=48 ldc=48 align=31,0,0"
func.func @whole_rows(%x: memref<64x31xf32>, %b: memref<31x48xf32>, %c: memref<16x48xf32>, %d: memref<16x48xf32>) {
  %zero = arith.constant 0.0 : f32
  %even = memref.subview %x[4, 0] [16, 31] [1, 1] : memref<64x31xf32> to memref<16x31xf32, strided<[31, 1], offset: 124>>
  linalg.fill ins(%zero : f32) outs(%c : memref<16x48xf32>)
  linalg.matmul ins(%even, %b : memref<16x31xf32, strided<[31, 1], offset: 124>>, memref<31x48xf32>) outs(%c : memref<16x48xf32>)
  %odd = memref.subview %x[1, 0] [16, 31] [1, 1] : memref<64x31xf32> to memref<16x31xf32, strided<[31, 1], offset: 31>>
  linalg.fill ins(%zero : f32) outs(%d : memref<16x48xf32>)
  linalg.matmul ins(%odd, %b : memref<16x31xf32, strided<[31, 1], offset: 31>>, memref<31x48xf32>) outs(%d : memref<16x48xf32>)
  return
}
