#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0) -> (d0)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d1, 0, 0)>
module {
  func.func @forward(%arg0: tensor<1x4x8x8xbf16>) -> tensor<1x4x8x8xbf16> {
    %cst = arith.constant 0.000000e+00 : bf16
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant dense_resource<torch_tensor_4_torch.bfloat16_7> : tensor<4xbf16>
    %cst_2 = arith.constant dense_resource<torch_tensor_4_torch.bfloat16_6> : tensor<4xbf16>
    %cst_3 = arith.constant dense_resource<torch_tensor_4_torch.bfloat16_5> : tensor<4xbf16>
    %cst_4 = arith.constant dense_resource<torch_tensor_4_torch.bfloat16_4> : tensor<4xbf16>
    %cst_5 = arith.constant dense_resource<torch_tensor_4_4_3_3_torch.bfloat16_1> : tensor<4x4x3x3xbf16>
    %cst_6 = arith.constant dense_resource<torch_tensor_4_torch.bfloat16_3> : tensor<4xbf16>
    %cst_7 = arith.constant dense_resource<torch_tensor_4_torch.bfloat16_2> : tensor<4xbf16>
    %cst_8 = arith.constant 1.000000e-05 : f64
    %cst_9 = arith.constant dense_resource<torch_tensor_4_torch.bfloat16_1> : tensor<4xbf16>
    %cst_10 = arith.constant dense_resource<torch_tensor_4_torch.bfloat16> : tensor<4xbf16>
    %cst_11 = arith.constant dense_resource<torch_tensor_4_4_3_3_torch.bfloat16> : tensor<4x4x3x3xbf16>
    %padded = tensor.pad %arg0 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg1: index, %arg2: index, %arg3: index, %arg4: index):
      tensor.yield %cst : bf16
    } : tensor<1x4x8x8xbf16> to tensor<1x4x10x10xbf16>
    %0 = tensor.empty() : tensor<1x4x8x8xf32>
    %1 = linalg.fill ins(%cst_0 : f32) outs(%0 : tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
    %2 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%padded, %cst_11 : tensor<1x4x10x10xbf16>, tensor<4x4x3x3xbf16>) outs(%1 : tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
    %3 = tensor.empty() : tensor<1x4x8x8xbf16>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2 : tensor<1x4x8x8xf32>) outs(%3 : tensor<1x4x8x8xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %29 = arith.truncf %in : f32 to bf16
      linalg.yield %29 : bf16
    } -> tensor<1x4x8x8xbf16>
    %5 = tensor.empty() : tensor<4xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%cst_10 : tensor<4xbf16>) outs(%5 : tensor<4xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %29 = arith.extf %in : bf16 to f32
      linalg.yield %29 : f32
    } -> tensor<4xf32>
    %7 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%cst_9 : tensor<4xbf16>) outs(%5 : tensor<4xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %29 = arith.extf %in : bf16 to f32
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
    %10 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%4, %expanded : tensor<1x4x8x8xbf16>, tensor<4x1x1xf32>) outs(%0 : tensor<1x4x8x8xf32>) {
    ^bb0(%in: bf16, %in_20: f32, %out: f32):
      %29 = arith.extf %in : bf16 to f32
      %30 = arith.subf %29, %in_20 : f32
      linalg.yield %30 : f32
    } -> tensor<1x4x8x8xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%10, %expanded_12 : tensor<1x4x8x8xf32>, tensor<4x1x1xf32>) outs(%0 : tensor<1x4x8x8xf32>) {
    ^bb0(%in: f32, %in_20: f32, %out: f32):
      %29 = arith.mulf %in, %in_20 : f32
      linalg.yield %29 : f32
    } -> tensor<1x4x8x8xf32>
    %expanded_13 = tensor.expand_shape %cst_7 [[0, 1, 2]] output_shape [4, 1, 1] : tensor<4xbf16> into tensor<4x1x1xbf16>
    %12 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11, %expanded_13 : tensor<1x4x8x8xf32>, tensor<4x1x1xbf16>) outs(%0 : tensor<1x4x8x8xf32>) {
    ^bb0(%in: f32, %in_20: bf16, %out: f32):
      %29 = arith.extf %in_20 : bf16 to f32
      %30 = arith.mulf %in, %29 : f32
      linalg.yield %30 : f32
    } -> tensor<1x4x8x8xf32>
    %expanded_14 = tensor.expand_shape %cst_6 [[0, 1, 2]] output_shape [4, 1, 1] : tensor<4xbf16> into tensor<4x1x1xbf16>
    %13 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12, %expanded_14 : tensor<1x4x8x8xf32>, tensor<4x1x1xbf16>) outs(%0 : tensor<1x4x8x8xf32>) {
    ^bb0(%in: f32, %in_20: bf16, %out: f32):
      %29 = arith.extf %in_20 : bf16 to f32
      %30 = arith.addf %in, %29 : f32
      linalg.yield %30 : f32
    } -> tensor<1x4x8x8xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13 : tensor<1x4x8x8xf32>) outs(%3 : tensor<1x4x8x8xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %29 = arith.truncf %in : f32 to bf16
      linalg.yield %29 : bf16
    } -> tensor<1x4x8x8xbf16>
    %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%14 : tensor<1x4x8x8xbf16>) outs(%3 : tensor<1x4x8x8xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %29 = arith.cmpf ugt, %in, %cst : bf16
      %30 = arith.select %29, %in, %cst : bf16
      linalg.yield %30 : bf16
    } -> tensor<1x4x8x8xbf16>
    %padded_15 = tensor.pad %15 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg1: index, %arg2: index, %arg3: index, %arg4: index):
      tensor.yield %cst : bf16
    } : tensor<1x4x8x8xbf16> to tensor<1x4x10x10xbf16>
    %16 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%padded_15, %cst_5 : tensor<1x4x10x10xbf16>, tensor<4x4x3x3xbf16>) outs(%1 : tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16 : tensor<1x4x8x8xf32>) outs(%3 : tensor<1x4x8x8xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %29 = arith.truncf %in : f32 to bf16
      linalg.yield %29 : bf16
    } -> tensor<1x4x8x8xbf16>
    %18 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%cst_4 : tensor<4xbf16>) outs(%5 : tensor<4xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %29 = arith.extf %in : bf16 to f32
      linalg.yield %29 : f32
    } -> tensor<4xf32>
    %19 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%cst_3 : tensor<4xbf16>) outs(%5 : tensor<4xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %29 = arith.extf %in : bf16 to f32
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
    %22 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%17, %expanded_16 : tensor<1x4x8x8xbf16>, tensor<4x1x1xf32>) outs(%0 : tensor<1x4x8x8xf32>) {
    ^bb0(%in: bf16, %in_20: f32, %out: f32):
      %29 = arith.extf %in : bf16 to f32
      %30 = arith.subf %29, %in_20 : f32
      linalg.yield %30 : f32
    } -> tensor<1x4x8x8xf32>
    %23 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22, %expanded_17 : tensor<1x4x8x8xf32>, tensor<4x1x1xf32>) outs(%0 : tensor<1x4x8x8xf32>) {
    ^bb0(%in: f32, %in_20: f32, %out: f32):
      %29 = arith.mulf %in, %in_20 : f32
      linalg.yield %29 : f32
    } -> tensor<1x4x8x8xf32>
    %expanded_18 = tensor.expand_shape %cst_2 [[0, 1, 2]] output_shape [4, 1, 1] : tensor<4xbf16> into tensor<4x1x1xbf16>
    %24 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%23, %expanded_18 : tensor<1x4x8x8xf32>, tensor<4x1x1xbf16>) outs(%0 : tensor<1x4x8x8xf32>) {
    ^bb0(%in: f32, %in_20: bf16, %out: f32):
      %29 = arith.extf %in_20 : bf16 to f32
      %30 = arith.mulf %in, %29 : f32
      linalg.yield %30 : f32
    } -> tensor<1x4x8x8xf32>
    %expanded_19 = tensor.expand_shape %cst_1 [[0, 1, 2]] output_shape [4, 1, 1] : tensor<4xbf16> into tensor<4x1x1xbf16>
    %25 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24, %expanded_19 : tensor<1x4x8x8xf32>, tensor<4x1x1xbf16>) outs(%0 : tensor<1x4x8x8xf32>) {
    ^bb0(%in: f32, %in_20: bf16, %out: f32):
      %29 = arith.extf %in_20 : bf16 to f32
      %30 = arith.addf %in, %29 : f32
      linalg.yield %30 : f32
    } -> tensor<1x4x8x8xf32>
    %26 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%25 : tensor<1x4x8x8xf32>) outs(%3 : tensor<1x4x8x8xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %29 = arith.truncf %in : f32 to bf16
      linalg.yield %29 : bf16
    } -> tensor<1x4x8x8xbf16>
    %27 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0, %26 : tensor<1x4x8x8xbf16>, tensor<1x4x8x8xbf16>) outs(%3 : tensor<1x4x8x8xbf16>) {
    ^bb0(%in: bf16, %in_20: bf16, %out: bf16):
      %29 = arith.addf %in, %in_20 : bf16
      linalg.yield %29 : bf16
    } -> tensor<1x4x8x8xbf16>
    %28 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%27 : tensor<1x4x8x8xbf16>) outs(%3 : tensor<1x4x8x8xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %29 = arith.cmpf ugt, %in, %cst : bf16
      %30 = arith.select %29, %in, %cst : bf16
      linalg.yield %30 : bf16
    } -> tensor<1x4x8x8xbf16>
    return %28 : tensor<1x4x8x8xbf16>
  }
}

{-#
  dialect_resources: {
    builtin: {
      torch_tensor_4_torch.bfloat16_7: "0x020000000000000000000000",
      torch_tensor_4_torch.bfloat16_6: "0x02000000803F803F803F803F",
      torch_tensor_4_torch.bfloat16_5: "0x020000008C3FB93F6B3F603F",
      torch_tensor_4_torch.bfloat16_4: "0x0200000015C0CF3F67BF323E",
      torch_tensor_4_4_3_3_torch.bfloat16_1: "0x02000000533D1BBD833D5D3DD03DE63D67BD273E9EBCBCBB21BEDCBDC7BD92BDF33D5FBDFFBD833D5B3DDD3DB1BD143D79BD19BD08BE9CBD51BD923DF93C293D2A3E263EE93DAE3BECBD053E2BBD5DBC13BE07BDDCBD1D3E14BE05BEB9BBB9BD743D83BDA0BD1B3CF73DF0BDA03DDB3D273EEFBD253DFCBD123E84BDCE3DA33B55BCAEBBE83CA13DDB3C503D1ABEF93D153E0D3EFC3DF6BD7DBD163E02BE1B3E06BEF0BDA73DF5BD1CBDF83D073E213E0BBD05BE283E11BD8CBD263DEFBDE03DD63D07BE0CBE6FBC8F3D9EBBADBD7A3B20BEF1BDE3BD0D3E163E68BDF53B983DA43CABBDC53DD23D1EBCA8BC1B3E153EC2BD273E293DE3BDBB3DFFBD1E3EDBBD413D503D223D0E3E8EBD90BD14BEE0BBA2BDDB3B0CBD633D143E493D5CBDA7BD15BE103E",
      torch_tensor_4_torch.bfloat16_3: "0x020000000000000000000000",
      torch_tensor_4_torch.bfloat16_2: "0x02000000803F803F803F803F",
      torch_tensor_4_torch.bfloat16_1: "0x020000004A3F813F373F393F",
      torch_tensor_4_torch.bfloat16: "0x02000000E23C113F3CBC2C3F",
      torch_tensor_4_4_3_3_torch.bfloat16: "0x02000000B03D97BD04BDA03D21BECD3D0CBDAE3DBE3CA7BC3D3D073C793D85BD47BC76BCC63C2FBA153E543D7EBDCEBDE5BC93BD5BBD033CCB3DBA3D27BED43D3F3D223EE13D1CBE22BEA5BD163EE3BC923D9FBD273E90BD003E013BB4BDAF3DB5BD493D45BD96BC24BEA3BDB93D26BD2A3E093E00BCE4BDD03D543DDDBDDE3DCF3D173EBFBDE1BC54BBC73C02BEF2BDBA3D20BDA73D1C3C603D163D783DA93D1EBEAC3DF0BD01BE263CE9BCC83DC6BD18BEF83DCABCC03D5B3D00BE093D243DE5BDA2BD693DF53C91BD4FBD1C3EFDBCC03D943DDDBD11BE243E0F3CEA3D0D3D5C3DFF3D223EE3BDAB3CFF3DF73DD43DF7BDF6BDCEBDAC3C2A3ED8BDB63DBDBD20BE11BDC53D1E3ED4BD143D133EE23DD53DF33DD83D303DE9BD0FBE9CBD9FBCD1BD7A3D"
    }
  }
#-}
