// What simplifies operations would take the element from what is cast.
func.func @f(%x: tensor<?xf32>) -> tensor<1xf32> {
  %c7 = arith.constant 7 : index
  %y = tensor.cast %x : tensor<?xf32> to tensor<8xf32>
  %z = tensor.extract %y[%c7] : tensor<8xf32>
  %r = tensor.from_elements %z : tensor<1xf32>
  return %r : tensor<1xf32>
}
