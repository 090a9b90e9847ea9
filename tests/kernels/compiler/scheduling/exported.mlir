// Modules as exporters write them: outputs shared, weights transposed, one operation for each elementwise one.
#map = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1) -> (d1)>
func.func @shared_fill_mlp(%x: tensor<64x64xf32>, %w0: tensor<64x64xf32>, %w1: tensor<64x64xf32>, %w2: tensor<64x64xf32>, %b0: tensor<64xf32>, %b1: tensor<64xf32>, %b2: tensor<64xf32>) -> tensor<64x64xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %m0 = linalg.matmul ins(%x, %w0 : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %a0 = linalg.generic {indexing_maps = [#map2, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%b0, %m0 : tensor<64xf32>, tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %15 = arith.addf %in, %in_6 : f32
    linalg.yield %15 : f32
  } -> tensor<64x64xf32>
  %r0 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%a0 : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %15 = arith.cmpf ugt, %in, %z : f32
    %16 = arith.select %15, %in, %z : f32
    linalg.yield %16 : f32
  } -> tensor<64x64xf32>
  %m1 = linalg.matmul ins(%r0, %w1 : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %a1 = linalg.generic {indexing_maps = [#map2, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%b1, %m1 : tensor<64xf32>, tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %15 = arith.addf %in, %in_6 : f32
    linalg.yield %15 : f32
  } -> tensor<64x64xf32>
  %r1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%a1 : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %15 = arith.cmpf ugt, %in, %z : f32
    %16 = arith.select %15, %in, %z : f32
    linalg.yield %16 : f32
  } -> tensor<64x64xf32>
  %m2 = linalg.matmul ins(%r1, %w2 : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %a2 = linalg.generic {indexing_maps = [#map2, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%b2, %m2 : tensor<64xf32>, tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %15 = arith.addf %in, %in_6 : f32
    linalg.yield %15 : f32
  } -> tensor<64x64xf32>
  %r2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%a2 : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %15 = arith.cmpf ugt, %in, %z : f32
    %16 = arith.select %15, %in, %z : f32
    linalg.yield %16 : f32
  } -> tensor<64x64xf32>
  return %r2 : tensor<64x64xf32>
}
func.func @transposed_weight(%a: tensor<33x20xf32>, %b: tensor<17x20xf32>) -> tensor<33x17xf32> {
  %z = arith.constant 0.0 : f32
  %te = tensor.empty() : tensor<20x17xf32>
  %bt = linalg.transpose ins(%b : tensor<17x20xf32>) outs(%te : tensor<20x17xf32>) permutation = [1,0]
  %e = tensor.empty() : tensor<33x17xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<33x17xf32>) -> tensor<33x17xf32>
  %r = linalg.matmul ins(%a, %bt : tensor<33x20xf32>, tensor<20x17xf32>) outs(%i : tensor<33x17xf32>) -> tensor<33x17xf32>
  return %r : tensor<33x17xf32>
}

// torch-mlir's silu, in two operations, and its layer norm's detour through f64, which stays exact.
func.func @silu_of_torch(%a: tensor<40x16xf32>, %w: tensor<24x16xf32>) -> tensor<40x24xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %sixteenth = arith.constant 0.0625 : f32
  %te = tensor.empty() : tensor<16x24xf32>
  %t = linalg.transpose ins(%w : tensor<24x16xf32>) outs(%te : tensor<16x24xf32>) permutation = [1, 0]
  %e = tensor.empty() : tensor<40x24xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<40x24xf32>) -> tensor<40x24xf32>
  %p = linalg.matmul ins(%a, %t : tensor<40x16xf32>, tensor<16x24xf32>) outs(%f : tensor<40x24xf32>) -> tensor<40x24xf32>
  %x = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<40x24xf32>) outs(%e : tensor<40x24xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.mulf %in, %sixteenth : f32
    linalg.yield %0 : f32
  } -> tensor<40x24xf32>
  %s = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<40x24xf32>) outs(%e : tensor<40x24xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.negf %in : f32
    %1 = math.exp %0 : f32
    %2 = arith.addf %1, %one : f32
    %3 = arith.divf %one, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<40x24xf32>
  %r = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%s, %x : tensor<40x24xf32>, tensor<40x24xf32>) outs(%e : tensor<40x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %0 = arith.mulf %in, %in_1 : f32
    linalg.yield %0 : f32
  } -> tensor<40x24xf32>
  return %r : tensor<40x24xf32>
}
func.func @through_f64(%a: tensor<40x24xf32>, %b: tensor<40x24xf32>) -> tensor<40x24xf32> {
  %third = arith.constant 0.33333333333333331 : f64
  %w = tensor.empty() : tensor<40x24xf64>
  %e = tensor.empty() : tensor<40x24xf32>
  %0 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<40x24xf32>) outs(%w : tensor<40x24xf64>) {
  ^bb0(%in: f32, %out: f64):
    %x = arith.extf %in : f32 to f64
    linalg.yield %x : f64
  } -> tensor<40x24xf64>
  %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<40x24xf64>) outs(%w : tensor<40x24xf64>) {
  ^bb0(%in: f64, %out: f64):
    %x = arith.mulf %in, %third : f64
    linalg.yield %x : f64
  } -> tensor<40x24xf64>
  %2 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1, %b : tensor<40x24xf64>, tensor<40x24xf32>) outs(%e : tensor<40x24xf32>) {
  ^bb0(%in: f64, %in_1: f32, %out: f32):
    %x = arith.truncf %in : f64 to f32
    %y = arith.mulf %x, %in_1 : f32
    linalg.yield %y : f32
  } -> tensor<40x24xf32>
  return %2 : tensor<40x24xf32>
}
// A residual in three dimensions around a product in two, then what no kernel of a product does.
func.func @residual(%a: tensor<2x20x16xf32>, %w: tensor<16x24xf32>, %bias: tensor<24xf32>, %residual: tensor<2x20x24xf32>) -> tensor<2x20x24xf32> {
  %zero = arith.constant 0.0 : f32
  %flat = tensor.collapse_shape %a [[0, 1], [2]] : tensor<2x20x16xf32> into tensor<40x16xf32>
  %e = tensor.empty() : tensor<40x24xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<40x24xf32>) -> tensor<40x24xf32>
  %p = linalg.matmul ins(%flat, %w : tensor<40x16xf32>, tensor<16x24xf32>) outs(%f : tensor<40x24xf32>) -> tensor<40x24xf32>
  %b = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%p, %bias : tensor<40x24xf32>, tensor<24xf32>) outs(%e : tensor<40x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %0 = arith.addf %in, %in_1 : f32
    linalg.yield %0 : f32
  } -> tensor<40x24xf32>
  %x = tensor.expand_shape %b [[0, 1], [2]] output_shape [2, 20, 24] : tensor<40x24xf32> into tensor<2x20x24xf32>
  %e3 = tensor.empty() : tensor<2x20x24xf32>
  %s = linalg.add ins(%residual, %x : tensor<2x20x24xf32>, tensor<2x20x24xf32>) outs(%e3 : tensor<2x20x24xf32>) -> tensor<2x20x24xf32>
  %q = linalg.abs ins(%s : tensor<2x20x24xf32>) outs(%e3 : tensor<2x20x24xf32>) -> tensor<2x20x24xf32>
  %r = linalg.square ins(%q : tensor<2x20x24xf32>) outs(%e3 : tensor<2x20x24xf32>) -> tensor<2x20x24xf32>
  return %r : tensor<2x20x24xf32>
}
// A gate of an LSTM: two products with a bias each.
func.func @gate(%x: tensor<8x16xf32>, %w: tensor<24x16xf32>, %h: tensor<8x12xf32>, %u: tensor<24x12xf32>, %b: tensor<24xf32>, %d: tensor<24xf32>) -> tensor<8x24xf32> {
  %zero = arith.constant 0.0 : f32
  %we = tensor.empty() : tensor<16x24xf32>
  %wt = linalg.transpose ins(%w : tensor<24x16xf32>) outs(%we : tensor<16x24xf32>) permutation = [1, 0]
  %ue = tensor.empty() : tensor<12x24xf32>
  %ut = linalg.transpose ins(%u : tensor<24x12xf32>) outs(%ue : tensor<12x24xf32>) permutation = [1, 0]
  %e = tensor.empty() : tensor<8x24xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x24xf32>) -> tensor<8x24xf32>
  %p = linalg.matmul ins(%x, %wt : tensor<8x16xf32>, tensor<16x24xf32>) outs(%f : tensor<8x24xf32>) -> tensor<8x24xf32>
  %p1 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%p, %b : tensor<8x24xf32>, tensor<24xf32>) outs(%e : tensor<8x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %0 = arith.addf %in, %in_1 : f32
    linalg.yield %0 : f32
  } -> tensor<8x24xf32>
  %q = linalg.matmul ins(%h, %ut : tensor<8x12xf32>, tensor<12x24xf32>) outs(%f : tensor<8x24xf32>) -> tensor<8x24xf32>
  %q1 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%q, %d : tensor<8x24xf32>, tensor<24xf32>) outs(%e : tensor<8x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %0 = arith.addf %in, %in_1 : f32
    linalg.yield %0 : f32
  } -> tensor<8x24xf32>
  %s = linalg.add ins(%p1, %q1 : tensor<8x24xf32>, tensor<8x24xf32>) outs(%e : tensor<8x24xf32>) -> tensor<8x24xf32>
  return %s : tensor<8x24xf32>
}
// A mean of squares that keeps its dimension: the squares, and the zeros that it starts from, are its own.
func.func @mean_of_squares(%a: tensor<40x24xf32>) -> tensor<40x1xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<40x24xf32>
  %s = linalg.square ins(%a : tensor<40x24xf32>) outs(%e : tensor<40x24xf32>) -> tensor<40x24xf32>
  %c = tensor.empty() : tensor<40x1xf32>
  %f = linalg.fill ins(%zero : f32) outs(%c : tensor<40x1xf32>) -> tensor<40x1xf32>
  %r = linalg.generic {indexing_maps = [#map, affine_map<(d0, d1) -> (d0, 0)>], iterator_types = ["parallel", "reduction"]} ins(%s : tensor<40x24xf32>) outs(%f : tensor<40x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %out : f32
    linalg.yield %0 : f32
  } -> tensor<40x1xf32>
  return %r : tensor<40x1xf32>
}
