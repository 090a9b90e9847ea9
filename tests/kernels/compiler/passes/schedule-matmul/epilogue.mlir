// RUN: mmtune-opt %s --schedule-matmul --split-input-file | FileCheck %s

#id = affine_map<(m, n) -> (m, n)>
#columns = affine_map<(m, n) -> (n)>

// One consumer of several steps; the matmul's own buffer is gone.
// CHECK-LABEL: func.func @bias_relu
// CHECK-SAME: (%[[A:.*]]: memref<64x32xf32>, %[[B:.*]]: memref<32x48xf32>, %[[BIAS:.*]]: memref<48xf32>, %[[OUT:.*]]: memref<64x48xf32>)
// CHECK-NOT: memref.alloc
// CHECK-NOT: linalg
// CHECK: gpu.launch_func @matmul_64x48x32_0::{{.*}} args(%[[A]] : {{.*}}, %[[B]] : {{.*}}, %[[OUT]] : {{.*}}, %[[BIAS]] : memref<48xf32>)
// CHECK-NEXT: return
// CHECK: mmtune.problem = "64x48x32 epilogue=bias,relu"
func.func @bias_relu(%a: memref<64x32xf32>, %b: memref<32x48xf32>, %bias: memref<48xf32>, %out: memref<64x48xf32>) {
  %zero = arith.constant 0.0 : f32
  %c = memref.alloc() : memref<64x48xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<64x48xf32>)
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x48xf32>) outs(%c : memref<64x48xf32>)
  linalg.generic {indexing_maps = [#id, #columns, #id], iterator_types = ["parallel", "parallel"]}
    ins(%c, %bias : memref<64x48xf32>, memref<48xf32>) outs(%out : memref<64x48xf32>) {
  ^bb0(%x: f32, %y: f32, %old: f32):
    %0 = arith.addf %y, %x : f32
    %1 = arith.maximumf %0, %zero : f32
    linalg.yield %1 : f32
  }
  memref.dealloc %c : memref<64x48xf32>
  return
}

// -----

// Several consumers in a row, named and not, each with a buffer of its own or in place.
#id = affine_map<(m, n) -> (m, n)>
// CHECK-LABEL: func.func @in_a_row
// CHECK-SAME: %[[RESIDUAL:[^ ]*]]: memref<64x48xf32>, %[[OUT:[^ ]*]]: memref<64x48xf32>)
// CHECK-NOT: linalg
// CHECK: gpu.launch_func {{.*}} args(%{{.*}}, %{{.*}}, %[[OUT]] : memref<64x48xf32>, %[[RESIDUAL]] : memref<64x48xf32>)
// CHECK-NOT: linalg
// CHECK: mmtune.problem = "64x48x32 epilogue=scale:0.125,add,relu"
func.func @in_a_row(%a: memref<64x32xf32>, %b: memref<32x48xf32>, %residual: memref<64x48xf32>, %out: memref<64x48xf32>) {
  %zero = arith.constant 0.0 : f32
  %eight = arith.constant 8.0 : f32
  %c = memref.alloc() : memref<64x48xf32>
  %d = memref.alloc() : memref<64x48xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<64x48xf32>)
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x48xf32>) outs(%c : memref<64x48xf32>)
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%c : memref<64x48xf32>) {
  ^bb0(%x: f32):
    %0 = arith.divf %x, %eight : f32
    linalg.yield %0 : f32
  }
  linalg.add ins(%c, %residual : memref<64x48xf32>, memref<64x48xf32>) outs(%d : memref<64x48xf32>)
  memref.dealloc %c : memref<64x48xf32>
  linalg.map ins(%d : memref<64x48xf32>) outs(%out : memref<64x48xf32>)
    (%x: f32, %old: f32) {
      %0 = arith.cmpf ugt, %x, %zero : f32
      %1 = arith.select %0, %x, %zero : f32
      linalg.yield %1 : f32
    }
  memref.dealloc %d : memref<64x48xf32>
  return
}

// -----

// What an operand is filled with in between is not in the way; the launch comes behind it.
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (0, n)>
// CHECK-LABEL: func.func @bias_made_late
// CHECK: %[[BIAS:.*]] = memref.alloc() : memref<1x48xf32>
// CHECK: memref.store %{{.*}}, %[[BIAS]]
// CHECK: gpu.launch_func {{.*}} %[[BIAS]] : memref<1x48xf32>)
// CHECK: mmtune.problem = "64x48x32 epilogue=bias"
func.func @bias_made_late(%a: memref<64x32xf32>, %b: memref<32x48xf32>, %out: memref<64x48xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  linalg.fill ins(%zero : f32) outs(%out : memref<64x48xf32>)
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x48xf32>) outs(%out : memref<64x48xf32>)
  %bias = memref.alloc() : memref<1x48xf32>
  memref.store %zero, %bias[%c0, %c0] : memref<1x48xf32>
  linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]}
    ins(%bias : memref<1x48xf32>) outs(%out : memref<64x48xf32>) {
  ^bb0(%y: f32, %x: f32):
    %0 = arith.addf %x, %y : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// A batch shares one bias.
#id = affine_map<(b, m, n) -> (b, m, n)>
#columns = affine_map<(b, m, n) -> (n)>
// CHECK-LABEL: func.func @batch_bias
// CHECK: mmtune.problem = "64x48x32 batch=3 epilogue=bias"
func.func @batch_bias(%a: memref<3x64x32xf32>, %b: memref<3x32x48xf32>, %bias: memref<48xf32>, %out: memref<3x64x48xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%out : memref<3x64x48xf32>)
  linalg.batch_matmul ins(%a, %b : memref<3x64x32xf32>, memref<3x32x48xf32>) outs(%out : memref<3x64x48xf32>)
  linalg.generic {indexing_maps = [#columns, #id], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%bias : memref<48xf32>) outs(%out : memref<3x64x48xf32>) {
  ^bb0(%y: f32, %x: f32):
    %0 = arith.addf %x, %y : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// The old contents and an epilogue: the output is another buffer, so nothing is copied.
// CHECK-LABEL: func.func @accumulate_then_relu
// CHECK-SAME: %[[OUT:[^ ]*]]: memref<64x48xf32>)
// CHECK: %[[C:.*]] = memref.alloc()
// CHECK: memref.store %{{.*}}, %[[C]]
// CHECK-NOT: memref.copy
// CHECK: gpu.launch_func {{.*}} args(%{{.*}}, %{{.*}}, %[[OUT]] : memref<64x48xf32>, %[[C]] : memref<64x48xf32>)
// CHECK: memref.dealloc %[[C]]
// CHECK: mmtune.problem = "64x48x32 epilogue=add,relu"
func.func @accumulate_then_relu(%a: memref<64x32xf32>, %b: memref<32x48xf32>, %x: f32, %out: memref<64x48xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c = memref.alloc() : memref<64x48xf32>
  memref.store %x, %c[%c0, %c0] : memref<64x48xf32>
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x48xf32>) outs(%c : memref<64x48xf32>)
  linalg.map ins(%c : memref<64x48xf32>) outs(%out : memref<64x48xf32>)
    (%in: f32, %old: f32) {
      %0 = arith.maximumf %in, %zero : f32
      linalg.yield %0 : f32
    }
  memref.dealloc %c : memref<64x48xf32>
  return
}

// -----

// The old contents when the result takes their place: a copy.
// CHECK-LABEL: func.func @accumulate
// CHECK-SAME: %[[C:[^ ]*]]: memref<64x48xf32>)
// CHECK: %[[OLD:.*]] = memref.alloc() : memref<64x48xf32>
// CHECK-NEXT: memref.copy %[[C]], %[[OLD]]
// CHECK: gpu.launch_func {{.*}} args(%{{.*}}, %{{.*}}, %[[C]] : memref<64x48xf32>, %[[OLD]] : memref<64x48xf32>)
// CHECK-NEXT: memref.dealloc %[[OLD]]
// CHECK: mmtune.problem = "64x48x32 epilogue=add"
func.func @accumulate(%a: memref<64x32xf32>, %b: memref<32x48xf32>, %c: memref<64x48xf32>) {
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x48xf32>) outs(%c : memref<64x48xf32>)
  return
}

// -----

// Something reads what was filled in, so that it stays, and so does what it is an addend of.
// CHECK-LABEL: func.func @fill_is_read
// CHECK: linalg.fill
// CHECK: memref.load
// CHECK: memref.copy
// CHECK: mmtune.problem = "64x48x32 epilogue=add"
func.func @fill_is_read(%a: memref<64x32xf32>, %b: memref<32x48xf32>, %c: memref<64x48xf32>) -> f32 {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  linalg.fill ins(%zero : f32) outs(%c : memref<64x48xf32>)
  %x = memref.load %c[%c0, %c0] : memref<64x48xf32>
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x48xf32>) outs(%c : memref<64x48xf32>)
  return %x : f32
}
