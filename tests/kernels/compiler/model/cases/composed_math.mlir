// What no target has, in a kernel and in host code: which numbers are infinite (1) and normal (2), a power and a clamp.
#id = affine_map<(i) -> (i)>
func.func @composed_math(%x: tensor<8xf32>, %h: tensor<8xf16>, %a: i32, %n: i32, %y: f64) -> (tensor<8xf32>, tensor<8xf16>, i32, f64, i32) {
  %e = tensor.empty() : tensor<8xf32>
  %kinds = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %zero = arith.constant 0.0 : f32
    %one = arith.constant 1.0 : f32
    %two = arith.constant 2.0 : f32
    %0 = math.isinf %in : f32
    %1 = math.isnormal %in : f32
    %2 = arith.select %1, %two, %zero : f32
    %3 = arith.select %0, %one, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<8xf32>
  %he = tensor.empty() : tensor<8xf16>
  %narrow = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%h : tensor<8xf16>) outs(%he : tensor<8xf16>) {
  ^bb0(%in: f16, %out: f16):
    %zero = arith.constant 0.0 : f16
    %one = arith.constant 1.0 : f16
    %two = arith.constant 2.0 : f16
    %0 = math.isinf %in : f16
    %1 = math.isnormal %in : f16
    %2 = arith.select %1, %two, %zero : f16
    %3 = arith.select %0, %one, %2 : f16
    linalg.yield %3 : f16
  } -> tensor<8xf16>
  %power = math.ipowi %a, %n : i32
  %low = arith.constant -1.5 : f64
  %high = arith.constant 2.0 : f64
  %clamped = math.clampf %y to [%low, %high] : f64
  %infinite = math.isinf %y : f64
  %kind = arith.extui %infinite : i1 to i32
  return %kinds, %narrow, %power, %clamped, %kind : tensor<8xf32>, tensor<8xf16>, i32, f64, i32
}
