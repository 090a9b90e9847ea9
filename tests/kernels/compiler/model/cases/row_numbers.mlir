// Row numbers that exporters reshape into columns: made where they are read.
func.func @f(%x: tensor<1x2x5x5xf32>) -> (tensor<1x2x5x5xf32>, tensor<5x1xi64>) {
  %low = arith.constant -1.0 : f32
  %zero = arith.constant 0 : i64
  %e = tensor.empty() : tensor<5x1xi64>
  %rows = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<5x1xi64>) {
  ^bb0(%out: i64):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %s = arith.addi %i, %j : index
    %r = arith.index_cast %s : index to i64
    linalg.yield %r : i64
  } -> tensor<5x1xi64>
  %flat = tensor.collapse_shape %rows [[0, 1]] : tensor<5x1xi64> into tensor<5xi64>
  %columns = tensor.expand_shape %flat [[0, 1]] output_shape [1, 5] : tensor<5xi64> into tensor<1x5xi64>
  %ex = tensor.empty() : tensor<1x2x5x5xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (0, d)>, affine_map<(a, b, c, d) -> (c, 0)>, affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%columns, %rows, %x : tensor<1x5xi64>, tensor<5x1xi64>, tensor<1x2x5x5xf32>) outs(%ex : tensor<1x2x5x5xf32>) {
  ^bb0(%c: i64, %r: i64, %in: f32, %out: f32):
    %d = arith.subi %c, %r : i64
    %k = arith.cmpi sgt, %d, %zero : i64
    %s = arith.select %k, %low, %in : f32
    linalg.yield %s : f32
  } -> tensor<1x2x5x5xf32>
  return %y, %rows : tensor<1x2x5x5xf32>, tensor<5x1xi64>
}
