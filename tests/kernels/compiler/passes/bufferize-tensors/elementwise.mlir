// RUN: mmtune-opt %s --bufferize-tensors | FileCheck %s

// Arithmetic on whole tensors, in a module that has nothing else of tensors.
// CHECK-LABEL: func.func @extends
// CHECK-SAME: (%[[X:.*]]: memref<4x5xf16>) -> memref<4x5xf32>
// CHECK: %[[Y:.*]] = memref.alloc() {{.*}}: memref<4x5xf32>
// CHECK: linalg.generic {{.*}} ins(%[[X]] : memref<4x5xf16>) outs(%[[Y]] : memref<4x5xf32>) attrs =  {mmtune.value_semantics}
// CHECK: arith.extf
// CHECK: return %[[Y]]
func.func @extends(%x: tensor<4x5xf16>) -> tensor<4x5xf32> {
  %y = arith.extf %x : tensor<4x5xf16> to tensor<4x5xf32>
  return %y : tensor<4x5xf32>
}

// What the caller gave stays what it was.
// CHECK-LABEL: func.func @doubles
// CHECK-SAME: (%[[X:.*]]: memref<4x5xf32>) -> memref<4x5xf32>
// CHECK: %[[Y:.*]] = memref.alloc() {{.*}}: memref<4x5xf32>
// CHECK: linalg.generic {{.*}} ins(%[[X]], %[[X]] : {{.*}}) outs(%[[Y]] : memref<4x5xf32>)
func.func @doubles(%x: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %y = arith.addf %x, %x : tensor<4x5xf32>
  return %y : tensor<4x5xf32>
}
