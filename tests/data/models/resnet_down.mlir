#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d1, 0, 0)>
module {
  func.func @forward(%arg0: tensor<1x4x8x8xf32>) -> tensor<1x8x4x4xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense_resource<torch_tensor_8_torch.float32_11> : tensor<8xf32>
    %cst_1 = arith.constant dense_resource<torch_tensor_8_torch.float32_10> : tensor<8xf32>
    %cst_2 = arith.constant dense_resource<torch_tensor_8_torch.float32_9> : tensor<8xf32>
    %cst_3 = arith.constant dense_resource<torch_tensor_8_torch.float32_8> : tensor<8xf32>
    %cst_4 = arith.constant dense_resource<torch_tensor_8_8_3_3_torch.float32> : tensor<8x8x3x3xf32>
    %cst_5 = arith.constant dense_resource<torch_tensor_8_torch.float32_7> : tensor<8xf32>
    %cst_6 = arith.constant dense_resource<torch_tensor_8_torch.float32_6> : tensor<8xf32>
    %cst_7 = arith.constant dense_resource<torch_tensor_8_torch.float32_5> : tensor<8xf32>
    %cst_8 = arith.constant dense_resource<torch_tensor_8_torch.float32_4> : tensor<8xf32>
    %cst_9 = arith.constant dense_resource<torch_tensor_8_4_1_1_torch.float32> : tensor<8x4x1x1xf32>
    %cst_10 = arith.constant dense_resource<torch_tensor_8_torch.float32_3> : tensor<8xf32>
    %cst_11 = arith.constant dense_resource<torch_tensor_8_torch.float32_2> : tensor<8xf32>
    %cst_12 = arith.constant 1.000000e-05 : f64
    %cst_13 = arith.constant dense_resource<torch_tensor_8_torch.float32_1> : tensor<8xf32>
    %cst_14 = arith.constant dense_resource<torch_tensor_8_torch.float32> : tensor<8xf32>
    %cst_15 = arith.constant dense_resource<torch_tensor_8_4_3_3_torch.float32> : tensor<8x4x3x3xf32>
    %padded = tensor.pad %arg0 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg1: index, %arg2: index, %arg3: index, %arg4: index):
      tensor.yield %cst : f32
    } : tensor<1x4x8x8xf32> to tensor<1x4x10x10xf32>
    %0 = tensor.empty() : tensor<1x8x4x4xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<1x8x4x4xf32>) -> tensor<1x8x4x4xf32>
    %2 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%padded, %cst_15 : tensor<1x4x10x10xf32>, tensor<8x4x3x3xf32>) outs(%1 : tensor<1x8x4x4xf32>) -> tensor<1x8x4x4xf32>
    %3 = tensor.empty() : tensor<8xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%cst_13 : tensor<8xf32>) outs(%3 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %27 = arith.truncf %cst_12 : f64 to f32
      %28 = arith.addf %in, %27 : f32
      linalg.yield %28 : f32
    } -> tensor<8xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%4 : tensor<8xf32>) outs(%3 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %27 = math.rsqrt %in : f32
      linalg.yield %27 : f32
    } -> tensor<8xf32>
    %expanded = tensor.expand_shape %cst_14 [[0, 1, 2]] output_shape [8, 1, 1] : tensor<8xf32> into tensor<8x1x1xf32>
    %expanded_16 = tensor.expand_shape %5 [[0, 1, 2]] output_shape [8, 1, 1] : tensor<8xf32> into tensor<8x1x1xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2, %expanded : tensor<1x8x4x4xf32>, tensor<8x1x1xf32>) outs(%0 : tensor<1x8x4x4xf32>) {
    ^bb0(%in: f32, %in_28: f32, %out: f32):
      %27 = arith.subf %in, %in_28 : f32
      linalg.yield %27 : f32
    } -> tensor<1x8x4x4xf32>
    %7 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6, %expanded_16 : tensor<1x8x4x4xf32>, tensor<8x1x1xf32>) outs(%0 : tensor<1x8x4x4xf32>) {
    ^bb0(%in: f32, %in_28: f32, %out: f32):
      %27 = arith.mulf %in, %in_28 : f32
      linalg.yield %27 : f32
    } -> tensor<1x8x4x4xf32>
    %expanded_17 = tensor.expand_shape %cst_11 [[0, 1, 2]] output_shape [8, 1, 1] : tensor<8xf32> into tensor<8x1x1xf32>
    %8 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7, %expanded_17 : tensor<1x8x4x4xf32>, tensor<8x1x1xf32>) outs(%0 : tensor<1x8x4x4xf32>) {
    ^bb0(%in: f32, %in_28: f32, %out: f32):
      %27 = arith.mulf %in, %in_28 : f32
      linalg.yield %27 : f32
    } -> tensor<1x8x4x4xf32>
    %expanded_18 = tensor.expand_shape %cst_10 [[0, 1, 2]] output_shape [8, 1, 1] : tensor<8xf32> into tensor<8x1x1xf32>
    %9 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8, %expanded_18 : tensor<1x8x4x4xf32>, tensor<8x1x1xf32>) outs(%0 : tensor<1x8x4x4xf32>) {
    ^bb0(%in: f32, %in_28: f32, %out: f32):
      %27 = arith.addf %in, %in_28 : f32
      linalg.yield %27 : f32
    } -> tensor<1x8x4x4xf32>
    %10 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9 : tensor<1x8x4x4xf32>) outs(%0 : tensor<1x8x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %27 = arith.cmpf ugt, %in, %cst : f32
      %28 = arith.select %27, %in, %cst : f32
      linalg.yield %28 : f32
    } -> tensor<1x8x4x4xf32>
    %11 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%arg0, %cst_9 : tensor<1x4x8x8xf32>, tensor<8x4x1x1xf32>) outs(%1 : tensor<1x8x4x4xf32>) -> tensor<1x8x4x4xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%cst_7 : tensor<8xf32>) outs(%3 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %27 = arith.truncf %cst_12 : f64 to f32
      %28 = arith.addf %in, %27 : f32
      linalg.yield %28 : f32
    } -> tensor<8xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%12 : tensor<8xf32>) outs(%3 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %27 = math.rsqrt %in : f32
      linalg.yield %27 : f32
    } -> tensor<8xf32>
    %expanded_19 = tensor.expand_shape %cst_8 [[0, 1, 2]] output_shape [8, 1, 1] : tensor<8xf32> into tensor<8x1x1xf32>
    %expanded_20 = tensor.expand_shape %13 [[0, 1, 2]] output_shape [8, 1, 1] : tensor<8xf32> into tensor<8x1x1xf32>
    %14 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11, %expanded_19 : tensor<1x8x4x4xf32>, tensor<8x1x1xf32>) outs(%0 : tensor<1x8x4x4xf32>) {
    ^bb0(%in: f32, %in_28: f32, %out: f32):
      %27 = arith.subf %in, %in_28 : f32
      linalg.yield %27 : f32
    } -> tensor<1x8x4x4xf32>
    %15 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%14, %expanded_20 : tensor<1x8x4x4xf32>, tensor<8x1x1xf32>) outs(%0 : tensor<1x8x4x4xf32>) {
    ^bb0(%in: f32, %in_28: f32, %out: f32):
      %27 = arith.mulf %in, %in_28 : f32
      linalg.yield %27 : f32
    } -> tensor<1x8x4x4xf32>
    %expanded_21 = tensor.expand_shape %cst_6 [[0, 1, 2]] output_shape [8, 1, 1] : tensor<8xf32> into tensor<8x1x1xf32>
    %16 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%15, %expanded_21 : tensor<1x8x4x4xf32>, tensor<8x1x1xf32>) outs(%0 : tensor<1x8x4x4xf32>) {
    ^bb0(%in: f32, %in_28: f32, %out: f32):
      %27 = arith.mulf %in, %in_28 : f32
      linalg.yield %27 : f32
    } -> tensor<1x8x4x4xf32>
    %expanded_22 = tensor.expand_shape %cst_5 [[0, 1, 2]] output_shape [8, 1, 1] : tensor<8xf32> into tensor<8x1x1xf32>
    %17 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16, %expanded_22 : tensor<1x8x4x4xf32>, tensor<8x1x1xf32>) outs(%0 : tensor<1x8x4x4xf32>) {
    ^bb0(%in: f32, %in_28: f32, %out: f32):
      %27 = arith.addf %in, %in_28 : f32
      linalg.yield %27 : f32
    } -> tensor<1x8x4x4xf32>
    %padded_23 = tensor.pad %10 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg1: index, %arg2: index, %arg3: index, %arg4: index):
      tensor.yield %cst : f32
    } : tensor<1x8x4x4xf32> to tensor<1x8x6x6xf32>
    %18 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%padded_23, %cst_4 : tensor<1x8x6x6xf32>, tensor<8x8x3x3xf32>) outs(%1 : tensor<1x8x4x4xf32>) -> tensor<1x8x4x4xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%cst_2 : tensor<8xf32>) outs(%3 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %27 = arith.truncf %cst_12 : f64 to f32
      %28 = arith.addf %in, %27 : f32
      linalg.yield %28 : f32
    } -> tensor<8xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%19 : tensor<8xf32>) outs(%3 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %27 = math.rsqrt %in : f32
      linalg.yield %27 : f32
    } -> tensor<8xf32>
    %expanded_24 = tensor.expand_shape %cst_3 [[0, 1, 2]] output_shape [8, 1, 1] : tensor<8xf32> into tensor<8x1x1xf32>
    %expanded_25 = tensor.expand_shape %20 [[0, 1, 2]] output_shape [8, 1, 1] : tensor<8xf32> into tensor<8x1x1xf32>
    %21 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18, %expanded_24 : tensor<1x8x4x4xf32>, tensor<8x1x1xf32>) outs(%0 : tensor<1x8x4x4xf32>) {
    ^bb0(%in: f32, %in_28: f32, %out: f32):
      %27 = arith.subf %in, %in_28 : f32
      linalg.yield %27 : f32
    } -> tensor<1x8x4x4xf32>
    %22 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%21, %expanded_25 : tensor<1x8x4x4xf32>, tensor<8x1x1xf32>) outs(%0 : tensor<1x8x4x4xf32>) {
    ^bb0(%in: f32, %in_28: f32, %out: f32):
      %27 = arith.mulf %in, %in_28 : f32
      linalg.yield %27 : f32
    } -> tensor<1x8x4x4xf32>
    %expanded_26 = tensor.expand_shape %cst_1 [[0, 1, 2]] output_shape [8, 1, 1] : tensor<8xf32> into tensor<8x1x1xf32>
    %23 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22, %expanded_26 : tensor<1x8x4x4xf32>, tensor<8x1x1xf32>) outs(%0 : tensor<1x8x4x4xf32>) {
    ^bb0(%in: f32, %in_28: f32, %out: f32):
      %27 = arith.mulf %in, %in_28 : f32
      linalg.yield %27 : f32
    } -> tensor<1x8x4x4xf32>
    %expanded_27 = tensor.expand_shape %cst_0 [[0, 1, 2]] output_shape [8, 1, 1] : tensor<8xf32> into tensor<8x1x1xf32>
    %24 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%23, %expanded_27 : tensor<1x8x4x4xf32>, tensor<8x1x1xf32>) outs(%0 : tensor<1x8x4x4xf32>) {
    ^bb0(%in: f32, %in_28: f32, %out: f32):
      %27 = arith.addf %in, %in_28 : f32
      linalg.yield %27 : f32
    } -> tensor<1x8x4x4xf32>
    %25 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%17, %24 : tensor<1x8x4x4xf32>, tensor<1x8x4x4xf32>) outs(%0 : tensor<1x8x4x4xf32>) {
    ^bb0(%in: f32, %in_28: f32, %out: f32):
      %27 = arith.addf %in, %in_28 : f32
      linalg.yield %27 : f32
    } -> tensor<1x8x4x4xf32>
    %26 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%25 : tensor<1x8x4x4xf32>) outs(%0 : tensor<1x8x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %27 = arith.cmpf ugt, %in, %cst : f32
      %28 = arith.select %27, %in, %cst : f32
      linalg.yield %28 : f32
    } -> tensor<1x8x4x4xf32>
    return %26 : tensor<1x8x4x4xf32>
  }
}

{-#
  dialect_resources: {
    builtin: {
      torch_tensor_8_torch.float32_11: "0x040000000000000000000000000000000000000000000000000000000000000000000000",
      torch_tensor_8_torch.float32_10: "0x040000000000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F",
      torch_tensor_8_torch.float32_9: "0x04000000BEC08E3F603B6B3F7074803F943A9B3F9868283F8A68A83FFC53AB3FCEE9A33F",
      torch_tensor_8_torch.float32_8: "0x040000006452DBBEEE1413BFB0AD0DBF2C5918BF989BD4BED9AC653C9F53CB3E10AAB9BC",
      torch_tensor_8_8_3_3_torch.float32: "0x0400000075E4B6BCD4E0C23CADD98E3B6BCF99BDD1ED873D1D43873D367AC23B662989BD341C4DBDA7B8D43ABFE589BD16AB86BDE60290BCB8FF0ABD00FFEC3CBAC2FDBC68F67FBCA13E38BD8E91DCBDEC7ED23D2E30B83C49D4D73D3D979BBC68A0F2BC37E7E2BDB73E37BDCC469E3DEB65ECBD91D628BDDF0C933D301B8B3DCF3D323D7B1ABFBC843212BCCE57B7BC0FF331BD3E73493D4C6A24BD439787BDF104DB3CB074AEBDD609CEBCF4AC763DF167343D6D7ACD3D469EA4BDE44D863A4B8C0EBD07FF86BD05C787BD703AF33C51044A3C1C6776BDD01FAABD0BF9C7BD2B8CEC3DE38DA4BC323EDFBC128131BD6D7071BDD1B9DCBD2AB18DBD8B86933DAF99D33C75482ABDDA6C36BDFD2E9A3D80FBAD3D9E88E83DC6CF0C3DE134693D6C241BBC6D1B8DBD8274ECBDAD02933DBC528CBCA352463DF814BE3BFA43E1BDB0D16CBDE1CD073D9F67C3BC4A12E9BD0D45293DD41A943BE3221BBD1F01433D8FD2CB3C270732BD14D3D83D7C2B723D1072723CD769B9BCD770CCBD1259BA3D151FF9BCF1F89BBD74BF9A3D1A702B3D52EAEE3C5C6DBFBC5AA416BD46D5A33C88C6BA3D24418A3C984064BD67C3EF3DDF2E253B72CCBE3DC64BEB3C0358D83D05428B3D551A76BD438BA93DB1BE463A3FBEC1BDA64DCABC89DAD9BDED187ABDCAFCAABDF513A53DA6D3CABC1FCEA6BC7553673DBF73443D0E4A9FBDFEE5313DD1114D3D2BE8BFBDB7D8D13DC8DC92BD72C43CBDD6CDC6BDD098DC3D06D6B73C973BCB3DD92CFC3B7130833DFC1F1ABDE88CC0BDACFA9A3C46312CBC5DF542BCF2116DBDD2E31F3BFBA00A3DBD232E3D276EC2BDFF35693DAA8E463C3A78A63D6492AA3DE812BEBD32C8E73D645DEDBDC5BF8A3D20E7073C306D643DD68482BDAF1A913D63DD6EBD1B56D5BD04BA213D361C843DE53FEF3DFCCC49BCAD2EE83DE80E9B3D30696FBDC72BBABD9C5E873D1E3C84BD9C6B5D3D78B5CEBD9E16B03DE3AD103D85FA5DBC5C635D3DB6D5ABBD160DD3BCE56E973AB8768BBDBDB0F6BCB22C50BD2306E63D0E0BCD3DE22AD03D8645C53DBB26E7BD6B78213DABEC313D2208B1BD57AA433D2BF782BD4385993CF4E31F3D8044D03DB73D7DBD32E5BDBDCC51DF3D2DA14A3DB69F6A3DF0C22D3D02DD2ABD7130913DFDB6D2BDBC5A863C33355A3D47E8A43D2E0E71BDD321A3BDE2EF343DC3ADBFBDAD95C8BD060FD9BD39166ABDC747B8BC68EE8EBD1C1B4CBD69B8D5BD8E59943D6B04DDBCD14898BD305BFB3C5477B4BDF4F2A83D06C98A3DB72FEDBD3274BDBD83259FBDBCA782BDA417713C6BABEEBD87EFB2BD41735C3DA4181EBD9B1540BD00ACC7BDB7A6433DCC59083CCD953ABDEFCD93BD5752CD3CF957033D8242563D48740F3DD84593BC93D6BABDB7A6993DC26984BA7967A0BD4B25D03DBA91863DF5B0BDBDE61371BD694524BD24558BBD4F6C613D292FACBDCA4FE03D278647BDE6778E3DE382833B914B54BDEB2CA13D452AB8BDC2657FBD6B6F673CCD76BF3DBED24EBD94F892BD65169ABDC4D154BD67BF26BDE4DEE0BC494E89BD0BDF163DB2E77A3A46B29DBDE7D489BDE36ECC3C4AAADCBA45D2AA3D3B5B92BC8386C3BD2083B2BD9BB00DBD6FD2D5BC365B5C3CD584D8BC8B1C323D548B20BD8025B13DA7BFDD3CA46714BD7419D73D5978F63C7606A4BDAE5386BDF655973DB0775C3DA873BC3D475214BCC0CFA83D42FF6F3DB848153D4272DFBCDCAAE83D8C5EC33C8A18F9BC889EDBBA8844ED3DEC1BA23DF6160FBCC29EEC3D8BFA533DF38080BD48A7DBBD5B438C3DBF5AE23D309F8CBD6F43463D4A66A43B5C6DCEBC914103BD004B063D25D6D43C1C04A33DF0B5303D19AA5B3DA8EAD43DB54F163DD34F8F3C95BD2FBD9D02B13DB4938E3C8D929B3D4D11E93D37ECD7BCF0F0A93DB50FC4BC44CFD93DFEF8BD3DFE052DBD477F8A3B8DCE52BDEA3B43BD2E78C3BC31A052BAB24528BDB5D7E3BD09FB91BD340025BC2A191ABD5145B33DC030C43DC7C2993D66A4553D3757BFBD0E07E43D27B0D4BD68B21EBD4EDFA9BDE4952D3DB3D6C8BD37FA6DBD675099BD2A5C94BD825761BDAD42ED3DCBB51DBC6F25133DE597EFBD9498D63DD73AD2BC7E81DDBDBC55A63D288602BD992FDB3D59F0A3BDEE15E0BD6A52B5BD621A513D948A58BC8899DFBD1E02B33C9727F6BB34642E3D928C75BDB24DACBDA381A43DCB4868BDC9C7A93D04B2C33D55CAA8BD738D5EBD9170683CBF91E3BD193F143D5D2149BDCA0656BD3396BABD14D3613D2ECE99BD36EBC0BDDEE2FDBC765D86BD19A6EABDDB8A423D62A837BD5210A93D96E5A93D88EE99BDABB48CBD1E582BBD97608D3DCFEE84BBD4722CBD6F84953D5BE4E43DAC6FB23D9391B8BD4585C8BCB52EB9BCFEF9CD3D78AA79BD89548ABDF5ADF13A0945E0BCA1B7363D83B36A3CAE1A90BD0581AF3DAB3D963DDE6AD33CC375DABDACD6623DC55FA03DA663063D6C973ABD597F013CD67039BD823AE33D6B0FE93D560361BCC362A2BDE9FA8D3DEC5E763DA2E07F3D829CB5BDE2AE233D0A004EBDAB24D4BD1689A8BD9FA04C3D2CB8343D38D5D3BD7FDE883D63F0B83DF538B73D1B48883DA08D97BCFBB9A13D85F4BC3DD0A17B3DFE98ADBDDC7828BD8A35BF3DA801B83D92019A3DCEC149BDF733BFBC9AD0B3BD018D89BD8246B93D3B1AC6BD7095EEBC9CEECC3C85D190BD3B0BE13CBD329BBCEA0C413D0C37B9BDF23B853C9F0DDCBDC4BC953DF472EA3DFB4A2CBD5FC28E3C92B378BDD3649ABDBA7974BD2AF765BDD442B73C96545DBCB962073C04F6B8BD02A397BD15F3D0BDB279ADBD421ECA3D7C57333D172FE6BDAA22A1BCC1F61A3CA3F0803D90D9DF3D2321E93C9105AA3DC0C52BBDA25B7CBB4DB391BD7268DE3CB3C9DE3D8391973D052CF03DE88159BD739871BCD624C73CCE0BC23D02DEDDBD79116DBDF70B8C3CA7818BBD1553343D1EA303BCEE2BFABC6371813D177EAC3D6AC4EA3D3D985A3D833753BB3A56C53D7B15C03D51ED71BD84E05B3D1F41623C099E50BD3EEAE5BC9EF8E3BC90E5A8BDE34D13BD2F70223D9B2FB13D6EAB123C88BBE9BD54A77F3D311012BDC98BD73D7238E9BD47E1E1BCEE2DBB3D07D3503D02D570BD9EFED0BD9BE8A5BAB97A3A3D2A60C8BD5BF8C9BDD973C2BAC5FFC5BCA7219B3D75DCE9BDB88E99BC4009BBBD739D8CBCBAA176BDE0EB173D03E9C9BD2BDEBDBD16F888BD2A64D3BDBA5C983D1A2A8ABC8A1886BD9120A93D",
      torch_tensor_8_torch.float32_7: "0x040000000000000000000000000000000000000000000000000000000000000000000000",
      torch_tensor_8_torch.float32_6: "0x040000000000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F",
      torch_tensor_8_torch.float32_5: "0x040000006811743F21380D3FF67D073F8612083F6078BD3F9A9EB23F1063993F87D95F3F",
      torch_tensor_8_torch.float32_4: "0x040000009FFC1E3F3DEB39BC9A45063F6C0855BF3CFE653FE59DC93FDD91E23E34B0C9BE",
      torch_tensor_8_4_1_1_torch.float32: "0x040000006052E8BD9866843EF0B61EBEA62ED6BE00E6E03DB2689F3EB09BF9BE7030553D3818CC3D600F6B3DC0B74ABC18271FBEF2BDC6BE1005A73DF8EEABBEF684D3BE0C6124BE143FAFBE9CED1C3E6459B63E98F4C63EA6AC9EBEFC918B3EC0EAB53E80CAB73BC801583EFADA903EB8E0C33E8EFA883E708B5A3E445442BECEBA8EBE",
      torch_tensor_8_torch.float32_3: "0x040000000000000000000000000000000000000000000000000000000000000000000000",
      torch_tensor_8_torch.float32_2: "0x040000000000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F",
      torch_tensor_8_torch.float32_1: "0x0400000038B8A33F396FB83F93D48F3F0E0CB03F661BBB3F39AF8C3F63EB653F1FF45C3F",
      torch_tensor_8_torch.float32: "0x04000000DB594D3ED1B81B3E34A37FBE3AAF00409F1B5D3F46211C3F4E5395BFFA628E3F",
      torch_tensor_8_4_3_3_torch.float32: "0x0400000063E0AF3D38A896BDC05704BD1636A03D02AC20BE18B4CC3D1B710CBDB8A6AD3DF6CDBD3C562DA7BC56583D3D6BB5063C4054793D980485BDEB1647BCABD575BC96E5C53C56892EBAEE30153E6B70543DB63A7EBDF326CEBDEBD9E4BC203B93BD70C25ABDABBF023C707ACB3DF686B93DDAD526BE7B99D33D60B63E3D06E3213EE84CE13D37801BBE744522BED3A2A4BD4ADD153E166CE3BCAB13923D1B9F9EBD1276273EE86A90BD6EF9FF3DAB57013B03D2B3BD4E73AF3DC62FB5BD86C6483DFB1F45BD00B095BCB01324BED3BDA2BD1638B93DD6F025BD12FE293EEFCD083E2BB8FFBB90D5E3BDEEDBCF3DD6DE533D06A5DCBD13B6DD3D5E39CF3D085D173E7356BFBDF6BDE0BCAB9753BBCB6AC73CA68501BEC037F2BDD8AFB93D701420BD76BBA63DD6AC1B3C6B26603D561C163D9B37783DDE33A93D740E1EBE86CFAB3DD8FFEFBD00C500BE5610263CA0A9E8BC2879C83DA6ADC5BD37B817BE6869F83D4074CABC43FCBF3D80775B3D1BF5FFBD8625093D66F9233DEE8AE4BD06F4A1BDD0C5683DE08FF43CA03191BD70A74EBD874F1C3EA09DFCBCDE70C03D66CC933DEBA3DCBDD62311BE2ED2233E2B960E3C3EF8E93D50780D3DA68F5B3D3EF6FE3D22D4213E9880E2BDCBB4AA3CF6B8FE3D1B46F73DA60CD43D8607F7BDABCBF5BDC06DCEBD4B86AB3CF4182A3EA89CD7BDD8E3B53D88ECBCBDA77620BE001811BD96AAC43D52711E3E33FBD3BD7625143DF042133E8E2FE23D10BAD43D0690F23D20E6D73D9054303D1E69E9BD9C510FBEEE679CBDCBFC9EBC9638D1BD90C1793DEB46533D70941ABD3630833DA0A05C3DB665D03D68DEE53DDB2F67BDE7BE263ED6D79DBC2BA1BBBBC01621BE0BB0DBBD7B68C7BD00FF91BD78ADF23D20155FBD6E12FFBDF653833DB0915A3D1314DD3D68A1B0BD2B03143D768678BDC06019BDE60108BE00919BBD6B1251BD58F7913D966EF93C40A1283DE2572A3E2056263E30CEE83D80E8AD3BA821ECBDAE60053EC0B52ABD00C35CBC770713BEA0D806BDE627DCBD9ED31C3E808B13BE1F0805BE5672B9BB7090B8BD2044743D506383BDEE51A0BD96A81A3C2B17F73D1B1AF0BDD34AA03D6349DB3D17F2263EE6E8EEBDC055253D1B64FCBDEBB4113EC66784BD639ACD3D8097A23BEBAB54BC5642AEBB6019E83C38E7A03DD6F8DA3C3640503DD68419BE93ACF83D52CC143EF6120D3E4352FC3D1E51F6BD86107DBD2B7B163E5FFD01BE1AD51A3E8A3A06BE2870F0BDD0DEA63D883EF5BD40661CBD3651F83DE42E073EB368213E66860ABD0BA704BE4F0A283E066D11BDC06F8CBD906A263DE8B3EEBD065AE03DBEECD53DBA6B07BE4F2E0CBE56326FBC635E8F3D002C9EBB1E15ADBD00B8793B446A20BEB83DF1BDD338E3BD978C0C3E9471163E10E167BD56F1F43B263A983D3697A33C6EECAABD2BDCC43D4BD4D13DD6411EBC7613A8BCAF171B3E462F153E5087C1BD68FA263EF6F0283D00BCE2BDA3D9BA3DAED4FEBD0FAF1D3EA36FDBBDC613413D46DF4F3DB060223D038E0D3ECBC58DBDCE1990BD16E513BEAB21E0BB56B2A1BDD6D4DA3B16F20BBD2681623DC3A3133EA670493D16EA5BBDB07DA7BDF3D814BE609B0F3E"
    }
  }
#-}
