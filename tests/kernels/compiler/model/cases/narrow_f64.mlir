func.func @f(%a: tensor<8xf64>) -> (tensor<8xf16>, tensor<8xbf16>) {
  %r = arith.truncf %a : tensor<8xf64> to tensor<8xf16>
  %s = arith.truncf %a : tensor<8xf64> to tensor<8xbf16>
  return %r, %s : tensor<8xf16>, tensor<8xbf16>
}
