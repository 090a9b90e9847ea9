// RUN: mmtune-opt %s --mmtune-to-gpu 2>/dev/null | FileCheck %s

// Products and elementwise operations between branches, and in and behind a loop: none of their buffers is taken for
// another, and where two are one, that is no harm.

// CHECK-LABEL: func.func @between_branches
// CHECK-COUNT-3: gpu.launch_func
// CHECK-LABEL: func.func @behind_a_loop
// CHECK-COUNT-4: gpu.launch_func
// CHECK-LABEL: func.func @in_place
// CHECK-COUNT-2: gpu.launch_func
func.func @between_branches(%a: tensor<16x16xf32>, %w: tensor<16x16xf32>, %p: i1) -> tensor<16x16xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x16xf32>
  %t1 = scf.if %p -> (tensor<16x16xf32>) {
    %e0 = tensor.empty() : tensor<16x16xf32>
    %t2 = linalg.add ins(%a, %a : tensor<16x16xf32>, tensor<16x16xf32>) outs(%e0 : tensor<16x16xf32>) -> tensor<16x16xf32>
    scf.yield %t2 : tensor<16x16xf32>
  } else {
    scf.yield %a : tensor<16x16xf32>
  }
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %m = linalg.matmul ins(%t1, %w : tensor<16x16xf32>, tensor<16x16xf32>) outs(%f : tensor<16x16xf32>) -> tensor<16x16xf32>
  %t3 = scf.if %p -> (tensor<16x16xf32>) {
    %e1 = tensor.empty() : tensor<16x16xf32>
    %t4 = linalg.add ins(%m, %w : tensor<16x16xf32>, tensor<16x16xf32>) outs(%e1 : tensor<16x16xf32>) -> tensor<16x16xf32>
    scf.yield %t4 : tensor<16x16xf32>
  } else {
    scf.yield %m : tensor<16x16xf32>
  }
  return %t3 : tensor<16x16xf32>
}

func.func @behind_a_loop(%a0: tensor<16x16xf32>, %a1: tensor<16x16xf32>, %a2: tensor<16x16xf32>, %v0: tensor<16xf32>, %v1: tensor<16xf32>, %pred: i1) -> (tensor<16x16xf32>, tensor<16x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %e = tensor.empty() : tensor<16x16xf32>
  %t3 = linalg.transpose ins(%a1 : tensor<16x16xf32>) outs(%a0 : tensor<16x16xf32>) permutation = [1,0]
  %t4 = scf.for %i6 = %c0 to %c2 step %c1 iter_args(%t5 = %a2) -> (tensor<16x16xf32>) {
    %t6 = linalg.max ins(%t5, %a0 : tensor<16x16xf32>, tensor<16x16xf32>) outs(%t5 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %t7 = linalg.add ins(%t6, %t5 : tensor<16x16xf32>, tensor<16x16xf32>) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
    scf.yield %t7 : tensor<16x16xf32>
  }
  %t11 = linalg.matmul indexing_maps = [affine_map<(m,n,k)->(m,k)>,affine_map<(m,n,k)->(n,k)>,affine_map<(m,n,k)->(m,n)>] ins(%a0, %t4 : tensor<16x16xf32>, tensor<16x16xf32>) outs(%t3 : tensor<16x16xf32>) -> tensor<16x16xf32>
  %t16 = scf.if %pred -> (tensor<16x16xf32>) {
    %t17 = linalg.add ins(%t3, %t11 : tensor<16x16xf32>, tensor<16x16xf32>) outs(%t11 : tensor<16x16xf32>) -> tensor<16x16xf32>
    scf.yield %t17 : tensor<16x16xf32>
  } else {
    scf.yield %t3 : tensor<16x16xf32>
  }
  return %t16, %t16 : tensor<16x16xf32>, tensor<16x16xf32>
}

// Both results of the loop are one buffer, which the last operation reads and writes: of tensors' operations that changes
// nothing, as each reads what was there before.
func.func @in_place(%x: tensor<8x8xf32>, %n: index) -> tensor<8x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<8x8xf32>
  %a, %b = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x, %t = %x) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
    %sum = linalg.add ins(%s, %t : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    scf.yield %sum, %sum : tensor<8x8xf32>, tensor<8x8xf32>
  }
  %max = linalg.max ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%b : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %max : tensor<8x8xf32>
}
