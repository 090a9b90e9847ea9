#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
module {
  func.func @forward(%arg0: tensor<6x8xf32>) -> tensor<7x11xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense_resource<torch_tensor_8_torch.float32> : tensor<8xf32>
    %cst_1 = arith.constant dense_resource<torch_tensor_8_8_torch.float32> : tensor<8x8xf32>
    %cst_2 = arith.constant 2.000000e+00 : f32
    %0 = tensor.empty() : tensor<8x8xf32>
    %transposed = linalg.transpose ins(%cst_1 : tensor<8x8xf32>) outs(%0 : tensor<8x8xf32>) permutation = [1, 0] 
    %1 = tensor.empty() : tensor<6x8xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<6x8xf32>) -> tensor<6x8xf32>
    %3 = linalg.matmul ins(%arg0, %transposed : tensor<6x8xf32>, tensor<8x8xf32>) outs(%2 : tensor<6x8xf32>) -> tensor<6x8xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%3, %cst_0 : tensor<6x8xf32>, tensor<8xf32>) outs(%1 : tensor<6x8xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %9 = arith.addf %in, %in_4 : f32
      linalg.yield %9 : f32
    } -> tensor<6x8xf32>
    %extracted_slice = tensor.extract_slice %4[0, 0] [6, 4] [1, 1] : tensor<6x8xf32> to tensor<6x4xf32>
    %extracted_slice_3 = tensor.extract_slice %4[0, 4] [6, 4] [1, 1] : tensor<6x8xf32> to tensor<6x4xf32>
    %5 = tensor.empty() : tensor<6x4xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice_3 : tensor<6x4xf32>) outs(%5 : tensor<6x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %9 = arith.negf %in : f32
      linalg.yield %9 : f32
    } -> tensor<6x4xf32>
    %concat = tensor.concat dim(1) %6, %extracted_slice : (tensor<6x4xf32>, tensor<6x4xf32>) -> tensor<6x8xf32>
    %padded = tensor.pad %concat low[0, 1] high[1, 2] {
    ^bb0(%arg1: index, %arg2: index):
      tensor.yield %cst : f32
    } : tensor<6x8xf32> to tensor<7x11xf32>
    %7 = tensor.empty() : tensor<7x11xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%padded : tensor<7x11xf32>) outs(%7 : tensor<7x11xf32>) {
    ^bb0(%in: f32, %out: f32):
      %9 = arith.mulf %in, %cst_2 : f32
      linalg.yield %9 : f32
    } -> tensor<7x11xf32>
    return %8 : tensor<7x11xf32>
  }
}

{-#
  dialect_resources: {
    builtin: {
      torch_tensor_8_torch.float32: "0x04000000BBF14ABEFA5F6EBD7C6DE0BB8A83533DFE6089BE937480BE60F3443E51CAA9BD",
      torch_tensor_8_8_torch.float32: "0x04000000928B3A3EC6CB1FBEE75E8CBD01EE293E146BAABEEF1E593E06F694BD592F383E6F51493D6D5131BDACD4C83D4FE18E3C0A3A043E3B160DBE942AD3BC9E5F02BDB9E6513DB61FB9BAB73D9E3E6253E13D51D306BE49A85ABEBFBB72BD79291CBE8E07E8BD10AE8A3C40D2573E03C8443EA3F4B0BE686F603EF347CA3DF6B4AB3E99F76E3EFCEEA4BE5D1DACBE759F2EBE88F49E3EB93771BD18F01A3E563E28BE939EB13E912D19BE3AC0873E3A30893B71BA3EBEDF173A3E6B2D40BE5DF4D43D2215D1BD7FC41EBDA307AEBE099D2CBE5A74443EBA01B0BDE14DB43E5E1A913E9E9D87BC9AA771BEC5775C3EF8B8E03D69076ABE07296B3E59CB5B3E8E8BA03E"
    }
  }
#-}
