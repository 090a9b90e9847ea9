// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of heads, on tensors.

// Two sequences, three heads of which the parts are slices of one product; then the output's product.
func.func @attention(%x: tensor<14x24xf32>, %w: tensor<24x72xf32>, %wo: tensor<24x20xf32>) -> tensor<14x20xf32> {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<14x72xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<14x72xf32>) -> tensor<14x72xf32>
  %p = linalg.matmul ins(%x, %w : tensor<14x24xf32>, tensor<24x72xf32>) outs(%f0 : tensor<14x72xf32>) -> tensor<14x72xf32>
  %qkv = tensor.expand_shape %p [[0, 1], [2]] output_shape [2, 7, 72] : tensor<14x72xf32> into tensor<2x7x72xf32>
  %qs = tensor.extract_slice %qkv[0, 0, 0] [2, 7, 24] [1, 1, 1] : tensor<2x7x72xf32> to tensor<2x7x24xf32>
  %ks = tensor.extract_slice %qkv[0, 0, 24] [2, 7, 24] [1, 1, 1] : tensor<2x7x72xf32> to tensor<2x7x24xf32>
  %q4 = tensor.expand_shape %qs [[0], [1], [2, 3]] output_shape [2, 7, 3, 8] : tensor<2x7x24xf32> into tensor<2x7x3x8xf32>
  %k4 = tensor.expand_shape %ks [[0], [1], [2, 3]] output_shape [2, 7, 3, 8] : tensor<2x7x24xf32> into tensor<2x7x3x8xf32>
  %qe = tensor.empty() : tensor<2x3x7x8xf32>
  %qt = linalg.transpose ins(%q4 : tensor<2x7x3x8xf32>) outs(%qe : tensor<2x3x7x8xf32>) permutation = [0, 2, 1, 3]
  %ke = tensor.empty() : tensor<2x3x8x7xf32>
  %kt = linalg.transpose ins(%k4 : tensor<2x7x3x8xf32>) outs(%ke : tensor<2x3x8x7xf32>) permutation = [0, 2, 3, 1]
  %q = tensor.collapse_shape %qt [[0, 1], [2], [3]] : tensor<2x3x7x8xf32> into tensor<6x7x8xf32>
  %k = tensor.collapse_shape %kt [[0, 1], [2], [3]] : tensor<2x3x8x7xf32> into tensor<6x8x7xf32>
  %e1 = tensor.empty() : tensor<6x7x7xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<6x7x7xf32>) -> tensor<6x7x7xf32>
  %s = linalg.batch_matmul ins(%q, %k : tensor<6x7x8xf32>, tensor<6x8x7xf32>) outs(%f1 : tensor<6x7x7xf32>) -> tensor<6x7x7xf32>
  %e2 = tensor.empty() : tensor<6x7x8xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<6x7x8xf32>) -> tensor<6x7x8xf32>
  %o = linalg.batch_matmul ins(%s, %q : tensor<6x7x7xf32>, tensor<6x7x8xf32>) outs(%f2 : tensor<6x7x8xf32>) -> tensor<6x7x8xf32>
  %o4 = tensor.expand_shape %o [[0, 1], [2], [3]] output_shape [2, 3, 7, 8] : tensor<6x7x8xf32> into tensor<2x3x7x8xf32>
  %oe = tensor.empty() : tensor<2x7x3x8xf32>
  %ot = linalg.transpose ins(%o4 : tensor<2x3x7x8xf32>) outs(%oe : tensor<2x7x3x8xf32>) permutation = [0, 2, 1, 3]
  %a = tensor.collapse_shape %ot [[0, 1], [2, 3]] : tensor<2x7x3x8xf32> into tensor<14x24xf32>
  %e3 = tensor.empty() : tensor<14x20xf32>
  %f3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<14x20xf32>) -> tensor<14x20xf32>
  %r = linalg.matmul ins(%a, %wo : tensor<14x24xf32>, tensor<24x20xf32>) outs(%f3 : tensor<14x20xf32>) -> tensor<14x20xf32>
  return %r : tensor<14x20xf32>
}

// All rows are one matrix of the layer that a copy comes before: without it there would be a small one for each sequence.
func.func @sequence_first(%x: tensor<5x9x16xf32>, %w: tensor<16x12xf32>) -> tensor<45x12xf32> {
  %zero = arith.constant 0.0 : f32
  %te = tensor.empty() : tensor<9x5x16xf32>
  %t = linalg.transpose ins(%x : tensor<5x9x16xf32>) outs(%te : tensor<9x5x16xf32>) permutation = [1, 0, 2]
  %a = tensor.collapse_shape %t [[0, 1], [2]] : tensor<9x5x16xf32> into tensor<45x16xf32>
  %e = tensor.empty() : tensor<45x12xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<45x12xf32>) -> tensor<45x12xf32>
  %r = linalg.matmul ins(%a, %w : tensor<45x16xf32>, tensor<16x12xf32>) outs(%f : tensor<45x12xf32>) -> tensor<45x12xf32>
  return %r : tensor<45x12xf32>
}

// Each turn reads what the one before stored: columns of one tensor, at a place that is known at run time only.
func.func @within_a_loop(%x: tensor<6x32xf32>, %w: tensor<8x8xf32>) -> tensor<6x32xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%t = %x) -> tensor<6x32xf32> {
    %at = arith.muli %i, %c8 : index
    %next = arith.addi %at, %c8 : index
    %a = tensor.extract_slice %t[0, %at] [6, 8] [1, 1] : tensor<6x32xf32> to tensor<6x8xf32>
    %e = tensor.empty() : tensor<6x8xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<6x8xf32>) -> tensor<6x8xf32>
    %p = linalg.matmul ins(%a, %w : tensor<6x8xf32>, tensor<8x8xf32>) outs(%f : tensor<6x8xf32>) -> tensor<6x8xf32>
    %s = tensor.insert_slice %p into %t[0, %next] [6, 8] [1, 1] : tensor<6x8xf32> into tensor<6x32xf32>
    scf.yield %s : tensor<6x32xf32>
  }
  return %r : tensor<6x32xf32>
}

// Of a batch whose size is not known, heads are copied.
func.func @unknown_batch(%x: tensor<?x7x3x8xf32>, %k: tensor<?x3x8x7xf32>) -> tensor<?x3x7x7xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x7x3x8xf32>
  %te = tensor.empty(%n) : tensor<?x3x7x8xf32>
  %t = linalg.transpose ins(%x : tensor<?x7x3x8xf32>) outs(%te : tensor<?x3x7x8xf32>) permutation = [0, 2, 1, 3]
  %e = tensor.empty(%n) : tensor<?x3x7x7xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x3x7x7xf32>) -> tensor<?x3x7x7xf32>
  %r = linalg.contract indexing_maps = [affine_map<(b, h, m, n, k) -> (b, h, m, k)>, affine_map<(b, h, m, n, k) -> (b, h, k, n)>, affine_map<(b, h, m, n, k) -> (b, h, m, n)>]
    ins(%t, %k : tensor<?x3x7x8xf32>, tensor<?x3x8x7xf32>) outs(%f : tensor<?x3x7x7xf32>) -> tensor<?x3x7x7xf32>
  return %r : tensor<?x3x7x7xf32>
}
