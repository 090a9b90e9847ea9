// RUN: mmtune-opt %s --bufferize-tensors | FileCheck %s

// The loop carries its result on twice. In the next turn one of the two is written, and the other one still read.
// CHECK-LABEL: func.func @carried_twice
// CHECK: scf.for
// CHECK: %[[R:.*]] = memref.alloc
// CHECK: linalg.add {{.*}} outs(%[[R]]
// CHECK: %[[C:.*]] = memref.alloc
// CHECK: memref.copy %[[R]], %[[C]]
// CHECK: scf.yield
func.func @carried_twice(%x: tensor<8xf32>, %y: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (tensor<8xf32>, tensor<8xf32>) {
    %w = linalg.exp ins(%x : tensor<8xf32>) outs(%b : tensor<8xf32>) -> tensor<8xf32>
    %e = tensor.empty() : tensor<8xf32>
    %r = linalg.add ins(%w, %a : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %r, %r : tensor<8xf32>, tensor<8xf32>
  }
  return %0#1 : tensor<8xf32>
}

// One of the two is the other in one case of a switch.
// CHECK-LABEL: func.func @carried_by_a_switch
// CHECK: scf.for
// CHECK: %[[R:.*]] = memref.alloc
// CHECK: linalg.add {{.*}} outs(%[[R]]
// CHECK: %[[U:.*]] = scf.index_switch
// CHECK: %[[C:.*]] = memref.alloc
// CHECK: memref.copy %[[U]], %[[C]]
// CHECK: scf.yield
func.func @carried_by_a_switch(%x: tensor<8xf32>, %y: tensor<8xf32>, %n: index, %m: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (tensor<8xf32>, tensor<8xf32>) {
    %w = linalg.exp ins(%x : tensor<8xf32>) outs(%b : tensor<8xf32>) -> tensor<8xf32>
    %e = tensor.empty() : tensor<8xf32>
    %r = linalg.add ins(%w, %a : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    %u = scf.index_switch %m -> tensor<8xf32>
    case 0 {
      scf.yield %r : tensor<8xf32>
    }
    default {
      scf.yield %x : tensor<8xf32>
    }
    scf.yield %r, %u : tensor<8xf32>, tensor<8xf32>
  }
  return %0#1 : tensor<8xf32>
}
