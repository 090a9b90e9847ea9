// RUN: mmtune-opt %s --bufferize-tensors | FileCheck %s

// What the function allocates for itself is freed, what it returns is the caller's.
// CHECK-LABEL: func.func @tensors(
// CHECK-SAME:    %[[X:.*]]: memref<4xf32>) -> memref<4xf32>
// CHECK:         %[[T:.*]] = memref.alloc()
// CHECK:         linalg.generic {{.*}} ins(%[[X]] : memref<4xf32>) outs(%[[T]] : memref<4xf32>)
// CHECK:         %[[R:.*]] = memref.alloc()
// CHECK:         linalg.generic {{.*}} ins(%[[T]], %[[X]] : memref<4xf32>, memref<4xf32>) outs(%[[R]] : memref<4xf32>)
// CHECK:         memref.dealloc %[[T]]
// CHECK-NOT:     memref.dealloc
// CHECK:         return %[[R]]
#id = affine_map<(i) -> (i)>
#last = affine_map<(i) -> (3 - i)>
func.func @tensors(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %t = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
    ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf %in, %in : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  %f = tensor.empty() : tensor<4xf32>
  %r = linalg.generic {indexing_maps = [#last, #id, #id], iterator_types = ["parallel"]}
    ins(%t, %x : tensor<4xf32>, tensor<4xf32>) outs(%f : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %s = arith.mulf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// A function on memrefs beside it frees by itself.
// CHECK-LABEL: func.func @memrefs(
// CHECK:         %[[A:.*]] = memref.alloc()
// CHECK:         memref.copy
// CHECK:         memref.dealloc %[[A]]
// CHECK-NOT:     memref.dealloc
// CHECK:         return
func.func @memrefs(%x: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  %c0 = arith.constant 0 : index
  %v = memref.load %a[%c0] : memref<4xf32>
  memref.store %v, %x[%c0] : memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  return
}

// The caller's tensor is a value: what would be written in place is written to a copy, which is the result.
// CHECK-LABEL: func.func @increment(
// CHECK-SAME:    %[[X:.*]]: memref<4xf32>) -> memref<4xf32>
// CHECK:         %[[R:.*]] = memref.alloc()
// CHECK:         memref.copy %[[X]], %[[R]]
// CHECK:         linalg.generic {{.*}} outs(%[[R]] : memref<4xf32>)
// CHECK:         return %[[R]]
func.func @increment(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%x : tensor<4xf32>) {
  ^bb0(%old: f32):
    %s = arith.addf %old, %old : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// Unless the author says that it may be.
// CHECK-LABEL: func.func @increment_in_place(
// CHECK-SAME:    %[[X:.*]]: memref<4xf32>) -> f32
// CHECK-NOT:     memref.alloc
// CHECK:         linalg.generic {{.*}} outs(%[[X]] : memref<4xf32>)
func.func @increment_in_place(%x: tensor<4xf32> {bufferization.writable = true}) -> f32 {
  %r = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%x : tensor<4xf32>) {
  ^bb0(%old: f32):
    %s = arith.addf %old, %old : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  %c0 = arith.constant 0 : index
  %v = tensor.extract %r[%c0] : tensor<4xf32>
  return %v : f32
}

// Inside the module the caller knows what is written, and copies only what it still needs.
// CHECK-LABEL: func.func private @helper(
// CHECK-SAME:    %[[X:.*]]: memref<4xf32>)
// CHECK:         linalg.generic {{.*}} outs(%[[X]] : memref<4xf32>)
func.func private @helper(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%x : tensor<4xf32>) {
  ^bb0(%old: f32):
    %s = arith.addf %old, %old : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}
// CHECK-LABEL: func.func @calls_helper(
// CHECK-SAME:    %[[X:.*]]: memref<4xf32>)
// CHECK:         %[[COPY:.*]] = memref.alloc()
// CHECK:         memref.copy %[[X]], %[[COPY]]
// CHECK:         call @helper(%[[COPY]])
func.func @calls_helper(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = call @helper(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
