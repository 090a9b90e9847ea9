// Tiles of 3 rows by 2 columns, those of a column of tiles after one another; and back.
func.func @main(%x: tensor<?x?xf32>) -> (tensor<?x?x2x3xf32>, tensor<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  %rows = tensor.dim %x, %c0 : tensor<?x?xf32>
  %columns = tensor.dim %x, %c1 : tensor<?x?xf32>
  %down = arith.ceildivui %rows, %c3 : index
  %across = arith.ceildivui %columns, %c2 : index
  %tiles = tensor.empty(%across, %down) : tensor<?x?x2x3xf32>
  %packed = linalg.pack %x padding_value(%zero : f32) outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [2, 3]
      into %tiles : tensor<?x?xf32> -> tensor<?x?x2x3xf32>
  %plain = tensor.empty(%rows, %columns) : tensor<?x?xf32>
  %unpacked = linalg.unpack %packed outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [2, 3]
      into %plain : tensor<?x?x2x3xf32> -> tensor<?x?xf32>
  return %packed, %unpacked : tensor<?x?x2x3xf32>, tensor<?x?xf32>
}
