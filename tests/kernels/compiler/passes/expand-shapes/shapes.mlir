// RUN: mmtune-opt %s --expand-shapes | FileCheck %s
// RUN: mmtune-opt %s --expand-shapes --expand-strided-metadata | FileCheck %s --check-prefix=EXPANDED

// The sizes are those that it names; the strides begin at that of the source.
// CHECK-LABEL: func.func @two_of_one(
// CHECK-SAME:    %[[X:.*]]: memref<?x8xf32, strided<[?, 1], offset: ?>>, %[[P:.*]]: index, %[[Q:.*]]: index)
// CHECK:         %[[BASE:.*]], %[[OFFSET:.*]], %{{.*}}:2, %[[STRIDES:.*]]:2 = memref.extract_strided_metadata %[[X]]
// CHECK:         %[[STEP:.*]] = arith.muli %[[STRIDES]]#0, %[[Q]]
// CHECK:         memref.reinterpret_cast %[[BASE]] to offset: [%[[OFFSET]]], sizes: [%[[P]], %[[Q]], 2, 4], strides: [%[[STEP]], %[[STRIDES]]#0, 4, 1]
// EXPANDED-LABEL: func.func @two_of_one(
// EXPANDED-NOT:   expand_shape
func.func @two_of_one(%x: memref<?x8xf32, strided<[?, 1], offset: ?>>, %p: index, %q: index)
    -> memref<?x?x2x4xf32, strided<[?, ?, 4, 1], offset: ?>> {
  %v = memref.expand_shape %x [[0, 1], [2, 3]] output_shape [%p, %q, 2, 4]
      : memref<?x8xf32, strided<[?, 1], offset: ?>> into memref<?x?x2x4xf32, strided<[?, ?, 4, 1], offset: ?>>
  return %v : memref<?x?x2x4xf32, strided<[?, ?, 4, 1], offset: ?>>
}

// expand-strided-metadata finds one.
// CHECK-LABEL: func.func @one_of_one(
// CHECK:         memref.expand_shape
func.func @one_of_one(%x: memref<?xf32>, %p: index) -> memref<?x4xf32> {
  %v = memref.expand_shape %x [[0, 1]] output_shape [%p, 4] : memref<?xf32> into memref<?x4xf32>
  return %v : memref<?x4xf32>
}
