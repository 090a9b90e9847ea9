// RUN: mmtune-opt %s --normalize-slices | FileCheck %s
// What comes out can be bufferized and simplified: MLIR crashed there.
// RUN: mmtune-opt %s --normalize-slices --bufferize-tensors --canonicalize

// One element has no next one.
// CHECK-LABEL: func.func @one_element(
// CHECK:         tensor.extract_slice %{{.*}}[0, 1, 0] [4, 1, 8] [1, 1, 1] : tensor<4x2x8xf32> to tensor<4x8xf32>
// CHECK:         tensor.insert_slice %{{.*}} into %{{.*}}[0, 0, 0] [4, 1, 8] [1, 1, 1]
func.func @one_element(%x: tensor<4x2x8xf32>) -> tensor<4x2x8xf32> {
  %0 = tensor.extract_slice %x[0, 1, 0] [4, 1, 8] [1, 2, 1] : tensor<4x2x8xf32> to tensor<4x8xf32>
  %1 = tensor.insert_slice %0 into %x[0, 0, 0] [4, 1, 8] [1, 3, 1] : tensor<4x8xf32> into tensor<4x2x8xf32>
  return %1 : tensor<4x2x8xf32>
}

// One of two dimensions with one element is left out, beside a step.
// CHECK-LABEL: func.func @tensors(
// CHECK:         %[[WHOLE:.*]] = tensor.extract_slice %{{.*}}[0, 0, 0] [1, 4, 1] [1, 2, 1] : tensor<2x8x3xf32> to tensor<1x4x1xf32>
// CHECK:         %[[PART:.*]] = tensor.collapse_shape %[[WHOLE]] {{\[}}[0, 1], [2]] : tensor<1x4x1xf32> into tensor<4x1xf32>
// CHECK:         %[[BACK:.*]] = tensor.expand_shape %[[PART]] {{\[}}[0, 1], [2]] output_shape [1, 4, 1]
// CHECK:         tensor.insert_slice %[[BACK]] into %{{.*}}[1, 0, 2] [1, 4, 1] [1, 2, 1] : tensor<1x4x1xf32> into
func.func @tensors(%x: tensor<2x8x3xf32>) -> tensor<2x8x3xf32> {
  %0 = tensor.extract_slice %x[0, 0, 0] [1, 4, 1] [1, 2, 1] : tensor<2x8x3xf32> to tensor<4x1xf32>
  %1 = tensor.insert_slice %0 into %x[1, 0, 2] [1, 4, 1] [1, 2, 1] : tensor<4x1xf32> into tensor<2x8x3xf32>
  return %1 : tensor<2x8x3xf32>
}

// So may be a size that is known at run time.
// CHECK-LABEL: func.func @sizes_at_run_time(
// CHECK:         %[[WHOLE:.*]] = tensor.extract_slice %{{.*}} : tensor<?x8x3xf32> to tensor<?x4x1xf32>
// CHECK:         %[[PART:.*]] = tensor.collapse_shape %[[WHOLE]] {{\[}}[0], [1, 2]]
// CHECK:         tensor.expand_shape %[[PART]] {{\[}}[0], [1, 2]] output_shape [%{{.*}}, 4, 1]
func.func @sizes_at_run_time(%x: tensor<?x8x3xf32>, %n: index, %step: index) -> tensor<?x8x3xf32> {
  %0 = tensor.extract_slice %x[0, 0, 0] [%n, 4, 1] [%step, 2, 1] : tensor<?x8x3xf32> to tensor<?x4xf32>
  %1 = tensor.insert_slice %0 into %x[0, 0, 2] [%n, 4, 1] [%step, 2, 1] : tensor<?x4xf32> into tensor<?x8x3xf32>
  return %1 : tensor<?x8x3xf32>
}

// The step of one element is in the type of a buffer.
// CHECK-LABEL: func.func @buffers(
// CHECK:         %[[WHOLE:.*]] = memref.subview %{{.*}}[0, 1, 0] [1, 1, 8] [2, 2, 1] : memref<4x3x8xf32> to memref<1x1x8xf32, strided<[48, 16, 1], offset: 8>>
// CHECK:         memref.subview %[[WHOLE]][0, 0, 0] [1, 1, 8] [1, 1, 1] : {{.*}} to memref<1x8xf32, strided<[16, 1], offset: 8>>
// CHECK:         memref.subview %{{.*}}[0, 0, 0] [1, 1, 8] [2, 2, 1] : memref<4x3x8xf32> to memref<8xf32>
func.func @buffers(%x: memref<4x3x8xf32>, %y: memref<8xf32>) -> memref<1x8xf32, strided<[16, 1], offset: 8>> {
  %0 = memref.subview %x[0, 1, 0] [1, 1, 8] [2, 2, 1] : memref<4x3x8xf32> to memref<1x8xf32, strided<[16, 1], offset: 8>>
  %1 = memref.subview %x[0, 0, 0] [1, 1, 8] [2, 2, 1] : memref<4x3x8xf32> to memref<8xf32>
  memref.copy %1, %y : memref<8xf32> to memref<8xf32>
  return %0 : memref<1x8xf32, strided<[16, 1], offset: 8>>
}

// The part is reshaped before the end of a parallel loop.
// CHECK-LABEL: func.func @parallel(
// CHECK:         scf.forall
// CHECK:           %[[PART:.*]] = tensor.expand_shape %{{.*}} {{\[}}[0, 1], [2]] output_shape [1, 4, 1]
// CHECK:           scf.forall.in_parallel
// CHECK-NEXT:        tensor.parallel_insert_slice %[[PART]] into %{{.*}}[0, 0, 0] [1, 4, 1] [1, 2, 1] : tensor<1x4x1xf32> into
func.func @parallel(%x: tensor<2x8x3xf32>, %y: tensor<4x1xf32>) -> tensor<2x8x3xf32> {
  %r = scf.forall (%i) in (1) shared_outs(%o = %x) -> tensor<2x8x3xf32> {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %y into %o[0, 0, 0] [1, 4, 1] [1, 2, 1] : tensor<4x1xf32> into tensor<2x8x3xf32>
    }
  }
  return %r : tensor<2x8x3xf32>
}
