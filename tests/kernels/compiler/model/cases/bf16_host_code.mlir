func.func @f(%a: tensor<8xbf16>) -> tensor<8xbf16> {
  %e = tensor.empty() : tensor<8xbf16>
  %r = linalg.add ins(%a, %a : tensor<8xbf16>, tensor<8xbf16>) outs(%e : tensor<8xbf16>) -> tensor<8xbf16>
  return %r : tensor<8xbf16>
}
