#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0) -> (d0)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d1, 0, 0)>
module {
  func.func @forward(%arg0: tensor<1x4x8x8xf16>) -> tensor<1x4x8x8xf16> {
    %cst = arith.constant 0.000000e+00 : f16
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant dense_resource<torch_tensor_4_torch.float16_7> : tensor<4xf16>
    %cst_2 = arith.constant dense_resource<torch_tensor_4_torch.float16_6> : tensor<4xf16>
    %cst_3 = arith.constant dense_resource<torch_tensor_4_torch.float16_5> : tensor<4xf16>
    %cst_4 = arith.constant dense_resource<torch_tensor_4_torch.float16_4> : tensor<4xf16>
    %cst_5 = arith.constant dense_resource<torch_tensor_4_4_3_3_torch.float16_1> : tensor<4x4x3x3xf16>
    %cst_6 = arith.constant dense_resource<torch_tensor_4_torch.float16_3> : tensor<4xf16>
    %cst_7 = arith.constant dense_resource<torch_tensor_4_torch.float16_2> : tensor<4xf16>
    %cst_8 = arith.constant 1.000000e-05 : f64
    %cst_9 = arith.constant dense_resource<torch_tensor_4_torch.float16_1> : tensor<4xf16>
    %cst_10 = arith.constant dense_resource<torch_tensor_4_torch.float16> : tensor<4xf16>
    %cst_11 = arith.constant dense_resource<torch_tensor_4_4_3_3_torch.float16> : tensor<4x4x3x3xf16>
    %padded = tensor.pad %arg0 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg1: index, %arg2: index, %arg3: index, %arg4: index):
      tensor.yield %cst : f16
    } : tensor<1x4x8x8xf16> to tensor<1x4x10x10xf16>
    %0 = tensor.empty() : tensor<1x4x8x8xf32>
    %1 = linalg.fill ins(%cst_0 : f32) outs(%0 : tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
    %2 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%padded, %cst_11 : tensor<1x4x10x10xf16>, tensor<4x4x3x3xf16>) outs(%1 : tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
    %3 = tensor.empty() : tensor<1x4x8x8xf16>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2 : tensor<1x4x8x8xf32>) outs(%3 : tensor<1x4x8x8xf16>) {
    ^bb0(%in: f32, %out: f16):
      %29 = arith.truncf %in : f32 to f16
      linalg.yield %29 : f16
    } -> tensor<1x4x8x8xf16>
    %5 = tensor.empty() : tensor<4xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%cst_10 : tensor<4xf16>) outs(%5 : tensor<4xf32>) {
    ^bb0(%in: f16, %out: f32):
      %29 = arith.extf %in : f16 to f32
      linalg.yield %29 : f32
    } -> tensor<4xf32>
    %7 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%cst_9 : tensor<4xf16>) outs(%5 : tensor<4xf32>) {
    ^bb0(%in: f16, %out: f32):
      %29 = arith.extf %in : f16 to f32
      linalg.yield %29 : f32
    } -> tensor<4xf32>
    %8 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%7 : tensor<4xf32>) outs(%5 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %29 = arith.truncf %cst_8 : f64 to f32
      %30 = arith.addf %in, %29 : f32
      linalg.yield %30 : f32
    } -> tensor<4xf32>
    %9 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%8 : tensor<4xf32>) outs(%5 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %29 = math.rsqrt %in : f32
      linalg.yield %29 : f32
    } -> tensor<4xf32>
    %expanded = tensor.expand_shape %6 [[0, 1, 2]] output_shape [4, 1, 1] : tensor<4xf32> into tensor<4x1x1xf32>
    %expanded_12 = tensor.expand_shape %9 [[0, 1, 2]] output_shape [4, 1, 1] : tensor<4xf32> into tensor<4x1x1xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%4, %expanded : tensor<1x4x8x8xf16>, tensor<4x1x1xf32>) outs(%0 : tensor<1x4x8x8xf32>) {
    ^bb0(%in: f16, %in_20: f32, %out: f32):
      %29 = arith.extf %in : f16 to f32
      %30 = arith.subf %29, %in_20 : f32
      linalg.yield %30 : f32
    } -> tensor<1x4x8x8xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%10, %expanded_12 : tensor<1x4x8x8xf32>, tensor<4x1x1xf32>) outs(%0 : tensor<1x4x8x8xf32>) {
    ^bb0(%in: f32, %in_20: f32, %out: f32):
      %29 = arith.mulf %in, %in_20 : f32
      linalg.yield %29 : f32
    } -> tensor<1x4x8x8xf32>
    %expanded_13 = tensor.expand_shape %cst_7 [[0, 1, 2]] output_shape [4, 1, 1] : tensor<4xf16> into tensor<4x1x1xf16>
    %12 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11, %expanded_13 : tensor<1x4x8x8xf32>, tensor<4x1x1xf16>) outs(%0 : tensor<1x4x8x8xf32>) {
    ^bb0(%in: f32, %in_20: f16, %out: f32):
      %29 = arith.extf %in_20 : f16 to f32
      %30 = arith.mulf %in, %29 : f32
      linalg.yield %30 : f32
    } -> tensor<1x4x8x8xf32>
    %expanded_14 = tensor.expand_shape %cst_6 [[0, 1, 2]] output_shape [4, 1, 1] : tensor<4xf16> into tensor<4x1x1xf16>
    %13 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12, %expanded_14 : tensor<1x4x8x8xf32>, tensor<4x1x1xf16>) outs(%0 : tensor<1x4x8x8xf32>) {
    ^bb0(%in: f32, %in_20: f16, %out: f32):
      %29 = arith.extf %in_20 : f16 to f32
      %30 = arith.addf %in, %29 : f32
      linalg.yield %30 : f32
    } -> tensor<1x4x8x8xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13 : tensor<1x4x8x8xf32>) outs(%3 : tensor<1x4x8x8xf16>) {
    ^bb0(%in: f32, %out: f16):
      %29 = arith.truncf %in : f32 to f16
      linalg.yield %29 : f16
    } -> tensor<1x4x8x8xf16>
    %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%14 : tensor<1x4x8x8xf16>) outs(%3 : tensor<1x4x8x8xf16>) {
    ^bb0(%in: f16, %out: f16):
      %29 = arith.cmpf ugt, %in, %cst : f16
      %30 = arith.select %29, %in, %cst : f16
      linalg.yield %30 : f16
    } -> tensor<1x4x8x8xf16>
    %padded_15 = tensor.pad %15 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg1: index, %arg2: index, %arg3: index, %arg4: index):
      tensor.yield %cst : f16
    } : tensor<1x4x8x8xf16> to tensor<1x4x10x10xf16>
    %16 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%padded_15, %cst_5 : tensor<1x4x10x10xf16>, tensor<4x4x3x3xf16>) outs(%1 : tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16 : tensor<1x4x8x8xf32>) outs(%3 : tensor<1x4x8x8xf16>) {
    ^bb0(%in: f32, %out: f16):
      %29 = arith.truncf %in : f32 to f16
      linalg.yield %29 : f16
    } -> tensor<1x4x8x8xf16>
    %18 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%cst_4 : tensor<4xf16>) outs(%5 : tensor<4xf32>) {
    ^bb0(%in: f16, %out: f32):
      %29 = arith.extf %in : f16 to f32
      linalg.yield %29 : f32
    } -> tensor<4xf32>
    %19 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%cst_3 : tensor<4xf16>) outs(%5 : tensor<4xf32>) {
    ^bb0(%in: f16, %out: f32):
      %29 = arith.extf %in : f16 to f32
      linalg.yield %29 : f32
    } -> tensor<4xf32>
    %20 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%19 : tensor<4xf32>) outs(%5 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %29 = arith.truncf %cst_8 : f64 to f32
      %30 = arith.addf %in, %29 : f32
      linalg.yield %30 : f32
    } -> tensor<4xf32>
    %21 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%20 : tensor<4xf32>) outs(%5 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %29 = math.rsqrt %in : f32
      linalg.yield %29 : f32
    } -> tensor<4xf32>
    %expanded_16 = tensor.expand_shape %18 [[0, 1, 2]] output_shape [4, 1, 1] : tensor<4xf32> into tensor<4x1x1xf32>
    %expanded_17 = tensor.expand_shape %21 [[0, 1, 2]] output_shape [4, 1, 1] : tensor<4xf32> into tensor<4x1x1xf32>
    %22 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%17, %expanded_16 : tensor<1x4x8x8xf16>, tensor<4x1x1xf32>) outs(%0 : tensor<1x4x8x8xf32>) {
    ^bb0(%in: f16, %in_20: f32, %out: f32):
      %29 = arith.extf %in : f16 to f32
      %30 = arith.subf %29, %in_20 : f32
      linalg.yield %30 : f32
    } -> tensor<1x4x8x8xf32>
    %23 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22, %expanded_17 : tensor<1x4x8x8xf32>, tensor<4x1x1xf32>) outs(%0 : tensor<1x4x8x8xf32>) {
    ^bb0(%in: f32, %in_20: f32, %out: f32):
      %29 = arith.mulf %in, %in_20 : f32
      linalg.yield %29 : f32
    } -> tensor<1x4x8x8xf32>
    %expanded_18 = tensor.expand_shape %cst_2 [[0, 1, 2]] output_shape [4, 1, 1] : tensor<4xf16> into tensor<4x1x1xf16>
    %24 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%23, %expanded_18 : tensor<1x4x8x8xf32>, tensor<4x1x1xf16>) outs(%0 : tensor<1x4x8x8xf32>) {
    ^bb0(%in: f32, %in_20: f16, %out: f32):
      %29 = arith.extf %in_20 : f16 to f32
      %30 = arith.mulf %in, %29 : f32
      linalg.yield %30 : f32
    } -> tensor<1x4x8x8xf32>
    %expanded_19 = tensor.expand_shape %cst_1 [[0, 1, 2]] output_shape [4, 1, 1] : tensor<4xf16> into tensor<4x1x1xf16>
    %25 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24, %expanded_19 : tensor<1x4x8x8xf32>, tensor<4x1x1xf16>) outs(%0 : tensor<1x4x8x8xf32>) {
    ^bb0(%in: f32, %in_20: f16, %out: f32):
      %29 = arith.extf %in_20 : f16 to f32
      %30 = arith.addf %in, %29 : f32
      linalg.yield %30 : f32
    } -> tensor<1x4x8x8xf32>
    %26 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%25 : tensor<1x4x8x8xf32>) outs(%3 : tensor<1x4x8x8xf16>) {
    ^bb0(%in: f32, %out: f16):
      %29 = arith.truncf %in : f32 to f16
      linalg.yield %29 : f16
    } -> tensor<1x4x8x8xf16>
    %27 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0, %26 : tensor<1x4x8x8xf16>, tensor<1x4x8x8xf16>) outs(%3 : tensor<1x4x8x8xf16>) {
    ^bb0(%in: f16, %in_20: f16, %out: f16):
      %29 = arith.addf %in, %in_20 : f16
      linalg.yield %29 : f16
    } -> tensor<1x4x8x8xf16>
    %28 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%27 : tensor<1x4x8x8xf16>) outs(%3 : tensor<1x4x8x8xf16>) {
    ^bb0(%in: f16, %out: f16):
      %29 = arith.cmpf ugt, %in, %cst : f16
      %30 = arith.select %29, %in, %cst : f16
      linalg.yield %30 : f16
    } -> tensor<1x4x8x8xf16>
    return %28 : tensor<1x4x8x8xf16>
  }
}

{-#
  dialect_resources: {
    builtin: {
      torch_tensor_4_torch.float16_7: "0x020000000000000000000000",
      torch_tensor_4_torch.float16_6: "0x02000000003C003C003C003C",
      torch_tensor_4_torch.float16_5: "0x02000000623CCA3D5B3BFF3A",
      torch_tensor_4_torch.float16_4: "0x02000000A7C0783E39BB8F31",
      torch_tensor_4_4_3_3_torch.float16_1: "0x020000009A2AD5A81A2CE52A832E2F2F39AB3631EFA4DD9D09B1DEAE3BAE90AC952FF9AAF9AF1B2CD52AE92E85ADA028C4ABCBA840B0DDAC89AA902CCB27452953313331462F6F1D61AF2B3056A9E6A298B037A8E1AEE7309CB028B0CC9DC5ADA22B1BAC03ADD520B92F81AF022DDA2E383177AF2B29E3AF8E3023AC6D2E151DA5A2729D4127072DD826822ACCB0C52FA6306930E32FB3AFE9ABB43010B0D73032B084AF372DAAAFE3A8C32F39300B3154A825B040318BA863AC332976AF032FAF2E3BB061B07AA37B2CF19C69ADCE1B03B18AAF1AAF6430B4303FABA81FC22C1D2557AD272E8F2EF2A041A5D930A9300CAE3831482916AFD72DF7AFED30DBAE092A7F2A13296C306EAC81AC9FB0019F0EADD71E60A8142B9D304C2ADFAA3CADA7B07D30",
      torch_tensor_4_torch.float16_3: "0x020000000000000000000000",
      torch_tensor_4_torch.float16_2: "0x02000000003C003C003C003C",
      torch_tensor_4_torch.float16_1: "0x020000004D3A073CB739C539",
      torch_tensor_4_torch.float16: "0x0200000010278638E2A15D39",
      torch_tensor_4_4_3_3_torch.float16: "0x020000007F2DB5AC23A8022D05B1662E64A86D2DEE2539A5EB293620CB2B28AC39A2AFA32F267491AA30A42AF2AB71AE27A79AACD6AA16205C2ECC2D37B19D2EF6290F310A2FDCB012B125ADAF301BA7912CF5AC3C3183AC00300B189FAD7C2DA9AD462A29AAAEA421B116ADCA2D30A950314630FE9F1FAF7F2E9F2AE5AEEE2E7A2EBB30FBAD06A79D9A3B260CB092AFCD2D01A9362DDD20012BB128C22B4A2DF0B05E2D80AF06B0312145A7442E2DAEBEB0C32F54A6002EDC2A00B04928202924AF10AD462BA4278AAC75AAE230E5A7042E9E2CE5AE89B01F317520502F6C28DC2AF82F0F3114AF5625F62FBA2FA02EB8AFAEAF73AE5C255131BDAEAF2DE7AD04B189A8252EF430A0AEA1289A30112FA62E952FBF2E83294BAF7BB0E3ACF8A48AAECE2B"
    }
  }
#-}
