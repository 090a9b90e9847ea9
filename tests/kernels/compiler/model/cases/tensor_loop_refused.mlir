func.func @f3(%a0: tensor<16x16xf32>, %a1: tensor<16x16xf32>, %a2: tensor<16x16xf32>, %v0: tensor<16xf32>, %v1: tensor<16xf32>, %pred: i1) -> (tensor<16x16xf32>, tensor<16x16xf32>) {
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
