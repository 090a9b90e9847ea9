#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d1, 0, 0)>
module {
  func.func @forward(%arg0: tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense_resource<torch_tensor_4_torch.float32_7> : tensor<4xf32>
    %cst_1 = arith.constant dense_resource<torch_tensor_4_torch.float32_6> : tensor<4xf32>
    %cst_2 = arith.constant dense_resource<torch_tensor_4_torch.float32_5> : tensor<4xf32>
    %cst_3 = arith.constant dense_resource<torch_tensor_4_torch.float32_4> : tensor<4xf32>
    %cst_4 = arith.constant dense_resource<torch_tensor_4_4_3_3_torch.float32_1> : tensor<4x4x3x3xf32>
    %cst_5 = arith.constant dense_resource<torch_tensor_4_torch.float32_3> : tensor<4xf32>
    %cst_6 = arith.constant dense_resource<torch_tensor_4_torch.float32_2> : tensor<4xf32>
    %cst_7 = arith.constant 1.000000e-05 : f64
    %cst_8 = arith.constant dense_resource<torch_tensor_4_torch.float32_1> : tensor<4xf32>
    %cst_9 = arith.constant dense_resource<torch_tensor_4_torch.float32> : tensor<4xf32>
    %cst_10 = arith.constant dense_resource<torch_tensor_4_4_3_3_torch.float32> : tensor<4x4x3x3xf32>
    %padded = tensor.pad %arg0 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg1: index, %arg2: index, %arg3: index, %arg4: index):
      tensor.yield %cst : f32
    } : tensor<1x4x8x8xf32> to tensor<1x4x10x10xf32>
    %0 = tensor.empty() : tensor<1x4x8x8xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
    %2 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%padded, %cst_10 : tensor<1x4x10x10xf32>, tensor<4x4x3x3xf32>) outs(%1 : tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
    %3 = tensor.empty() : tensor<4xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%cst_8 : tensor<4xf32>) outs(%3 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %20 = arith.truncf %cst_7 : f64 to f32
      %21 = arith.addf %in, %20 : f32
      linalg.yield %21 : f32
    } -> tensor<4xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%4 : tensor<4xf32>) outs(%3 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %20 = math.rsqrt %in : f32
      linalg.yield %20 : f32
    } -> tensor<4xf32>
    %expanded = tensor.expand_shape %cst_9 [[0, 1, 2]] output_shape [4, 1, 1] : tensor<4xf32> into tensor<4x1x1xf32>
    %expanded_11 = tensor.expand_shape %5 [[0, 1, 2]] output_shape [4, 1, 1] : tensor<4xf32> into tensor<4x1x1xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2, %expanded : tensor<1x4x8x8xf32>, tensor<4x1x1xf32>) outs(%0 : tensor<1x4x8x8xf32>) {
    ^bb0(%in: f32, %in_19: f32, %out: f32):
      %20 = arith.subf %in, %in_19 : f32
      linalg.yield %20 : f32
    } -> tensor<1x4x8x8xf32>
    %7 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6, %expanded_11 : tensor<1x4x8x8xf32>, tensor<4x1x1xf32>) outs(%0 : tensor<1x4x8x8xf32>) {
    ^bb0(%in: f32, %in_19: f32, %out: f32):
      %20 = arith.mulf %in, %in_19 : f32
      linalg.yield %20 : f32
    } -> tensor<1x4x8x8xf32>
    %expanded_12 = tensor.expand_shape %cst_6 [[0, 1, 2]] output_shape [4, 1, 1] : tensor<4xf32> into tensor<4x1x1xf32>
    %8 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7, %expanded_12 : tensor<1x4x8x8xf32>, tensor<4x1x1xf32>) outs(%0 : tensor<1x4x8x8xf32>) {
    ^bb0(%in: f32, %in_19: f32, %out: f32):
      %20 = arith.mulf %in, %in_19 : f32
      linalg.yield %20 : f32
    } -> tensor<1x4x8x8xf32>
    %expanded_13 = tensor.expand_shape %cst_5 [[0, 1, 2]] output_shape [4, 1, 1] : tensor<4xf32> into tensor<4x1x1xf32>
    %9 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8, %expanded_13 : tensor<1x4x8x8xf32>, tensor<4x1x1xf32>) outs(%0 : tensor<1x4x8x8xf32>) {
    ^bb0(%in: f32, %in_19: f32, %out: f32):
      %20 = arith.addf %in, %in_19 : f32
      linalg.yield %20 : f32
    } -> tensor<1x4x8x8xf32>
    %10 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9 : tensor<1x4x8x8xf32>) outs(%0 : tensor<1x4x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %20 = arith.cmpf ugt, %in, %cst : f32
      %21 = arith.select %20, %in, %cst : f32
      linalg.yield %21 : f32
    } -> tensor<1x4x8x8xf32>
    %padded_14 = tensor.pad %10 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg1: index, %arg2: index, %arg3: index, %arg4: index):
      tensor.yield %cst : f32
    } : tensor<1x4x8x8xf32> to tensor<1x4x10x10xf32>
    %11 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%padded_14, %cst_4 : tensor<1x4x10x10xf32>, tensor<4x4x3x3xf32>) outs(%1 : tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%cst_2 : tensor<4xf32>) outs(%3 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %20 = arith.truncf %cst_7 : f64 to f32
      %21 = arith.addf %in, %20 : f32
      linalg.yield %21 : f32
    } -> tensor<4xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%12 : tensor<4xf32>) outs(%3 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %20 = math.rsqrt %in : f32
      linalg.yield %20 : f32
    } -> tensor<4xf32>
    %expanded_15 = tensor.expand_shape %cst_3 [[0, 1, 2]] output_shape [4, 1, 1] : tensor<4xf32> into tensor<4x1x1xf32>
    %expanded_16 = tensor.expand_shape %13 [[0, 1, 2]] output_shape [4, 1, 1] : tensor<4xf32> into tensor<4x1x1xf32>
    %14 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11, %expanded_15 : tensor<1x4x8x8xf32>, tensor<4x1x1xf32>) outs(%0 : tensor<1x4x8x8xf32>) {
    ^bb0(%in: f32, %in_19: f32, %out: f32):
      %20 = arith.subf %in, %in_19 : f32
      linalg.yield %20 : f32
    } -> tensor<1x4x8x8xf32>
    %15 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%14, %expanded_16 : tensor<1x4x8x8xf32>, tensor<4x1x1xf32>) outs(%0 : tensor<1x4x8x8xf32>) {
    ^bb0(%in: f32, %in_19: f32, %out: f32):
      %20 = arith.mulf %in, %in_19 : f32
      linalg.yield %20 : f32
    } -> tensor<1x4x8x8xf32>
    %expanded_17 = tensor.expand_shape %cst_1 [[0, 1, 2]] output_shape [4, 1, 1] : tensor<4xf32> into tensor<4x1x1xf32>
    %16 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%15, %expanded_17 : tensor<1x4x8x8xf32>, tensor<4x1x1xf32>) outs(%0 : tensor<1x4x8x8xf32>) {
    ^bb0(%in: f32, %in_19: f32, %out: f32):
      %20 = arith.mulf %in, %in_19 : f32
      linalg.yield %20 : f32
    } -> tensor<1x4x8x8xf32>
    %expanded_18 = tensor.expand_shape %cst_0 [[0, 1, 2]] output_shape [4, 1, 1] : tensor<4xf32> into tensor<4x1x1xf32>
    %17 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16, %expanded_18 : tensor<1x4x8x8xf32>, tensor<4x1x1xf32>) outs(%0 : tensor<1x4x8x8xf32>) {
    ^bb0(%in: f32, %in_19: f32, %out: f32):
      %20 = arith.addf %in, %in_19 : f32
      linalg.yield %20 : f32
    } -> tensor<1x4x8x8xf32>
    %18 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0, %17 : tensor<1x4x8x8xf32>, tensor<1x4x8x8xf32>) outs(%0 : tensor<1x4x8x8xf32>) {
    ^bb0(%in: f32, %in_19: f32, %out: f32):
      %20 = arith.addf %in, %in_19 : f32
      linalg.yield %20 : f32
    } -> tensor<1x4x8x8xf32>
    %19 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18 : tensor<1x4x8x8xf32>) outs(%0 : tensor<1x4x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %20 = arith.cmpf ugt, %in, %cst : f32
      %21 = arith.select %20, %in, %cst : f32
      linalg.yield %21 : f32
    } -> tensor<1x4x8x8xf32>
    return %19 : tensor<1x4x8x8xf32>
  }
}

{-#
  dialect_resources: {
    builtin: {
      torch_tensor_4_torch.float32_7: "0x0400000000000000000000000000000000000000",
      torch_tensor_4_torch.float32_6: "0x040000000000803F0000803F0000803F0000803F",
      torch_tensor_4_torch.float32_5: "0x04000000C7358C3FFA3AB93F135F6B3FFBD45F3F",
      torch_tensor_4_torch.float32_4: "0x0400000000E314C040F6CE3F5A1267BF16D6313E",
      torch_tensor_4_4_3_3_torch.float32_1: "0x04000000EB46533D70941ABD3630833DA0A05C3DB665D03D68DEE53DDB2F67BDE7BE263ED6D79DBC2BA1BBBBC01621BE0BB0DBBD7B68C7BD00FF91BD78ADF23D20155FBD6E12FFBDF653833DB0915A3D1314DD3D68A1B0BD2B03143D768678BDC06019BDE60108BE00919BBD6B1251BD58F7913D966EF93C40A1283DE2572A3E2056263E30CEE83D80E8AD3BA821ECBDAE60053EC0B52ABD00C35CBC770713BEA0D806BDE627DCBD9ED31C3E808B13BE1F0805BE5672B9BB7090B8BD2044743D506383BDEE51A0BD96A81A3C2B17F73D1B1AF0BDD34AA03D6349DB3D17F2263EE6E8EEBDC055253D1B64FCBDEBB4113EC66784BD639ACD3D8097A23BEBAB54BC5642AEBB6019E83C38E7A03DD6F8DA3C3640503DD68419BE93ACF83D52CC143EF6120D3E4352FC3D1E51F6BD86107DBD2B7B163E5FFD01BE1AD51A3E8A3A06BE2870F0BDD0DEA63D883EF5BD40661CBD3651F83DE42E073EB368213E66860ABD0BA704BE4F0A283E066D11BDC06F8CBD906A263DE8B3EEBD065AE03DBEECD53DBA6B07BE4F2E0CBE56326FBC635E8F3D002C9EBB1E15ADBD00B8793B446A20BEB83DF1BDD338E3BD978C0C3E9471163E10E167BD56F1F43B263A983D3697A33C6EECAABD2BDCC43D4BD4D13DD6411EBC7613A8BCAF171B3E462F153E5087C1BD68FA263EF6F0283D00BCE2BDA3D9BA3DAED4FEBD0FAF1D3EA36FDBBDC613413D46DF4F3DB060223D038E0D3ECBC58DBDCE1990BD16E513BEAB21E0BB56B2A1BDD6D4DA3B16F20BBD2681623DC3A3133EA670493D16EA5BBDB07DA7BDF3D814BE609B0F3E",
      torch_tensor_4_torch.float32_3: "0x0400000000000000000000000000000000000000",
      torch_tensor_4_torch.float32_2: "0x040000000000803F0000803F0000803F0000803F",
      torch_tensor_4_torch.float32_1: "0x04000000A99C493FA0E1803F6CDE363FD394383F",
      torch_tensor_4_torch.float32: "0x0400000032F3E13C74B3103F8F353CBC11AF2B3F",
      torch_tensor_4_4_3_3_torch.float32: "0x0400000063E0AF3D38A896BDC05704BD1636A03D02AC20BE18B4CC3D1B710CBDB8A6AD3DF6CDBD3C562DA7BC56583D3D6BB5063C4054793D980485BDEB1647BCABD575BC96E5C53C56892EBAEE30153E6B70543DB63A7EBDF326CEBDEBD9E4BC203B93BD70C25ABDABBF023C707ACB3DF686B93DDAD526BE7B99D33D60B63E3D06E3213EE84CE13D37801BBE744522BED3A2A4BD4ADD153E166CE3BCAB13923D1B9F9EBD1276273EE86A90BD6EF9FF3DAB57013B03D2B3BD4E73AF3DC62FB5BD86C6483DFB1F45BD00B095BCB01324BED3BDA2BD1638B93DD6F025BD12FE293EEFCD083E2BB8FFBB90D5E3BDEEDBCF3DD6DE533D06A5DCBD13B6DD3D5E39CF3D085D173E7356BFBDF6BDE0BCAB9753BBCB6AC73CA68501BEC037F2BDD8AFB93D701420BD76BBA63DD6AC1B3C6B26603D561C163D9B37783DDE33A93D740E1EBE86CFAB3DD8FFEFBD00C500BE5610263CA0A9E8BC2879C83DA6ADC5BD37B817BE6869F83D4074CABC43FCBF3D80775B3D1BF5FFBD8625093D66F9233DEE8AE4BD06F4A1BDD0C5683DE08FF43CA03191BD70A74EBD874F1C3EA09DFCBCDE70C03D66CC933DEBA3DCBDD62311BE2ED2233E2B960E3C3EF8E93D50780D3DA68F5B3D3EF6FE3D22D4213E9880E2BDCBB4AA3CF6B8FE3D1B46F73DA60CD43D8607F7BDABCBF5BDC06DCEBD4B86AB3CF4182A3EA89CD7BDD8E3B53D88ECBCBDA77620BE001811BD96AAC43D52711E3E33FBD3BD7625143DF042133E8E2FE23D10BAD43D0690F23D20E6D73D9054303D1E69E9BD9C510FBEEE679CBDCBFC9EBC9638D1BD90C1793D"
    }
  }
#-}
