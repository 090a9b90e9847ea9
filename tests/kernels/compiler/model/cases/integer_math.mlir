// Magnitudes of integers of any width, powers with exponents below 0 and above, and a clamp.
#id = affine_map<(i) -> (i)>
func.func @integer_math(%a: tensor<8xi64>, %n: tensor<8xi64>, %x: tensor<8xf32>) -> (tensor<8xi64>, tensor<8xi64>, tensor<8xi32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xi64>
  %abs = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : tensor<8xi64>) outs(%e : tensor<8xi64>) {
  ^bb0(%in: i64, %out: i64):
    %0 = math.absi %in : i64
    linalg.yield %0 : i64
  } -> tensor<8xi64>
  %pow = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%a, %n : tensor<8xi64>, tensor<8xi64>) outs(%e : tensor<8xi64>) {
  ^bb0(%in: i64, %exponent: i64, %out: i64):
    %0 = math.ipowi %in, %exponent : i64
    linalg.yield %0 : i64
  } -> tensor<8xi64>
  %ne = tensor.empty() : tensor<8xi32>
  %narrow = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : tensor<8xi64>) outs(%ne : tensor<8xi32>) {
  ^bb0(%in: i64, %out: i32):
    %0 = arith.trunci %in : i64 to i8
    %1 = arith.trunci %in : i64 to i16
    %2 = math.absi %0 : i8
    %3 = math.absi %1 : i16
    %4 = arith.extui %2 : i8 to i32
    %5 = arith.extsi %3 : i16 to i32
    %6 = arith.addi %4, %5 : i32
    linalg.yield %6 : i32
  } -> tensor<8xi32>
  %low = arith.constant -1.5 : f32
  %high = arith.constant 2.0 : f32
  %fe = tensor.empty() : tensor<8xf32>
  %clamped = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%fe : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.clampf %in to [%low, %high] : f32
    linalg.yield %0 : f32
  } -> tensor<8xf32>
  return %abs, %pow, %narrow, %clamped : tensor<8xi64>, tensor<8xi64>, tensor<8xi32>, tensor<8xf32>
}
