func.func @f(%a: tensor<16x16xf32>, %w: tensor<16x16xf32>, %p: i1) -> tensor<16x16xf32> {
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
