// Columns joined, in one operation and as copies: of as many rows each, which only the caller knows.
func.func @f(%x: tensor<?x3xf32>, %y: tensor<?x4xf32>, %z: tensor<?x?xf32>) -> (tensor<?x7xf32>, tensor<?x?xf32>) {
  %a = tensor.concat dim(1) %x, %y : (tensor<?x3xf32>, tensor<?x4xf32>) -> tensor<?x7xf32>
  %b = tensor.concat dim(1) %x, %z : (tensor<?x3xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %a, %b : tensor<?x7xf32>, tensor<?x?xf32>
}
