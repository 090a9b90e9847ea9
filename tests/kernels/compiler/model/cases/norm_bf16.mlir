// A norm in bf16 throughout, as torch.nn.RMSNorm of that type is written: its sum is of f32, and all is one kernel.
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m, 0)>
#column = affine_map<(m, n) -> (n)>
func.func @forward(%x: tensor<6x40xbf16>, %w: tensor<40xbf16>) -> tensor<6x40xbf16> {
  %zero = arith.constant 0.0 : bf16
  %count = arith.constant 40.0 : bf16
  %er = tensor.empty() : tensor<6x1xbf16>
  %e = tensor.empty() : tensor<6x40xbf16>
  %squares = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<6x40xbf16>) outs(%e : tensor<6x40xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    %0 = arith.mulf %in, %in : bf16
    linalg.yield %0 : bf16
  } -> tensor<6x40xbf16>
  %f = linalg.fill ins(%zero : bf16) outs(%er : tensor<6x1xbf16>) -> tensor<6x1xbf16>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%squares : tensor<6x40xbf16>) outs(%f : tensor<6x1xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    %0 = arith.addf %in, %out : bf16
    linalg.yield %0 : bf16
  } -> tensor<6x1xbf16>
  %y = linalg.generic {indexing_maps = [#id, #row, #column, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %sum, %w : tensor<6x40xbf16>, tensor<6x1xbf16>, tensor<40xbf16>) outs(%e : tensor<6x40xbf16>) {
  ^bb0(%in: bf16, %s: bf16, %v: bf16, %out: bf16):
    %0 = arith.divf %s, %count : bf16
    %1 = math.rsqrt %0 : bf16
    %2 = arith.mulf %in, %1 : bf16
    %3 = arith.mulf %2, %v : bf16
    linalg.yield %3 : bf16
  } -> tensor<6x40xbf16>
  return %y : tensor<6x40xbf16>
}
