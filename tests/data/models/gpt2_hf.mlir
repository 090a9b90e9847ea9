#map = affine_map<(d0, d1, d2) -> (d0, d1)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0) -> (d0)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1, d2, d3) -> (0, 0, 0, 0)>
#map5 = affine_map<(d0, d1, d2, d3) -> (0, 0, d2, 0)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map7 = affine_map<(d0, d1, d2, d3) -> (0, 0, 0, d3)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map10 = affine_map<(d0, d1, d2, d3) -> ()>
#map11 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map12 = affine_map<(d0, d1, d2) -> (d2)>
#map13 = affine_map<(d0, d1) -> (d1)>
#map14 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map15 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
module {
  func.func @forward(%arg0: tensor<1x12xi64>) -> tensor<1x12x32xf32> {
    %c0_i64 = arith.constant 0 : i64
    %c3_i64 = arith.constant 3 : i64
    %c1_i64 = arith.constant 1 : i64
    %c12_i64 = arith.constant 12 : i64
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %cst = arith.constant 0.000000e+00 : f64
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant 0xFF800000 : f32
    %cst_2 = arith.constant dense<-3.40282347E+38> : tensor<f32>
    %cst_3 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_4 = arith.constant dense<true> : tensor<i1>
    %cst_5 = arith.constant dense_resource<torch_tensor_16_torch.float32_7> : tensor<16xf32>
    %cst_6 = arith.constant dense_resource<torch_tensor_16_torch.float32_6> : tensor<16xf32>
    %cst_7 = arith.constant dense_resource<torch_tensor_16_torch.float32_5> : tensor<16xf32>
    %cst_8 = arith.constant dense_resource<torch_tensor_64_16_torch.float32> : tensor<64x16xf32>
    %cst_9 = arith.constant 0.79788456080286541 : f64
    %cst_10 = arith.constant 4.471500e-02 : f64
    %cst_11 = arith.constant dense_resource<torch_tensor_64_torch.float32> : tensor<64xf32>
    %cst_12 = arith.constant dense_resource<torch_tensor_16_64_torch.float32> : tensor<16x64xf32>
    %cst_13 = arith.constant dense_resource<torch_tensor_16_torch.float32_4> : tensor<16xf32>
    %cst_14 = arith.constant dense_resource<torch_tensor_16_torch.float32_3> : tensor<16xf32>
    %cst_15 = arith.constant dense_resource<torch_tensor_16_torch.float32_2> : tensor<16xf32>
    %cst_16 = arith.constant dense_resource<torch_tensor_16_16_torch.float32_1> : tensor<16x16xf32>
    %cst_17 = arith.constant 0.35355339059327379 : f64
    %cst_18 = arith.constant dense_resource<torch_tensor_48_torch.float32> : tensor<48xf32>
    %cst_19 = arith.constant dense_resource<torch_tensor_16_48_torch.float32> : tensor<16x48xf32>
    %cst_20 = arith.constant dense_resource<torch_tensor_16_torch.float32_1> : tensor<16xf32>
    %cst_21 = arith.constant dense_resource<torch_tensor_16_torch.float32> : tensor<16xf32>
    %cst_22 = arith.constant 1.000000e-05 : f64
    %cst_23 = arith.constant dense_resource<torch_tensor_16_16_torch.float32> : tensor<16x16xf32>
    %cst_24 = arith.constant dense_resource<torch_tensor_32_16_torch.float32> : tensor<32x16xf32>
    %cst_25 = arith.constant 1.600000e+01 : f64
    %cst_26 = arith.constant 1.600000e+01 : f32
    %cst_27 = arith.constant 5.000000e-01 : f32
    %cst_28 = arith.constant 1.000000e+00 : f32
    %0 = tensor.empty() : tensor<1x12x16xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x12xi64>) outs(%0 : tensor<1x12x16xf32>) {
    ^bb0(%in: i64, %out: f32):
      %136 = arith.index_cast %in : i64 to index
      %137 = linalg.index 2 : index
      %138 = arith.cmpi slt, %136, %c32 : index
      cf.assert %138, "index must be smaller than dim size"
      %139 = arith.cmpi sge, %in, %c0_i64 : i64
      cf.assert %139, "index must be larger or equal to 0"
      %extracted = tensor.extract %cst_24[%136, %137] : tensor<32x16xf32>
      linalg.yield %extracted : f32
    } -> tensor<1x12x16xf32>
    %2 = tensor.empty() : tensor<12xi64>
    %3 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel"]} outs(%2 : tensor<12xi64>) {
    ^bb0(%out: i64):
      %136 = linalg.index 0 : index
      %137 = arith.index_cast %136 : index to i64
      linalg.yield %137 : i64
    } -> tensor<12xi64>
    %expanded = tensor.expand_shape %3 [[0, 1]] output_shape [1, 12] : tensor<12xi64> into tensor<1x12xi64>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded : tensor<1x12xi64>) outs(%0 : tensor<1x12x16xf32>) {
    ^bb0(%in: i64, %out: f32):
      %136 = arith.index_cast %in : i64 to index
      %137 = linalg.index 2 : index
      %138 = arith.cmpi slt, %136, %c16 : index
      cf.assert %138, "index must be smaller than dim size"
      %139 = arith.cmpi sge, %in, %c0_i64 : i64
      cf.assert %139, "index must be larger or equal to 0"
      %extracted = tensor.extract %cst_23[%136, %137] : tensor<16x16xf32>
      linalg.yield %extracted : f32
    } -> tensor<1x12x16xf32>
    %5 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %4 : tensor<1x12x16xf32>, tensor<1x12x16xf32>) outs(%0 : tensor<1x12x16xf32>) {
    ^bb0(%in: f32, %in_60: f32, %out: f32):
      %136 = arith.addf %in, %in_60 : f32
      linalg.yield %136 : f32
    } -> tensor<1x12x16xf32>
    %extracted_slice = tensor.extract_slice %expanded[0, 0] [1, 1] [1, 1] : tensor<1x12xi64> to tensor<1x1xi64>
    %6 = tensor.empty() : tensor<1x1xi64>
    %7 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice : tensor<1x1xi64>) outs(%6 : tensor<1x1xi64>) {
    ^bb0(%in: i64, %out: i64):
      %136 = arith.subi %in, %c1_i64 : i64
      linalg.yield %136 : i64
    } -> tensor<1x1xi64>
    %concat = tensor.concat dim(1) %7, %expanded : (tensor<1x1xi64>, tensor<1x12xi64>) -> tensor<1x13xi64>
    %extracted_slice_29 = tensor.extract_slice %concat[0, 0] [1, 12] [1, 1] : tensor<1x13xi64> to tensor<1x12xi64>
    %extracted_slice_30 = tensor.extract_slice %concat[0, 1] [1, 12] [1, 1] : tensor<1x13xi64> to tensor<1x12xi64>
    %8 = tensor.empty() : tensor<1x12xi64>
    %9 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice_30, %extracted_slice_29 : tensor<1x12xi64>, tensor<1x12xi64>) outs(%8 : tensor<1x12xi64>) {
    ^bb0(%in: i64, %in_60: i64, %out: i64):
      %136 = arith.subi %in, %in_60 : i64
      linalg.yield %136 : i64
    } -> tensor<1x12xi64>
    %10 = tensor.empty() : tensor<1x12xi1>
    %11 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%9 : tensor<1x12xi64>) outs(%10 : tensor<1x12xi1>) {
    ^bb0(%in: i64, %out: i1):
      %136 = arith.cmpi ne, %in, %c1_i64 : i64
      linalg.yield %136 : i1
    } -> tensor<1x12xi1>
    %12 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%11 : tensor<1x12xi1>) outs(%8 : tensor<1x12xi64>) {
    ^bb0(%in: i1, %out: i64):
      %136 = arith.extui %in : i1 to i64
      linalg.yield %136 : i64
    } -> tensor<1x12xi64>
    %13 = linalg.fill ins(%c0_i64 : i64) outs(%8 : tensor<1x12xi64>) -> tensor<1x12xi64>
    %14 = tensor.empty() : tensor<1xi64>
    %15 = linalg.fill ins(%c0_i64 : i64) outs(%14 : tensor<1xi64>) -> tensor<1xi64>
    %16:2 = tm_tensor.scan dimension(1) inclusive(true) ins(%12 : tensor<1x12xi64>) outs(%13, %15 : tensor<1x12xi64>, tensor<1xi64>) {
    ^bb0(%arg1: i64, %arg2: i64):
      %136 = arith.addi %arg1, %arg2 : i64
      tm_tensor.yield %136 : i64
    } -> tensor<1x12xi64>, tensor<1xi64>
    %17 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel"]} outs(%14 : tensor<1xi64>) {
    ^bb0(%out: i64):
      linalg.yield %c0_i64 : i64
    } -> tensor<1xi64>
    %expanded_31 = tensor.expand_shape %17 [[0, 1, 2, 3]] output_shape [1, 1, 1, 1] : tensor<1xi64> into tensor<1x1x1x1xi64>
    %expanded_32 = tensor.expand_shape %3 [[0, 1, 2, 3]] output_shape [1, 1, 12, 1] : tensor<12xi64> into tensor<1x1x12x1xi64>
    %expanded_33 = tensor.expand_shape %3 [[0, 1, 2, 3]] output_shape [1, 1, 1, 12] : tensor<12xi64> into tensor<1x1x1x12xi64>
    %18 = tensor.empty() : tensor<1x1x12x1xi64>
    %19 = linalg.generic {indexing_maps = [#map4, #map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_31, %expanded_32 : tensor<1x1x1x1xi64>, tensor<1x1x12x1xi64>) outs(%18 : tensor<1x1x12x1xi64>) {
    ^bb0(%in: i64, %in_60: i64, %out: i64):
      %136 = arith.cmpi slt, %in, %c0_i64 : i64
      %137 = arith.addi %in, %c1_i64 : i64
      %138 = arith.select %136, %137, %in : i64
      %139 = arith.index_cast %138 : i64 to index
      %140 = arith.cmpi slt, %in_60, %c0_i64 : i64
      %141 = arith.addi %in_60, %c12_i64 : i64
      %142 = arith.select %140, %141, %in_60 : i64
      %143 = arith.index_cast %142 : i64 to index
      %extracted = tensor.extract %expanded[%139, %143] : tensor<1x12xi64>
      linalg.yield %extracted : i64
    } -> tensor<1x1x12x1xi64>
    %20 = tensor.empty() : tensor<1x1x1x12xi64>
    %21 = linalg.generic {indexing_maps = [#map4, #map7, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_31, %expanded_33 : tensor<1x1x1x1xi64>, tensor<1x1x1x12xi64>) outs(%20 : tensor<1x1x1x12xi64>) {
    ^bb0(%in: i64, %in_60: i64, %out: i64):
      %136 = arith.cmpi slt, %in, %c0_i64 : i64
      %137 = arith.addi %in, %c1_i64 : i64
      %138 = arith.select %136, %137, %in : i64
      %139 = arith.index_cast %138 : i64 to index
      %140 = arith.cmpi slt, %in_60, %c0_i64 : i64
      %141 = arith.addi %in_60, %c12_i64 : i64
      %142 = arith.select %140, %141, %in_60 : i64
      %143 = arith.index_cast %142 : i64 to index
      %extracted = tensor.extract %expanded[%139, %143] : tensor<1x12xi64>
      linalg.yield %extracted : i64
    } -> tensor<1x1x1x12xi64>
    %22 = tensor.empty() : tensor<1x1x12x12xi1>
    %23 = linalg.generic {indexing_maps = [#map8, #map9, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%21, %19 : tensor<1x1x1x12xi64>, tensor<1x1x12x1xi64>) outs(%22 : tensor<1x1x12x12xi1>) {
    ^bb0(%in: i64, %in_60: i64, %out: i1):
      %136 = arith.cmpi sle, %in, %in_60 : i64
      linalg.yield %136 : i1
    } -> tensor<1x1x12x12xi1>
    %24 = linalg.generic {indexing_maps = [#map10, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_4, %23 : tensor<i1>, tensor<1x1x12x12xi1>) outs(%22 : tensor<1x1x12x12xi1>) {
    ^bb0(%in: i1, %in_60: i1, %out: i1):
      %136 = arith.andi %in, %in_60 : i1
      linalg.yield %136 : i1
    } -> tensor<1x1x12x12xi1>
    %25 = linalg.generic {indexing_maps = [#map4, #map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_31, %expanded_32 : tensor<1x1x1x1xi64>, tensor<1x1x12x1xi64>) outs(%18 : tensor<1x1x12x1xi64>) {
    ^bb0(%in: i64, %in_60: i64, %out: i64):
      %136 = arith.cmpi slt, %in, %c0_i64 : i64
      %137 = arith.addi %in, %c1_i64 : i64
      %138 = arith.select %136, %137, %in : i64
      %139 = arith.index_cast %138 : i64 to index
      %140 = arith.cmpi slt, %in_60, %c0_i64 : i64
      %141 = arith.addi %in_60, %c12_i64 : i64
      %142 = arith.select %140, %141, %in_60 : i64
      %143 = arith.index_cast %142 : i64 to index
      %extracted = tensor.extract %16#0[%139, %143] : tensor<1x12xi64>
      linalg.yield %extracted : i64
    } -> tensor<1x1x12x1xi64>
    %26 = linalg.generic {indexing_maps = [#map4, #map7, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_31, %expanded_33 : tensor<1x1x1x1xi64>, tensor<1x1x1x12xi64>) outs(%20 : tensor<1x1x1x12xi64>) {
    ^bb0(%in: i64, %in_60: i64, %out: i64):
      %136 = arith.cmpi slt, %in, %c0_i64 : i64
      %137 = arith.addi %in, %c1_i64 : i64
      %138 = arith.select %136, %137, %in : i64
      %139 = arith.index_cast %138 : i64 to index
      %140 = arith.cmpi slt, %in_60, %c0_i64 : i64
      %141 = arith.addi %in_60, %c12_i64 : i64
      %142 = arith.select %140, %141, %in_60 : i64
      %143 = arith.index_cast %142 : i64 to index
      %extracted = tensor.extract %16#0[%139, %143] : tensor<1x12xi64>
      linalg.yield %extracted : i64
    } -> tensor<1x1x1x12xi64>
    %27 = linalg.generic {indexing_maps = [#map9, #map8, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%25, %26 : tensor<1x1x12x1xi64>, tensor<1x1x1x12xi64>) outs(%22 : tensor<1x1x12x12xi1>) {
    ^bb0(%in: i64, %in_60: i64, %out: i1):
      %136 = arith.cmpi eq, %in, %in_60 : i64
      linalg.yield %136 : i1
    } -> tensor<1x1x12x12xi1>
    %28 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24, %27 : tensor<1x1x12x12xi1>, tensor<1x1x12x12xi1>) outs(%22 : tensor<1x1x12x12xi1>) {
    ^bb0(%in: i1, %in_60: i1, %out: i1):
      %136 = arith.andi %in, %in_60 : i1
      linalg.yield %136 : i1
    } -> tensor<1x1x12x12xi1>
    %29 = tensor.empty() : tensor<1x1x12x12xf32>
    %30 = linalg.generic {indexing_maps = [#map6, #map10, #map10, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%28, %cst_3, %cst_2 : tensor<1x1x12x12xi1>, tensor<f32>, tensor<f32>) outs(%29 : tensor<1x1x12x12xf32>) {
    ^bb0(%in: i1, %in_60: f32, %in_61: f32, %out: f32):
      %136 = arith.select %in, %in_60, %in_61 : f32
      linalg.yield %136 : f32
    } -> tensor<1x1x12x12xf32>
    %31 = tensor.empty() : tensor<1x12x16xf64>
    %32 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5 : tensor<1x12x16xf32>) outs(%31 : tensor<1x12x16xf64>) {
    ^bb0(%in: f32, %out: f64):
      %136 = arith.extf %in : f32 to f64
      linalg.yield %136 : f64
    } -> tensor<1x12x16xf64>
    %33 = tensor.empty() : tensor<1x12x1xf64>
    %34 = linalg.fill ins(%cst : f64) outs(%33 : tensor<1x12x1xf64>) -> tensor<1x12x1xf64>
    %35 = linalg.generic {indexing_maps = [#map1, #map11], iterator_types = ["parallel", "parallel", "reduction"]} ins(%32 : tensor<1x12x16xf64>) outs(%34 : tensor<1x12x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %136 = arith.addf %in, %out : f64
      linalg.yield %136 : f64
    } -> tensor<1x12x1xf64>
    %36 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%35 : tensor<1x12x1xf64>) outs(%33 : tensor<1x12x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %136 = arith.divf %in, %cst_25 : f64
      linalg.yield %136 : f64
    } -> tensor<1x12x1xf64>
    %37 = linalg.generic {indexing_maps = [#map1, #map11, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%32, %36 : tensor<1x12x16xf64>, tensor<1x12x1xf64>) outs(%31 : tensor<1x12x16xf64>) {
    ^bb0(%in: f64, %in_60: f64, %out: f64):
      %136 = arith.subf %in, %in_60 : f64
      linalg.yield %136 : f64
    } -> tensor<1x12x16xf64>
    %38 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%37, %37 : tensor<1x12x16xf64>, tensor<1x12x16xf64>) outs(%31 : tensor<1x12x16xf64>) {
    ^bb0(%in: f64, %in_60: f64, %out: f64):
      %136 = arith.mulf %in, %in_60 : f64
      linalg.yield %136 : f64
    } -> tensor<1x12x16xf64>
    %39 = linalg.generic {indexing_maps = [#map1, #map11], iterator_types = ["parallel", "parallel", "reduction"]} ins(%38 : tensor<1x12x16xf64>) outs(%34 : tensor<1x12x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %136 = arith.addf %in, %out : f64
      linalg.yield %136 : f64
    } -> tensor<1x12x1xf64>
    %40 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%39 : tensor<1x12x1xf64>) outs(%33 : tensor<1x12x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %136 = arith.divf %in, %cst_25 : f64
      linalg.yield %136 : f64
    } -> tensor<1x12x1xf64>
    %41 = tensor.empty() : tensor<1x12x1xf32>
    %42 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%40 : tensor<1x12x1xf64>) outs(%41 : tensor<1x12x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %136 = arith.truncf %in : f64 to f32
      linalg.yield %136 : f32
    } -> tensor<1x12x1xf32>
    %43 = linalg.fill ins(%cst_0 : f32) outs(%41 : tensor<1x12x1xf32>) -> tensor<1x12x1xf32>
    %44 = linalg.generic {indexing_maps = [#map1, #map11], iterator_types = ["parallel", "parallel", "reduction"]} ins(%5 : tensor<1x12x16xf32>) outs(%43 : tensor<1x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %136 = arith.addf %in, %out : f32
      linalg.yield %136 : f32
    } -> tensor<1x12x1xf32>
    %45 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%44 : tensor<1x12x1xf32>) outs(%41 : tensor<1x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %136 = arith.divf %in, %cst_26 : f32
      linalg.yield %136 : f32
    } -> tensor<1x12x1xf32>
    %46 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%42 : tensor<1x12x1xf32>) outs(%41 : tensor<1x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %136 = arith.truncf %cst_22 : f64 to f32
      %137 = arith.addf %in, %136 : f32
      linalg.yield %137 : f32
    } -> tensor<1x12x1xf32>
    %47 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%46 : tensor<1x12x1xf32>) outs(%41 : tensor<1x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %136 = math.rsqrt %in : f32
      linalg.yield %136 : f32
    } -> tensor<1x12x1xf32>
    %48 = linalg.generic {indexing_maps = [#map1, #map11, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5, %45 : tensor<1x12x16xf32>, tensor<1x12x1xf32>) outs(%0 : tensor<1x12x16xf32>) {
    ^bb0(%in: f32, %in_60: f32, %out: f32):
      %136 = arith.subf %in, %in_60 : f32
      linalg.yield %136 : f32
    } -> tensor<1x12x16xf32>
    %49 = linalg.generic {indexing_maps = [#map1, #map11, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%48, %47 : tensor<1x12x16xf32>, tensor<1x12x1xf32>) outs(%0 : tensor<1x12x16xf32>) {
    ^bb0(%in: f32, %in_60: f32, %out: f32):
      %136 = arith.mulf %in, %in_60 : f32
      linalg.yield %136 : f32
    } -> tensor<1x12x16xf32>
    %50 = linalg.generic {indexing_maps = [#map1, #map12, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%49, %cst_21 : tensor<1x12x16xf32>, tensor<16xf32>) outs(%0 : tensor<1x12x16xf32>) {
    ^bb0(%in: f32, %in_60: f32, %out: f32):
      %136 = arith.mulf %in, %in_60 : f32
      linalg.yield %136 : f32
    } -> tensor<1x12x16xf32>
    %51 = linalg.generic {indexing_maps = [#map1, #map12, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%50, %cst_20 : tensor<1x12x16xf32>, tensor<16xf32>) outs(%0 : tensor<1x12x16xf32>) {
    ^bb0(%in: f32, %in_60: f32, %out: f32):
      %136 = arith.addf %in, %in_60 : f32
      linalg.yield %136 : f32
    } -> tensor<1x12x16xf32>
    %collapsed = tensor.collapse_shape %51 [[0, 1], [2]] : tensor<1x12x16xf32> into tensor<12x16xf32>
    %52 = tensor.empty() : tensor<12x48xf32>
    %53 = linalg.fill ins(%cst_0 : f32) outs(%52 : tensor<12x48xf32>) -> tensor<12x48xf32>
    %54 = linalg.matmul ins(%collapsed, %cst_19 : tensor<12x16xf32>, tensor<16x48xf32>) outs(%53 : tensor<12x48xf32>) -> tensor<12x48xf32>
    %55 = linalg.generic {indexing_maps = [#map3, #map13, #map3], iterator_types = ["parallel", "parallel"]} ins(%54, %cst_18 : tensor<12x48xf32>, tensor<48xf32>) outs(%52 : tensor<12x48xf32>) {
    ^bb0(%in: f32, %in_60: f32, %out: f32):
      %136 = arith.addf %in, %in_60 : f32
      linalg.yield %136 : f32
    } -> tensor<12x48xf32>
    %expanded_34 = tensor.expand_shape %55 [[0, 1], [2]] output_shape [1, 12, 48] : tensor<12x48xf32> into tensor<1x12x48xf32>
    %extracted_slice_35 = tensor.extract_slice %expanded_34[0, 0, 0] [1, 12, 16] [1, 1, 1] : tensor<1x12x48xf32> to tensor<1x12x16xf32>
    %extracted_slice_36 = tensor.extract_slice %expanded_34[0, 0, 16] [1, 12, 16] [1, 1, 1] : tensor<1x12x48xf32> to tensor<1x12x16xf32>
    %extracted_slice_37 = tensor.extract_slice %expanded_34[0, 0, 32] [1, 12, 16] [1, 1, 1] : tensor<1x12x48xf32> to tensor<1x12x16xf32>
    %expanded_38 = tensor.expand_shape %extracted_slice_36 [[0], [1], [2, 3]] output_shape [1, 12, 2, 8] : tensor<1x12x16xf32> into tensor<1x12x2x8xf32>
    %expanded_39 = tensor.expand_shape %extracted_slice_37 [[0], [1], [2, 3]] output_shape [1, 12, 2, 8] : tensor<1x12x16xf32> into tensor<1x12x2x8xf32>
    %56 = tensor.empty() : tensor<1x2x12x8xf32>
    %transposed = linalg.transpose ins(%expanded_39 : tensor<1x12x2x8xf32>) outs(%56 : tensor<1x2x12x8xf32>) permutation = [0, 2, 1, 3] 
    %expanded_40 = tensor.expand_shape %extracted_slice_35 [[0], [1], [2, 3]] output_shape [1, 12, 2, 8] : tensor<1x12x16xf32> into tensor<1x12x2x8xf32>
    %transposed_41 = linalg.transpose ins(%expanded_40 : tensor<1x12x2x8xf32>) outs(%56 : tensor<1x2x12x8xf32>) permutation = [0, 2, 1, 3] 
    %57 = tensor.empty() : tensor<1x2x8x12xf32>
    %transposed_42 = linalg.transpose ins(%expanded_38 : tensor<1x12x2x8xf32>) outs(%57 : tensor<1x2x8x12xf32>) permutation = [0, 2, 3, 1] 
    %collapsed_43 = tensor.collapse_shape %transposed_41 [[0, 1], [2], [3]] : tensor<1x2x12x8xf32> into tensor<2x12x8xf32>
    %collapsed_44 = tensor.collapse_shape %transposed_42 [[0, 1], [2], [3]] : tensor<1x2x8x12xf32> into tensor<2x8x12xf32>
    %58 = tensor.empty() : tensor<2x12x12xf32>
    %59 = linalg.fill ins(%cst_0 : f32) outs(%58 : tensor<2x12x12xf32>) -> tensor<2x12x12xf32>
    %60 = linalg.batch_matmul ins(%collapsed_43, %collapsed_44 : tensor<2x12x8xf32>, tensor<2x8x12xf32>) outs(%59 : tensor<2x12x12xf32>) -> tensor<2x12x12xf32>
    %expanded_45 = tensor.expand_shape %60 [[0, 1], [2], [3]] output_shape [1, 2, 12, 12] : tensor<2x12x12xf32> into tensor<1x2x12x12xf32>
    %61 = tensor.empty() : tensor<1x2x12x12xf32>
    %62 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_45 : tensor<1x2x12x12xf32>) outs(%61 : tensor<1x2x12x12xf32>) {
    ^bb0(%in: f32, %out: f32):
      %136 = arith.truncf %cst_17 : f64 to f32
      %137 = arith.mulf %in, %136 : f32
      linalg.yield %137 : f32
    } -> tensor<1x2x12x12xf32>
    %63 = linalg.generic {indexing_maps = [#map6, #map14, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%62, %30 : tensor<1x2x12x12xf32>, tensor<1x1x12x12xf32>) outs(%61 : tensor<1x2x12x12xf32>) {
    ^bb0(%in: f32, %in_60: f32, %out: f32):
      %136 = arith.addf %in, %in_60 : f32
      linalg.yield %136 : f32
    } -> tensor<1x2x12x12xf32>
    %64 = tensor.empty() : tensor<1x2x12xi64>
    %65 = linalg.fill ins(%c0_i64 : i64) outs(%64 : tensor<1x2x12xi64>) -> tensor<1x2x12xi64>
    %66 = tensor.empty() : tensor<1x2x12xf32>
    %67 = linalg.fill ins(%cst_1 : f32) outs(%66 : tensor<1x2x12xf32>) -> tensor<1x2x12xf32>
    %68:2 = linalg.generic {indexing_maps = [#map6, #map15, #map15], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%63 : tensor<1x2x12x12xf32>) outs(%67, %65 : tensor<1x2x12xf32>, tensor<1x2x12xi64>) {
    ^bb0(%in: f32, %out: f32, %out_60: i64):
      %136 = linalg.index 3 : index
      %137 = arith.index_cast %136 : index to i64
      %138 = arith.maximumf %in, %out : f32
      %139 = arith.cmpf ogt, %in, %out : f32
      %140 = arith.select %139, %137, %out_60 : i64
      linalg.yield %138, %140 : f32, i64
    } -> (tensor<1x2x12xf32>, tensor<1x2x12xi64>)
    %expanded_46 = tensor.expand_shape %68#0 [[0], [1], [2, 3]] output_shape [1, 2, 12, 1] : tensor<1x2x12xf32> into tensor<1x2x12x1xf32>
    %69 = linalg.generic {indexing_maps = [#map6, #map9, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%63, %expanded_46 : tensor<1x2x12x12xf32>, tensor<1x2x12x1xf32>) outs(%61 : tensor<1x2x12x12xf32>) {
    ^bb0(%in: f32, %in_60: f32, %out: f32):
      %136 = arith.subf %in, %in_60 : f32
      linalg.yield %136 : f32
    } -> tensor<1x2x12x12xf32>
    %70 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%69 : tensor<1x2x12x12xf32>) outs(%61 : tensor<1x2x12x12xf32>) {
    ^bb0(%in: f32, %out: f32):
      %136 = math.exp %in : f32
      linalg.yield %136 : f32
    } -> tensor<1x2x12x12xf32>
    %71 = tensor.empty() : tensor<1x2x12x1xf32>
    %72 = linalg.fill ins(%cst_0 : f32) outs(%71 : tensor<1x2x12x1xf32>) -> tensor<1x2x12x1xf32>
    %73 = linalg.generic {indexing_maps = [#map6, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%70 : tensor<1x2x12x12xf32>) outs(%72 : tensor<1x2x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %136 = arith.addf %in, %out : f32
      linalg.yield %136 : f32
    } -> tensor<1x2x12x1xf32>
    %74 = linalg.generic {indexing_maps = [#map6, #map9, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%70, %73 : tensor<1x2x12x12xf32>, tensor<1x2x12x1xf32>) outs(%61 : tensor<1x2x12x12xf32>) {
    ^bb0(%in: f32, %in_60: f32, %out: f32):
      %136 = arith.divf %in, %in_60 : f32
      linalg.yield %136 : f32
    } -> tensor<1x2x12x12xf32>
    %collapsed_47 = tensor.collapse_shape %74 [[0, 1], [2], [3]] : tensor<1x2x12x12xf32> into tensor<2x12x12xf32>
    %collapsed_48 = tensor.collapse_shape %transposed [[0, 1], [2], [3]] : tensor<1x2x12x8xf32> into tensor<2x12x8xf32>
    %75 = tensor.empty() : tensor<2x12x8xf32>
    %76 = linalg.fill ins(%cst_0 : f32) outs(%75 : tensor<2x12x8xf32>) -> tensor<2x12x8xf32>
    %77 = linalg.batch_matmul ins(%collapsed_47, %collapsed_48 : tensor<2x12x12xf32>, tensor<2x12x8xf32>) outs(%76 : tensor<2x12x8xf32>) -> tensor<2x12x8xf32>
    %expanded_49 = tensor.expand_shape %77 [[0, 1], [2], [3]] output_shape [1, 2, 12, 8] : tensor<2x12x8xf32> into tensor<1x2x12x8xf32>
    %78 = tensor.empty() : tensor<1x12x2x8xf32>
    %transposed_50 = linalg.transpose ins(%expanded_49 : tensor<1x2x12x8xf32>) outs(%78 : tensor<1x12x2x8xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_51 = tensor.collapse_shape %transposed_50 [[0, 1], [2, 3]] : tensor<1x12x2x8xf32> into tensor<12x16xf32>
    %79 = tensor.empty() : tensor<12x16xf32>
    %80 = linalg.fill ins(%cst_0 : f32) outs(%79 : tensor<12x16xf32>) -> tensor<12x16xf32>
    %81 = linalg.matmul ins(%collapsed_51, %cst_16 : tensor<12x16xf32>, tensor<16x16xf32>) outs(%80 : tensor<12x16xf32>) -> tensor<12x16xf32>
    %82 = linalg.generic {indexing_maps = [#map3, #map13, #map3], iterator_types = ["parallel", "parallel"]} ins(%81, %cst_15 : tensor<12x16xf32>, tensor<16xf32>) outs(%79 : tensor<12x16xf32>) {
    ^bb0(%in: f32, %in_60: f32, %out: f32):
      %136 = arith.addf %in, %in_60 : f32
      linalg.yield %136 : f32
    } -> tensor<12x16xf32>
    %expanded_52 = tensor.expand_shape %82 [[0, 1], [2]] output_shape [1, 12, 16] : tensor<12x16xf32> into tensor<1x12x16xf32>
    %83 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_52, %5 : tensor<1x12x16xf32>, tensor<1x12x16xf32>) outs(%0 : tensor<1x12x16xf32>) {
    ^bb0(%in: f32, %in_60: f32, %out: f32):
      %136 = arith.addf %in, %in_60 : f32
      linalg.yield %136 : f32
    } -> tensor<1x12x16xf32>
    %84 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%83 : tensor<1x12x16xf32>) outs(%31 : tensor<1x12x16xf64>) {
    ^bb0(%in: f32, %out: f64):
      %136 = arith.extf %in : f32 to f64
      linalg.yield %136 : f64
    } -> tensor<1x12x16xf64>
    %85 = linalg.generic {indexing_maps = [#map1, #map11], iterator_types = ["parallel", "parallel", "reduction"]} ins(%84 : tensor<1x12x16xf64>) outs(%34 : tensor<1x12x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %136 = arith.addf %in, %out : f64
      linalg.yield %136 : f64
    } -> tensor<1x12x1xf64>
    %86 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%85 : tensor<1x12x1xf64>) outs(%33 : tensor<1x12x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %136 = arith.divf %in, %cst_25 : f64
      linalg.yield %136 : f64
    } -> tensor<1x12x1xf64>
    %87 = linalg.generic {indexing_maps = [#map1, #map11, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%84, %86 : tensor<1x12x16xf64>, tensor<1x12x1xf64>) outs(%31 : tensor<1x12x16xf64>) {
    ^bb0(%in: f64, %in_60: f64, %out: f64):
      %136 = arith.subf %in, %in_60 : f64
      linalg.yield %136 : f64
    } -> tensor<1x12x16xf64>
    %88 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%87, %87 : tensor<1x12x16xf64>, tensor<1x12x16xf64>) outs(%31 : tensor<1x12x16xf64>) {
    ^bb0(%in: f64, %in_60: f64, %out: f64):
      %136 = arith.mulf %in, %in_60 : f64
      linalg.yield %136 : f64
    } -> tensor<1x12x16xf64>
    %89 = linalg.generic {indexing_maps = [#map1, #map11], iterator_types = ["parallel", "parallel", "reduction"]} ins(%88 : tensor<1x12x16xf64>) outs(%34 : tensor<1x12x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %136 = arith.addf %in, %out : f64
      linalg.yield %136 : f64
    } -> tensor<1x12x1xf64>
    %90 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%89 : tensor<1x12x1xf64>) outs(%33 : tensor<1x12x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %136 = arith.divf %in, %cst_25 : f64
      linalg.yield %136 : f64
    } -> tensor<1x12x1xf64>
    %91 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%90 : tensor<1x12x1xf64>) outs(%41 : tensor<1x12x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %136 = arith.truncf %in : f64 to f32
      linalg.yield %136 : f32
    } -> tensor<1x12x1xf32>
    %92 = linalg.generic {indexing_maps = [#map1, #map11], iterator_types = ["parallel", "parallel", "reduction"]} ins(%83 : tensor<1x12x16xf32>) outs(%43 : tensor<1x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %136 = arith.addf %in, %out : f32
      linalg.yield %136 : f32
    } -> tensor<1x12x1xf32>
    %93 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%92 : tensor<1x12x1xf32>) outs(%41 : tensor<1x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %136 = arith.divf %in, %cst_26 : f32
      linalg.yield %136 : f32
    } -> tensor<1x12x1xf32>
    %94 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%91 : tensor<1x12x1xf32>) outs(%41 : tensor<1x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %136 = arith.truncf %cst_22 : f64 to f32
      %137 = arith.addf %in, %136 : f32
      linalg.yield %137 : f32
    } -> tensor<1x12x1xf32>
    %95 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%94 : tensor<1x12x1xf32>) outs(%41 : tensor<1x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %136 = math.rsqrt %in : f32
      linalg.yield %136 : f32
    } -> tensor<1x12x1xf32>
    %96 = linalg.generic {indexing_maps = [#map1, #map11, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%83, %93 : tensor<1x12x16xf32>, tensor<1x12x1xf32>) outs(%0 : tensor<1x12x16xf32>) {
    ^bb0(%in: f32, %in_60: f32, %out: f32):
      %136 = arith.subf %in, %in_60 : f32
      linalg.yield %136 : f32
    } -> tensor<1x12x16xf32>
    %97 = linalg.generic {indexing_maps = [#map1, #map11, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%96, %95 : tensor<1x12x16xf32>, tensor<1x12x1xf32>) outs(%0 : tensor<1x12x16xf32>) {
    ^bb0(%in: f32, %in_60: f32, %out: f32):
      %136 = arith.mulf %in, %in_60 : f32
      linalg.yield %136 : f32
    } -> tensor<1x12x16xf32>
    %98 = linalg.generic {indexing_maps = [#map1, #map12, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%97, %cst_14 : tensor<1x12x16xf32>, tensor<16xf32>) outs(%0 : tensor<1x12x16xf32>) {
    ^bb0(%in: f32, %in_60: f32, %out: f32):
      %136 = arith.mulf %in, %in_60 : f32
      linalg.yield %136 : f32
    } -> tensor<1x12x16xf32>
    %99 = linalg.generic {indexing_maps = [#map1, #map12, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%98, %cst_13 : tensor<1x12x16xf32>, tensor<16xf32>) outs(%0 : tensor<1x12x16xf32>) {
    ^bb0(%in: f32, %in_60: f32, %out: f32):
      %136 = arith.addf %in, %in_60 : f32
      linalg.yield %136 : f32
    } -> tensor<1x12x16xf32>
    %collapsed_53 = tensor.collapse_shape %99 [[0, 1], [2]] : tensor<1x12x16xf32> into tensor<12x16xf32>
    %100 = tensor.empty() : tensor<12x64xf32>
    %101 = linalg.fill ins(%cst_0 : f32) outs(%100 : tensor<12x64xf32>) -> tensor<12x64xf32>
    %102 = linalg.matmul ins(%collapsed_53, %cst_12 : tensor<12x16xf32>, tensor<16x64xf32>) outs(%101 : tensor<12x64xf32>) -> tensor<12x64xf32>
    %103 = linalg.generic {indexing_maps = [#map3, #map13, #map3], iterator_types = ["parallel", "parallel"]} ins(%102, %cst_11 : tensor<12x64xf32>, tensor<64xf32>) outs(%100 : tensor<12x64xf32>) {
    ^bb0(%in: f32, %in_60: f32, %out: f32):
      %136 = arith.addf %in, %in_60 : f32
      linalg.yield %136 : f32
    } -> tensor<12x64xf32>
    %expanded_54 = tensor.expand_shape %103 [[0, 1], [2]] output_shape [1, 12, 64] : tensor<12x64xf32> into tensor<1x12x64xf32>
    %104 = tensor.empty() : tensor<1x12x64xf32>
    %105 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_54 : tensor<1x12x64xf32>) outs(%104 : tensor<1x12x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %136 = arith.mulf %in, %cst_27 : f32
      linalg.yield %136 : f32
    } -> tensor<1x12x64xf32>
    %106 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_54 : tensor<1x12x64xf32>) outs(%104 : tensor<1x12x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %136 = math.fpowi %in, %c3_i64 : f32, i64
      linalg.yield %136 : f32
    } -> tensor<1x12x64xf32>
    %107 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%106 : tensor<1x12x64xf32>) outs(%104 : tensor<1x12x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %136 = arith.truncf %cst_10 : f64 to f32
      %137 = arith.mulf %in, %136 : f32
      linalg.yield %137 : f32
    } -> tensor<1x12x64xf32>
    %108 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_54, %107 : tensor<1x12x64xf32>, tensor<1x12x64xf32>) outs(%104 : tensor<1x12x64xf32>) {
    ^bb0(%in: f32, %in_60: f32, %out: f32):
      %136 = arith.addf %in, %in_60 : f32
      linalg.yield %136 : f32
    } -> tensor<1x12x64xf32>
    %109 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%108 : tensor<1x12x64xf32>) outs(%104 : tensor<1x12x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %136 = arith.truncf %cst_9 : f64 to f32
      %137 = arith.mulf %in, %136 : f32
      linalg.yield %137 : f32
    } -> tensor<1x12x64xf32>
    %110 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%109 : tensor<1x12x64xf32>) outs(%104 : tensor<1x12x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %136 = math.tanh %in : f32
      linalg.yield %136 : f32
    } -> tensor<1x12x64xf32>
    %111 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%110 : tensor<1x12x64xf32>) outs(%104 : tensor<1x12x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %136 = arith.addf %in, %cst_28 : f32
      linalg.yield %136 : f32
    } -> tensor<1x12x64xf32>
    %112 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%105, %111 : tensor<1x12x64xf32>, tensor<1x12x64xf32>) outs(%104 : tensor<1x12x64xf32>) {
    ^bb0(%in: f32, %in_60: f32, %out: f32):
      %136 = arith.mulf %in, %in_60 : f32
      linalg.yield %136 : f32
    } -> tensor<1x12x64xf32>
    %collapsed_55 = tensor.collapse_shape %112 [[0, 1], [2]] : tensor<1x12x64xf32> into tensor<12x64xf32>
    %113 = linalg.matmul ins(%collapsed_55, %cst_8 : tensor<12x64xf32>, tensor<64x16xf32>) outs(%80 : tensor<12x16xf32>) -> tensor<12x16xf32>
    %114 = linalg.generic {indexing_maps = [#map3, #map13, #map3], iterator_types = ["parallel", "parallel"]} ins(%113, %cst_7 : tensor<12x16xf32>, tensor<16xf32>) outs(%79 : tensor<12x16xf32>) {
    ^bb0(%in: f32, %in_60: f32, %out: f32):
      %136 = arith.addf %in, %in_60 : f32
      linalg.yield %136 : f32
    } -> tensor<12x16xf32>
    %expanded_56 = tensor.expand_shape %114 [[0, 1], [2]] output_shape [1, 12, 16] : tensor<12x16xf32> into tensor<1x12x16xf32>
    %115 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%83, %expanded_56 : tensor<1x12x16xf32>, tensor<1x12x16xf32>) outs(%0 : tensor<1x12x16xf32>) {
    ^bb0(%in: f32, %in_60: f32, %out: f32):
      %136 = arith.addf %in, %in_60 : f32
      linalg.yield %136 : f32
    } -> tensor<1x12x16xf32>
    %116 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%115 : tensor<1x12x16xf32>) outs(%31 : tensor<1x12x16xf64>) {
    ^bb0(%in: f32, %out: f64):
      %136 = arith.extf %in : f32 to f64
      linalg.yield %136 : f64
    } -> tensor<1x12x16xf64>
    %117 = linalg.generic {indexing_maps = [#map1, #map11], iterator_types = ["parallel", "parallel", "reduction"]} ins(%116 : tensor<1x12x16xf64>) outs(%34 : tensor<1x12x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %136 = arith.addf %in, %out : f64
      linalg.yield %136 : f64
    } -> tensor<1x12x1xf64>
    %118 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%117 : tensor<1x12x1xf64>) outs(%33 : tensor<1x12x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %136 = arith.divf %in, %cst_25 : f64
      linalg.yield %136 : f64
    } -> tensor<1x12x1xf64>
    %119 = linalg.generic {indexing_maps = [#map1, #map11, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%116, %118 : tensor<1x12x16xf64>, tensor<1x12x1xf64>) outs(%31 : tensor<1x12x16xf64>) {
    ^bb0(%in: f64, %in_60: f64, %out: f64):
      %136 = arith.subf %in, %in_60 : f64
      linalg.yield %136 : f64
    } -> tensor<1x12x16xf64>
    %120 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%119, %119 : tensor<1x12x16xf64>, tensor<1x12x16xf64>) outs(%31 : tensor<1x12x16xf64>) {
    ^bb0(%in: f64, %in_60: f64, %out: f64):
      %136 = arith.mulf %in, %in_60 : f64
      linalg.yield %136 : f64
    } -> tensor<1x12x16xf64>
    %121 = linalg.generic {indexing_maps = [#map1, #map11], iterator_types = ["parallel", "parallel", "reduction"]} ins(%120 : tensor<1x12x16xf64>) outs(%34 : tensor<1x12x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %136 = arith.addf %in, %out : f64
      linalg.yield %136 : f64
    } -> tensor<1x12x1xf64>
    %122 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%121 : tensor<1x12x1xf64>) outs(%33 : tensor<1x12x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %136 = arith.divf %in, %cst_25 : f64
      linalg.yield %136 : f64
    } -> tensor<1x12x1xf64>
    %123 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%122 : tensor<1x12x1xf64>) outs(%41 : tensor<1x12x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %136 = arith.truncf %in : f64 to f32
      linalg.yield %136 : f32
    } -> tensor<1x12x1xf32>
    %124 = linalg.generic {indexing_maps = [#map1, #map11], iterator_types = ["parallel", "parallel", "reduction"]} ins(%115 : tensor<1x12x16xf32>) outs(%43 : tensor<1x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %136 = arith.addf %in, %out : f32
      linalg.yield %136 : f32
    } -> tensor<1x12x1xf32>
    %125 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%124 : tensor<1x12x1xf32>) outs(%41 : tensor<1x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %136 = arith.divf %in, %cst_26 : f32
      linalg.yield %136 : f32
    } -> tensor<1x12x1xf32>
    %126 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%123 : tensor<1x12x1xf32>) outs(%41 : tensor<1x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %136 = arith.truncf %cst_22 : f64 to f32
      %137 = arith.addf %in, %136 : f32
      linalg.yield %137 : f32
    } -> tensor<1x12x1xf32>
    %127 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%126 : tensor<1x12x1xf32>) outs(%41 : tensor<1x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %136 = math.rsqrt %in : f32
      linalg.yield %136 : f32
    } -> tensor<1x12x1xf32>
    %128 = linalg.generic {indexing_maps = [#map1, #map11, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%115, %125 : tensor<1x12x16xf32>, tensor<1x12x1xf32>) outs(%0 : tensor<1x12x16xf32>) {
    ^bb0(%in: f32, %in_60: f32, %out: f32):
      %136 = arith.subf %in, %in_60 : f32
      linalg.yield %136 : f32
    } -> tensor<1x12x16xf32>
    %129 = linalg.generic {indexing_maps = [#map1, #map11, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%128, %127 : tensor<1x12x16xf32>, tensor<1x12x1xf32>) outs(%0 : tensor<1x12x16xf32>) {
    ^bb0(%in: f32, %in_60: f32, %out: f32):
      %136 = arith.mulf %in, %in_60 : f32
      linalg.yield %136 : f32
    } -> tensor<1x12x16xf32>
    %130 = linalg.generic {indexing_maps = [#map1, #map12, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%129, %cst_6 : tensor<1x12x16xf32>, tensor<16xf32>) outs(%0 : tensor<1x12x16xf32>) {
    ^bb0(%in: f32, %in_60: f32, %out: f32):
      %136 = arith.mulf %in, %in_60 : f32
      linalg.yield %136 : f32
    } -> tensor<1x12x16xf32>
    %131 = linalg.generic {indexing_maps = [#map1, #map12, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%130, %cst_5 : tensor<1x12x16xf32>, tensor<16xf32>) outs(%0 : tensor<1x12x16xf32>) {
    ^bb0(%in: f32, %in_60: f32, %out: f32):
      %136 = arith.addf %in, %in_60 : f32
      linalg.yield %136 : f32
    } -> tensor<1x12x16xf32>
    %132 = tensor.empty() : tensor<16x32xf32>
    %transposed_57 = linalg.transpose ins(%cst_24 : tensor<32x16xf32>) outs(%132 : tensor<16x32xf32>) permutation = [1, 0] 
    %collapsed_58 = tensor.collapse_shape %131 [[0, 1], [2]] : tensor<1x12x16xf32> into tensor<12x16xf32>
    %133 = tensor.empty() : tensor<12x32xf32>
    %134 = linalg.fill ins(%cst_0 : f32) outs(%133 : tensor<12x32xf32>) -> tensor<12x32xf32>
    %135 = linalg.matmul ins(%collapsed_58, %transposed_57 : tensor<12x16xf32>, tensor<16x32xf32>) outs(%134 : tensor<12x32xf32>) -> tensor<12x32xf32>
    %expanded_59 = tensor.expand_shape %135 [[0, 1], [2]] output_shape [1, 12, 32] : tensor<12x32xf32> into tensor<1x12x32xf32>
    return %expanded_59 : tensor<1x12x32xf32>
  }
}

{-#
  dialect_resources: {
    builtin: {
      torch_tensor_16_torch.float32_7: "0x0400000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
      torch_tensor_16_torch.float32_6: "0x040000000000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F",
      torch_tensor_16_torch.float32_5: "0x0400000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
      torch_tensor_64_16_torch.float32: "0x04000000C975263ACFE7C5BBD5557EBCB227A7BC60A408BD14BF2D3B22870C3B53A0D1BAA3A3D3B9BFF8023950D9843C0F60F3BAD878063DD6ADCFBC42EA0F3CE0C09D3C160BF13B64011B3C2EF6D9BB45480ABCF33866BBDACB713CFF434D3C206843BB7F3946BCF653223C75D5BB3CBF3DA33B72B0803BFEEB0EBCF3C9BABBBA1D6A3CFBB5793CEFB22B3CD3D367BA15051ABDDFDCB03C9021C33B81472D3B10081E3CCAE21A3B0E5E4BBCCF63A2BBB0220A3D33220A3D8E9F41BC8698133D10AD983BF3DA43BCAD0D533B2D15613B161D5C3CB38FBABC4BDC6E3A21C36D3BE11B55BC6979B03B155E24BC72B02ABCB3D22E3C780D643C15318BBB5EEC99BCA22496BC785015BCAF0885BC17372CBBF487F93B01CA493BB4732B3C0BE93ABC2A7437BCB54FDBBC8C2A84BC23C7563C1C4126BB79A84E3BDB8B403BEBE6A2BCEB443DBC5F049F3A6E3A1ABAF286153C2B1FE43C813DBB3C732A843B9D5216BC1FB3B13BC6611D3D707F19BB61BE573CFA7F4C3AAE6639BC18421E3C11B2613BE93B473CE86B4C3B6879E8BB34D5693C1AFD27BC78B78EBB7B58883CF62587BBFE0252BCB07E1D3C3441873CC6C13CBAAE31D93B337445BB35D7453CC563C1BA99E1243A5FB667BA1CBA3F39FEB9683CA72C023C45B83D3CCAEA093CB12786BCF087DCBCED31DB3BF145323B0F838CBCD31C61BB1AEF8B3B4E67A3BC058E89BCB3808BBB437273BCBB0254BCEA3AD6BBDCE8203BE3841FBC1ECD213BC6551BBBE2E1363DEFC51A3B7AC5D43B61F498BB187A04BCCE686A39E6189F3B832F343CF0C0B23CDD39CD3C4B2047BCB867533C2E26003CF543803CB6F6043B26A4973B03B465BBBAC9163B7EDB8B3CA42A7F3965168FBB6B79953A464767BCC28DD2BB3850CC3C644B933C0CF72FBC2AD2C7BA45578BBB2901133C6C6F973B71735F3B7B4A9BBBA9BFA8BB365235BC5BC63F3CEE8A5CBC3D224E3CE336BB3B66148A39B2C213BB4317A4BC94F793B96A346DBC4193383C9096ACBBA3279E3BDBD296BC8D0F2B3C2EFEED3BA248C7BC53BEDBBC67326A3B6B0B80BC060BB8BC1B2E883C1153D5BC5DF97BBC523B00BDA7F60DBBA83473BA1A30F8BAC3A9313B3FBE4CBBFA269D3BDC962B3C18DB533CAB70633CD91944BC97674F3B1AFFA4BB179F8DBC5DCAFD3C2E61CE3B5D05923C35A21ABC0E3DC93ACD76C9BB760E9FBC7AB53A3B9505D6BBE8C2E93A696796BB65EFA1BCB5EA16BC241BF43C8DA11B3CF1FB52BC7C32A13C1CF4E83A42C324BB6214583C298827BC0F9B533CDC7930BB24BEC03C9FF17E3CF371083CE36F9F3B30B2B33BD18277BC7DFF803AE47EAC3BAA60B93C0879543CE4F1073CF664943CBAD2DFBC9DF9E93A0B82793C0AD4033CCB947FBC3CF34C3C63FF293C9D8B633C350BB6BC159ED13C6217183C9A3B42BCA79D683CB56E363C4D155E3B6481D3BC54E66E3B31B5B4BB47B0CF3B163AB0BB8A7F10BC7B9E5D3CD9D557BC32F1A13C1848BDBB03F711BD48069DBC0103D43A4478F33B2DD44C3C6DD4A93A4D68913B24F51D3C3608733B252FB3BC1A49923BFF6C97BB99982E3B5DB8D9B98956FCBBAD138B3B371896BC3015843C028F6D3C0DDE59BCCCD457BCBB3A14BD8B91B7BB72F3963B3E615FBC4A8EBD3C23C085BB53F1F0BA3BFE633CEEC295BC409D81BC940CB0BCBF60363C3D2B913C1412E83B0EDCA63919C6753C6B3793BC26290CBC0DD7363C5A56AEBC8DACA43CC32A8B3C2C218BBBF6AD5DBC5D14BABBF089C93CE46E1CBC705297BB83EA3C3C4FA9143DEC40823C54C0C7BB3561EC3B5EB6C5BC122D0D3C1E855F3C93E10E3C7EDAC5BC52FB3D3C8788CE3C48A65C3CF85F46BB21A9E5BC277FAA3BD87C5C3C35DAD33CC07B133C55BF7FBBDFC591BA44A7B03CAB3FA03AD25C07BC47D452BCCF7BE63BBE0A543B52CC81BC2DB08BBCB98D133BB940B43A165914BB5E96BCBA3BAE5E3CE658A6BB56FE323C80971CBC713BBA3B2919C03AE6E1D03A7DBEB63B89B28E3B2BC19CBC88FF5BBB38F7BBBC8262933B756F683C2E7C0BBC4C3B65BCDAD5D7BCC2321BBCA46F3FBA492B863ABD40ACBBB48DFBBBB642033C6A650A3D4919A33C74CC053C12CEAEBACADB1EBC38D7C03A86F823BCE1324A3BC3F53FBC36FAD5BB51C48FBC7336B2BC4C1FBE3C7AF48DBB26F7A8BCE8E76F3C36E58D3C51F8B73B7D4946BCE644783CF6E1A43B7307A63CFAB1AC3B0BE0B6BB5EA7A4BA5B84EABA545304BC880B3D3C0FF7003C9D7A5638FC201E3C944796BC12118E3AC35BCF3B81BB01BC6988D43CB958B739778C9E3C87B282BCF5BC363C4581893A956AE63BB11398BB6B3A91BC0DE234BC86B4A63CAE7E553B287B91BCC321DCBB00B972BA7D1C26BC977A46BC1A06B03CBE621A3C9F6F26BC1E69D33BE13382BB040E16BCA259613BD678AABC9489243C2FFD4BBC47560D3B56EE823C619986BC41E7BEBB45BFE83CEFDC72BCC3A1CFBC8528A1BB236FF2BC732744BCE092A0BBEDEB07BB2C49063CAC204B3CC78924BB69789E3C1320D03B2580DBBAE7D27CBAA9E13BBCB6B69ABC3C016ABCDE3600BC29CFCDBCE281953C79A1E0BB7A995C3C98C5C03BAF38C83CC535A4BC9134C2BC5278DABC92232C3C163641BB9B5B3EBC4F152DBCAE5B1A3C8A46BEBB1FDE243D3CD49C3CA5272E3B7767FABC54B8A23B1ED12FBC4824BF3B33F036BBFE703CBC20D0CABB427D933CC7A9B13BFF703EBBC2E158BCED49123DD7E4A1BBA8EBE33B0EE090BBD75CA0BA3ECD23BAAAEC9B3B091AC63718BD383C0AFD543CC48F9ABC054DB0BA06990DBAFFE938BBE3E66EBB00B693BB2F5CCC3BE7F375BB6F54953C0A64C5BAF79DDD3B9233B33C4A31573B6849333C5FE5FCBA881E18BBE72A323B6E972C3B9CA11C3D908F0DBC79CDD63BF155CB3B8C1330BB695D933C25FD16386189393A36E8023B3D4C8BBC75F231BC46B2083D8C876CBC442332BAB7DE7F3AB120593C7757053CC244983C0CDCB33A30345CBC8D7D14BBE652A6BC7C3AA13C861932BC3385343CDE201A3B30E3EEBC2B0DB83C2A3188B8FD48FA3B9C2A92BC3DA357BC73216F3CD49C88BBC5A3C2BAFBC55C3CACCF1FBC7180CF3B4ACBC33844834D3AF7FC40BC95E82A3CEFA3D7BCA6CA8D3C772FABB828F4503C5FCB27BCA90015BCAE971A3AFC1887BC545E1F3C7E9CB93CC85D7F3C0E59DFBBEBD029BCD25B9D3C5B1165BCE73CDA3C6727293C811D00BC888DCF39468069BB83D993BCD2CD0F3C933AFAB93D9705BCD8B6CF3B7EE390BC13549DBC91A8783C915B14BD7D178F39C84507BBC43CD73CB7F98A3C39F7A5BC1E6A03BB45E8F4BBEBD540BAD92D81BB288430BC34C0B9BB2FA826BC5F9DF2BB10E6AE3B7125D6BC6196203CD0388D3B16B86B3CBCC6893CDDD0033B881823BCA7D1F43CD51C883CD3250DBB217E343BD8D5583CE02547BBD66AC5BC8BDB8BBC6206983B356FDA3CF0A86EBBFF37D33CE307483B242A073C35D5F43CC74C4A3CE827C4BC807D953BE65690BC9B07C6BCAAB251BCE5C63F3CEE1FC53BCB5CD93B7F6DBBBB8C109BBC821082BC027761BBB26C4ABC4B73063C9CB0C3BC8389B73B540571BC26340A3C05A5273C4972853C6BBB4CBBECEC983CF6C7F93CD3B4ABBC56FC27BCCE5C963A6F349C3B25FDA6BB13B85EBC234EF3BC2E4300BCA77BB5BB1C494CBCFDF7F9BC4EA5943B5CF4AABCB1C12CBA9557A7BCF637F3BB8BB0943CF2C08D3CFF7E8A3B8946E7BBA9DB18BDA69482BCBC80CB3B750999BBFB0EEA3C724700BC1B6DB2BB37484F3CD545E9BA156A89BB864A223C675B913CB61510BC7E61563B04D33CBC49CD1D3C5EC29BBBAA06F0BBB73A933B4F66A2BCA6878FBAAE842B3C5A1317BBA4A66E3C7D09A43CC2130DBCD3F6FCBC17D2A6BC28AE7C3C5EBA623C3F4786BCF18A513CA2DB95BB80F0973B399C023D0214B33C2A0BF83C7FE4053C3474E33ACA40C0BBAE564ABB7EF097BCAB1C8CBC1AF46D3B1CB4C1BB5B5C403CB4779D3C999CD23A753D23BC100E98BC27CF5CBC43C8D8BB29F45BBC4398223A69300EBC4A48EE3A2790173C12DF653C014F44BCE0792C3C54E31E3BC4B3D13A73AF763C2BA1CC3B2B29C0BC8C74DD3B25C5A3BCAC85BF3B814F773C975B5CBCC98506BD9C0495BBE83E7B3B1ADE5B38628D66BCD7A8BBBCE77D35BC263D83BA2A2C1ABCA7016ABC7BB4A8BB6ED8E3BB44A0513C489E1C3C3A779A3C185F023B1EB6C33B92463B3CD49F84BC30AC79BCB83559BC0EF397BCC8C795B70ADC543C2FE2F4BB77BD8E3C9C39EF38ED3048BC5FFA02BCB6C07DBC44FE453C5A1C4C3C6BFD68BC46708C3B36C903BC553469BC769903BC0B2C793832247B3A614409BC249454BBAA088C3C257202BC769544BDC397A5BC26B701BD163AB93BC451923C32B8DF3A542996BC6F98903C65042EBCF1D4E9BC5395013BB9403ABC5DDC433BAA143B3AF329E5394046BBBB895C123B232AB23BCC9F09BB4E65B1BCD1E7B3BA3FA73CBA59714ABCEE489D3CAA31CD3B3C37703CA517BE3B53682A39E6718F3BC45C9ABC0DEA4BBBE4C910BC0FDAAEBB988ADF3CBB84393C1389F63C12AAFF3BB0D4DBBB93FA0F3C7E4549BC1A09FE3CC00F09BC7E17AD3B5BAAAFBCF46A6E3B2A1E583BBE85173CC1906FBC8E490B3B5B404ABB7A7E7FB9E269B1BB10A7B7BB62534EBBF4C8C33BD3C8B7BCDC22A43C60F993BC1F817E3B4B62A73A1130CF3B33B4E0BC8AD6153B93B79EBBEB7B41BCBC09DE3B2613973A0276003D5ED482BBFA11063CAFAFBD3C4765933C23D8E83C5ED485BB273DA6BC7B6783BCD88910BC6BBA603C504542BC6D0017BBA129C83BCC9554BC5FA99FBC7C2F983BE270C4BCCDC93CBCEEDE223C8BB805BD127E563CCBDF5B3C88E3A1BB02508F3CB0EAB3BC94C8F3BBC9D4EE3BDD35D53C8974B2BCE9F3983C1FA9D6BB6BFA0A3DE3CB8F3CD88F6EBC60F6BFBC4EC64D3BA3D8B7BB4E4D89BC280129BC1E7773BA581A273C4F4086BB473C92BBBB1F1BBC7962BE3BDDBEC0BB4ABD40BCF94AEA3B0671FCBB9F977DBA0E607B3C989BEEBAEFB8F03B21B73CBB5AD92B3A4C0C94BC5199C63B305CA23BB67BA03CA9770D3C9CB68FBC26875ABB007E6C3CE4410ABC41FFB73B7566C73B7947A5BB3EAE40BCC6E97DBC8264C8BBAAA6AF3B866B243CA676B23A369EEE3BDE9556BC4248EBBA531C033CEBC9973C2BAC0AB89944923B56183F3C2EBC133B91B62F3CDBCEF9BBE06294BC75BF06BCD46AAF39DDA2273BB5E01DBBFD9287BC1FCF953CEC9CEC3AF2D640BB6F22E2BB0997AE3B0705603B8F2B40BCB57E54BC2D566B3C53A14BBB387DC03CDF2A653C95E4A8BC182F29BCF38EF3BC0A166B3C7DB104BCF196C23CEE6F653C66BE883CEBF4B7B9CDEA4ABAC748A0BB5C4118BBB140233A3648763C5FE02ABC8BC018BB361EDF392A09403CB1196E3BBA0C1DBCEFFFAF3BA21E17BCB7FD3CBDA948823CFF5ACEBB7450633C29EA7C3BD408C4B99B7725BC4DDCB1BCD48DC13B01FC123DDDE2223C5B49F23CAE67033BCBED0FBC1635163C47A823BC5CA0C4BC5832B6BCD40D0F3C1F7526BCE4227EBCE1F3A5BA0C04263B398C2E3C2CE822BCBCF61DBC487C213C75E6C83A7B3380BC560D033C140F92BA9A6C69BC04CC7D3C9D69A6BB93F137BB02E7D1BB3C6B81BB159984BCFD28E5BB04E9963CA77B133C2DDB273BE520323C648E64BB587E68BCAEAF803C2C1EB0BBB4238A3AF2416E3C4648E7BCA7A21ABC9D16FCBAAF6783BB66EBAEBA",
      torch_tensor_64_torch.float32: "0x0400000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
      torch_tensor_16_64_torch.float32: "0x040000008ED6CBBCDCD2E4BC1B39533CF91BB93CCEA4383A623F4F3C99535ABA70C9C03BA6A09A3BE7E610BD2BC784BC6DAF903AA92ACBBCB3F5F63B4CE67CBCFC78093C2459473CCF900A3CE0D5A63C07C6C63BB4FA513C0A5AB33C3777463B446010BD857852BB2F07813A50D1253D0A6ABFBB5906143D348926BDD5FB443C7F6D983CDBD34C3BD960CF3C5CDB803B90B7313C17C1B93CDE9F1C3C5499B5BCE0CD76BC976347BC70A7DCBB35454EBC74A1133C55C3693CA1FFAA3C836F6EBBC0D44E3B1372893C0B36E0BCC6DB0F3DF568C03C30CB8A3C2E6593BC98D6323CED952FBC1BC9A23C6F92343C4B3BFF3B6757C0BCF910B8BC89DF5FBB1BCA9C3C0534703C988E47BC5A0121BDB43036BD67E0683CCFE9F33C10CE3E3C1C8C40BB5080D6BB448CCD3CE4ED8CBCAFDAE0BA770FD1BC787E46BC0FD77C3C10143EBCE9DF5D3CC62D8B3C26CC9ABBEFF3983A6EAE843C0D122A3C5554763C3965F83C12F1103C2E50E73C40FA663AE1E496BC8E83FC3CC6328BBCBD9AC63A6E9BD8BC5979173C3C602E3C6588093B2A0D04BCEC1169BD39D4AF3CF8F2343B79A1DBBB6DE2973CC083B4BC341241BCA20893BAB540C9BC0B7CBB3C30E5FBBB43051A3B8A17553C07FF293CA52C9DBC18FC50BC87D38ABCF02C44BDA10AA6BC57B603BCC3F4F63C8EFE1BBBAA1DC6BBB3F5833A92E6D8BB5EFF0F3D721C5BBC58F343BCBDA1EFBCA0A4AABCA7C999BC07CD5DB98F5F6B3C968089BCB322B5BC978FC8BCD4E49C3C2088CD3CE2149FBC4084B63C77C01EBDA60AD73C39B19DBC77E1F2BCC9279E3CC9D47ABB722769BC7BAC18BA81A2413CF7F6973C7D29E53CA9CFC9BC15BDD43A9964F1BB8AA8123D20B50FBB7B9458BCF30BF4BCBC67473A38394C3DFC5512BB05926DBB1282D7BB454614BD1829533C187D6F3C15628FBCA73E4F3B585D463B95FEF73C4FBFC23BCACC33BB7EE015BD4790A1BBB453CDBB4B312CBC3D3A1FBCDD7A4EBB872780BB5CAFFABC0DF6B8BC199F56BBC1F4CC3B60841EBC7B25D3BC98A2DB3C39FC77BC378CB03BD30D5C3CD4390FBCC6128DBC668E65BCFD417BBCE1C89FBC1E9435BCCF81D03C455BA3BC841AC8391B4E03BD8BD44FBA8BAE893B9E38383C8DF28DBCDC70ACBC0DED3BBBDE5A283D6BD1933CCEAE693BA035D9BCAD32C7BC906E613C80D305BCA24FAEBCDDAC15BDEADDAF3CBDDCEFBCCD29C8BBE4FDC5BC7F19A2BC6C2BD1BA0295273C57B13EBDEFF4F43BDB9DC638AA3C063C3D8C2BBA10218EBC07E7103C7350583B016CDB3A37FAF23C6E90DD3CB2140EBBD9BA5F3D12DC3C3C691B29BDEF4C93BC092D7C3C905C1B3CFB8132BCB719A53BB0B0973C06D2A0B8B39EB13CF02921BC06E01E3D0B92513C75BBEDBB61BE683CA959D9BC2293F03B8795D43A04F3D63C10E984BC4E91083B2C8604BC8B2C08BC4283823CF871FC3C754B383CE020083D84E0CCBBFA00003D809C89BC6A372ABC91C604BD931E1CBD2FCE6DBCDB359B3C863B9EBB55F5493CEAF0DDBCF3A20B3D57B425BC26CD173CF03EC63C5E6C53BCC996BE3B05E73DBD903109BC697045BD74D544BC58E7AFBC5EC6173C21A901B9DB3287BA2788223BDE66DB3CEC82F9BC4179B63BC2A348BCE404AE39938BC4BC1DE6043C7DE90ABD8224753C987C913A70291D3C462A2FBB3DFF67BCF938573C8458813A5BA6EF39FB4467BB857BFB3B6B9AE4BB75E8B23B8FBC143CA5C934BA301795BC15393B3C16B1853C4E12E9BCCB24CEBCC50DE5BCDDA623BCC5F7273C2148E0BCD66D1DBC17659A3C40AC15BDB097593CC031C1BA3DF8023B0783873C30293CBC59AEB33C0A32823CACA76F3CB3573B3CDEE7FFBB9C150E3C2EB9A4BCFD049F3AFD75D83C771271BC12625BBC069AE33BEE0461BCB7EF84BCAF6513BC8D91B03CF084253C93B9E53CDE20CD3BFD991B3B4BE394BA1571703A95FEEBBBE5515A3C19BB71BB28679C3C708DC1BBD71ACEBB0171ACBC136E60BAF04F68BC23FA093C4C95513CB9E6F9BB0F77EB3BBE984A3DCDDB99BCA9C1E1BCF4630FBB37B8E43CA26E2D3D89779EBABD88393DB3C74ABB0598973B3C0C3E3CCADF33BBEA2029BC2109F53CB0B80E3D2061E3BCFD3F1DBC45F1D7BAB48C7B3D4243AFBB3EF2A6BBF8E6133C9B6355BC4A2F47BDE16E07BD6C97EFBCCBCF683C4017333C8EBB0FBD7567CABC65D774BC680204BB2BFE723B9C3296BC7C65D2BC85DC23BC609F0E3C56EA25BB2C644FBBD94E0FBD85CC9E3A76AD153D7E66393C359D78BC341986BCD09D103D740EAEBCB45FCFBBE334FABCA9B281BBFC7970BC394889BB6FF7323C277C1EBBA7271BBD74A1783CDB3C9FB99EE3153BDF1A8A3B1DC3A93C02EF78BC6E983A3CD4E6673C8A8E023CEE05E13CAA40643CBE1F63BCB38F25BD815EFA3C7642AE3A157276BC3C88A63CED5B9B3CEFED23BCB20988BC1D19F33A6AFCE23CCF61C7BBBDA806BDE254C0BB807C403C0EB536BC4E6C623B3C6419BDE3CD09BDC2DB683C2FA4C4BC00DC44BC6B013C3C8B0CBCBB87EDCC3C09FE313B61EFA3BCA78F383C6F2368BA10D6813B4A89AE3CD342A53CF4F45FBC6AE3FB3B30F2203CACC8D6BBC58499BBEAC835BD2266B53CDB9BA53C04662A3D5C5DD3BB165794BC5E2970BBA7D184BCA676F53B27739E3C8D8D083C50501B3B57DE37BDF44149BC134A90BC67E72D3B6DE5C63C44CACFBCEC60D03B800F42BB29DFF9BC069C283C973B4E3C4172D9BAA908B73CB7A87DBBA2EBA83C124C96BCE697A53C24EB5E3C1711B6BC13B2793CD427BDBB6A1E3E3C5679883C825AB1BB1A69863CA223FE3C4A349A3C50FF61BCA1B0D7BC42F3853C58173BBD36BF273C4D0105BCCE2E35BDE4C71ABC32BF103C4B4E753C0408BBBA564904BDB838443AAE001BBCA22525BDF87F513C2F420E3D7D205FBC554FB4BC57C0D9BBAA702BBA0AC707BD74998E3CA48322BC4E24A43C802B1C3DB1D20D3BA2F8123D5C45B7BCE1AF123C590740BB535C50BB199358BC7728023B428DA13B6793123B997BFA3C043462BD6D720EB9E531E93C3BBBE73B133D783C5B36603CB2B505BD35B808BC9CB9E53CF7C44B3B5E125CB800D3643C9C915B3C77821FBC232900BD0663B83BCE04543C2907CE3BC4AFC1BCFBA4D6BC6B0195BC77259DBC165F193C98B536BD128600BCFD05CEBCD4D83DBCB9277ABA1FF117BC075856BBAF0CD53BC894983C20F8FDBAB9BA8D3C079B01BDA04BFDBC75A4333D1F0A8D3C6BB00C3CA68C5E3C12CD553BDC66E3BB8E8774BC758D903B986E11BC1BF017BC966885BCE1BD203C334AE33B5D7783BC12297BBCA7A2FD3B72296A3B2C13E539D87EA8BCF6CF0EBBFCC5443B3E1FB2BC608ACEBA064227BD2C2B833CFBA52BBCAEC124BC4AB73B3C4B66AABC8BF6CE3B59845A3C7AFB8C3C492E4F3CD08502BC5958D43CCDA4A9BCD0B744BC3163903B74C3383C5A72113CF9A6BB3C57C79B3C94012CBC5A50043D5C572B3C0CF3113B94451BBC19CE4FBCF301E83BB50240BC8F81D73C3211ACBCC44A2BBCDE15C3BC1C32C7BC91631ABC204659BBBB829CBCBCF2993C9477D3BCB6CD1E3C47462CBBA2F31EBCFD783F3BAB41713B9E64513B8EBD77BC876B783B9935433C1B70A1BCD93EA13C380FCABBF8E638BC99F5AABCBB674C3CC697CD3C57484DBDF23611BD6FCECB3BDEBF19BD20FCFB3CB56F4BBCE463DB3CA22D953CC94A74BCB05A0FBC5D392FBCECDBA13C0F3D27BD92598DBC943854BBE900E0BCBCBFC43CC119323C60F57D3C320A1DBCDCE2F3BBF3D2343DEE41D83C1CD9263B8F37433B67116DBC20DBF6BC5018F1BBEF594DBC5BA5DEBC01A19F3CE01111BDEAD503BDC5BCC23B865D133B891F67BCE6BACC3BF929CB3B3C24DD3CD9B2CBBCA6BF92BCAC61E43CD7A7673CE09EA9BB5681293CB914B1B9DB3DD03C0B9A47BCE084D33C6FC9A9BCAB1614BDF8A9E23C6B39ACBB3F9D0F3D4DA08BBB4BFA593B8ED091BC7D8C503C1C0F7A3DD73F70BD89F17DBC6655473CCD6D36B9C7ED0EBD5EAE2ABCCB8BA43A4BB72EBC869F8DBC45ED963C53D2FA3BA0D330BCFEA2F63CC7169A3C2AA5023DBCC4E8BAF5278EBB7F490EBC98B5B9BAD44D04BDF0B5283C77CFFB3CBDE7A5BCAE44EA3C4B270ABCEA4DF23BEA2656BC6D12893B6F4085BC6FF4393C5DD906BDAB15703B9655173B25EE2ABB39C6E6BC7DB49E3CA710C13C7E63F3BBC212AB3C350C7EBC87B51BBA1E92E3BCAFBD653C9247283CDE20AA3B4E1D503CBB06863C975F9FBC674CA5BCBBC73D3B439D08BDA2D551BBC7DB44BCDB1A82BC3E2D29BC2E0F3D3C85CDF93CC673FC3A53A4E2BCAAB1CD3C0FB2B73C3C8B1ABCF17D08BBE1274FBC65E4C8BAE29C2C3C976DE8BC7C55343CD85DF8BB645C30BC8997D33C2E3DC2BA8B32333B93F769BC3D7D6DBBE65E2F3DA6A2513CCF373A3D7521493C645B07BC0CF17F3C4FDDAE3C2D52193CAA7C583C7962DF3B8A8C3CBC32E10F3BA5789DBB81BAC23BFBD1C8BB931E3DBCB8CD91BB09DFEABCCA438C3BBBA2583C21F987BC36A102BC61FE9CBC4607A2BB7E5F4C3D34D5F63C01DCABBB9007103CBC9F2CBBD67209BDD5B8EB3B7DAFE5BB0F517B3CEDC8193C99B20E3D7DCAC33C0EFC553C8BAC833BF3244A3A6A73EF3CA6D668BB699B3CBCC57997BCD93E503BAC83F6BCAEC2383C2D3AA5BA07DA3F3C821D09BD46CFEBBBA0D0BDBA0575F3BBF078C1BC3B24B63B660DA23CE61484BC3610183D846C39BC402349BCD9BC70BC5F12953B6982A83C7FD30ABD7B01013C96770EBCF74529BC8949803C14AEF73BE10BE6BB7247C43C8F92BBBC1224543D2DA046BC50F631BD440381BC8E39CFBCEE819D3CF8CA31384F8B40BC46629ABCE798EABC3DB0463D7BB9193C006D483B1B4EB93C41D6B0BC82D1E1397C8E113CE17113BD597B873BC50824BD81624DBD0C64783CACD761BCA14F27BCE485893C2D50BBBB356AB8BBD5D1153DE0D5163CE9C578BC1C77D9BCE9BB64BCF43845BDB8F4E5BC8B0C813C497A153C9D85AB3B4A9F65BB3422E4BB9994D8BB4A67C6BBDDEEDD3916D9103CD57B503CC92A05BC3626AE3BC767373CDE84E53BF05CA43B064CFF3C69E7363B6139C13C295198BC1DAC5EBCEBF2503CB968933CC7E24BBC99B280BC5BEC2FBB9914F3BCB94E073D0FF9A33CA97838BCB725E63B445A4DBC0CF114BCF0E7C43CE4121A3A14B59BBC33BAD5BB7CDBA13B50FD23BC2BEFBB3CAE14E03B2F12CC3C650601BCD8DED2BC47FC1BBC270FB63A7715183C53D44DBB7BF6103CF6C6223CEB92B2BC372F58BB14DCF23BD354C4BCEFC7FFBB0F1524BD555C053C3858B83CA6B70EBD28598CBCA021A13C34AE5EBBD03D2EBCA517C0BC64ADAD3C582F6FBB02DA2C3C5B8785BD4FFBC4BB141CA4BCF4EDA13CF6C3293D5D8467BCF83E433C19FF02BD98DEDC3BEDB2043DDC19053C736B1D3CFB69913C7E00C73CCE1C46BCDB3804BD1789CB3989C0133C19FA013C59BB2ABD67E726BA03ED90BB1DD94CBC0A9CB43C4785013D096206BC90DD8C3CC6B8C2BB46F5103C664DB73CDBAFC03B075212BDA5CE8D3CB50E79BC16E7223A2467593C5893653BAE78FCBCFC46773BF61E0FBC1EC0B2BBE556223B66107BBA77A25F3CE1D675BC30396C3CA9A7F0BC1F8F833C87C3BDBB50FC523CBEA1B63AB714A3BC035F1A3D8AEF29BCF31096BC99D9AD3CC98E31BB94EC1C3C1C1557BCE2BBBE3BA576CE3CFDD6DDBCE92226BC0B34033BB095F43B3BF69CBC72E1403CF29608BD",
      torch_tensor_16_torch.float32_4: "0x0400000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
      torch_tensor_16_torch.float32_3: "0x040000000000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F",
      torch_tensor_16_torch.float32_2: "0x0400000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
      torch_tensor_16_16_torch.float32_1: "0x040000008D57C93C413C9B3AEF63233C2E2E4F3CB2ECA23B08E4243D9209CCBB561E9B3C8B9A813B9C6947BC8C4492BC098F013B72C2133CAA3AA03B0FEFC6BB5818AF3B52F8B33C5322CD3C14995FBC694EF33B6FC000BBE2D0A03CE1825DBCA05CC13C74FF87B998CDEE3CCB1DDD3B89A9B53CAD47CEBBFD04D7BBA597E43BD9E203BC55EFDBBC8138F93BCF7BC23C45BDFF3BFC5AFCBA6CD2333BB3AF123C94C1973B12E59ABB534F553CB3B4B0BB116FFC3C7D988E3C78E5A5BBDF6D933C7CE5A5B9257F79BBEFD275BCA2EC1A3CD1445C3C131F843C331D543B77B67EBC7D2564BB334595BC322F993C06BD5C3A46B514BCCBFC84BC065CBF3CC5C519BBDC0708BD1A5AEDBC2C5B113CE5C100BC28990B3BDD75763C227567BC071549BCC7518EBC39AF173B4CBB05BCC3CAAD3C15841D3C353918BC5DE492BAE465713C2E858FBC6F19A1BC487072BC42F400BC80DC19BCB3B52BBCE6E393BCD50175BBF93C713C0344873868A6063875FBE3BB0345A3BBB86323BC47142539AD9CB93A6FFCD13C4DD99C3C5A640A3D8D4AC93C912F0EBB0E7CD6BC0711373BC6DE8FBBF974F7BC93DC52BCF24348BCFFAE1F3C750D3D3B0054D2BB8ADBA93CF3C3033A7C27AA3C80C39E3C55EB04BC6FD876BC0201DF3C83F058BCB5D59E3CE3AAC6BA153314BC46B4F1BB521142BB74BF623BD86B843C6616BD3C2699213B927427BC804554BB68F962BC4301AABC944ADC3B6BA998BC9120E8BC50B7993A4B6CE9BB95EA023D5AF66E3B0742E6BAC7808FBC886DAFBB4548E63B906E24BC4FA263BC1E783B3B57BA703C3A815EBCFDDFD63A38BA7BBC3F614F3C54B08B3BD45EA43C6192C43C3A5B833C35799E3BAB7799BC972007BC2769C0BC128043BBA4931ABC996688BAA4F2623C9424653CDF82DC3B338BC4BB493764BCA27C203C2B1DC73B33B775BB077919BDD109AEBB15F94ABC58739EBBA99E033BF972913C02CDBCBCA06C8C3C6299FFBB95DB593CC163063D29B1C8BBBD04993C3EE2BD3CC7A902BB36EA8F3BF65B6CBC329FD8BC01B90B3DEA7B663C0692A8BC3A0EA4BC4273103CE5486ABC5C80983AF85D1A3C580D933CEECE963CF1C1F8BB8FF008BC58EF0BBCC5BFA63BA9C290BCFF44D33B9ADF663C6183BDBC140E12BA7C54DCBAD454E23CD10887BC5AE1673C9081CD395434AC3CF1C7AFBB33D3E1BBA3A10D3B13C0B93BCADC873BA5845F3C5C4721BBC03F2F3C24F58D3CF90721BCA344E53CDAFFAABC4874B2BCAB212EBC74DDDCBC76145DBC50EDB1BB7683D83CFEABE0BB625F1B3CA8253FBCDAAB7FBC74F3023C2E08123CD21A40BC4BD19E3B063F783CB425AB3AA1A2E2BAB3B82FBC44E472BA5B32913C669695BCA76F573B737C67BC3476413CBE12983C12BD8D3C0E9999BC8CE525BB2D5A0ABC104F983C80285E3C8955713B5D34DF3C",
      torch_tensor_48_torch.float32: "0x04000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
      torch_tensor_16_48_torch.float32: "0x04000000423DAB3C3CE1053DDBD0ABBCAB7124BC62FB0A3D6BA9F23CA63867BB5DB7383C32A3DCBC8A218FBB6EAC733D9D5CD8BCA0E3B0BC3874A53C8645FC3B8D359BBB290559BC240EDBBC5C2D7ABC5366F7BBA563F5BC2C85E9BA06A9BCBB3C78463CC10282BC0BCA50BC89A1CF3C4AEBD7BC6FC12D3D399540BD550BC7BB6BEDD0BCD0CCB53C834A9C3C1FDB18BDBE03FBBCAA10B63C516D82BB0412CE3CA266B2BC32B8413ADC8F9F3A80BF97BCF3CEA83CF023A6BC228C69BACB58983C856C483CA9AF8CBC084BA2BCA78F35BDA001B53C9BEAC2BCE01E84BC60BE243CD256B9BC2500F43C13F79E3C13DFA3BCF24D0BBD00078C3C264044BDF4AE0DBC93E32CBC6E71BA3B26002CBC0F1A683C0A13BE3C322149BBAFE2A53C50CF933BD93A1F3C4BFEA8BCCB8FE23AF551BA39A2BAD13BC537DC3CB5B8D43B441694BBBD3719BC2F81B0BCA997C1BBF3A9DE3A49A7BC3BB09EB4BCE7B08FBCF262943B7F89903B4401363B993E19BDC51CDABC30CE83BC336E92BB04E842BB164C90BC72DD133DCA5AF23BB0A6113B7D6DA0BC190B9FBC676ECDBA4765FBBC54F5B23BD7488ABC58E8B83C8A35E9BC491331BC7773DDBBD4C107BDEA76E63BC7DD1EBC9599213C924D8BBCD975F93C078A2ABDC922973C50CDD4BAFB61F2BA1585413C6ED6663BBE1BF7BC70981B3C5B70B53C14AD27BCC2A4D33C723113BB422E30BDA6F0C9BCC240D33B8190633CDB1ED93BEA6AB8390B97FBBB5485EB3B1D26A93B81561E3DFD66513D69D1C7BBB718173CFE50EBBC4E5FA03CB8A30DBCE00521BA8D03A7BC57F543BCC6B89ABCC76DC43BA3F27BBC13A1DBBCB7F98F3CE7CE203C7D67FE3CA244153C7E9AAEBA2228373CE61A65BC1E1037BCE4570CBD7CF245BC94E3A6BCE10B29BC47B0A3392709DBBC2E4D263D81F604BC4489E03C4A8169BC2758803C91B60A3D49F8BDBCCB28C33CFC1BD73AF9851D3D6998CB3C0A8137BCEAB397BCF48F30BC2E5A7F3C0539C83BEDC612BC02040D3BAB98A6BAC090533A8C6A05BD80D6A3BC777FCD3B80EE8DBC324F003BF731033DF99A11BD58F6363C07B6B7BC897E553D90A9E43CE7D9B6BCFCCCD93BE1335ABCBB55DEBCFDD6033C064A18BD0A7DA8BC8190A9BCA2CBF3BCF4A2503C457A4ABBD2153FBC8024B73C8AF2763C6C1C013C66D500BC56D4923C5194193B573E07BD7C903ABC0793483C383B303CD841C93C77AC05BCEE8E943C4A43C3BB37D8EFBBC6B016BCA2D2E3BCB93E96BC4EDCE53CCC6F09BD74A18E3A1703493C4FDDC6BBE5CDFB3A46B1303CA0B3233D53F205BDC37C8F3CA630AC3C5349A3BC04919DBB8205E13C30D6AE3C3786DA3A4AE7D4BC871DE63CF488B5BCC188E1BC9C0245BC19E10ABB6B2D46BB6645EC3C97529C3C8A18423C655D94BCB264A0BCCF21DCBB21B962BD54AE073D5856C1BB39D5C23CD33727BB4E33C53B0707D03C85687A3C7A3B82BC0ABD3D3C50A399BC5B32703B7788B23B3256723CC9A43DBCD30A123DF4758D3B307233BC67BA553CCEEF50BC9FBE9BBBE2BE203B36C504BC13A202BC535A4A3C4D291FBC6048BCBAD46C2DBD07E8663C24DDB33C2969BCBC97A304BC4724093DE963ABBC9EB21CBAB432883C8C16EDBC3BC0283BDC6186BB6ABE583CFE61563C07BB883AFBE7263DCC9AED3BEE6EC93CFD03C4BC4B60023D2FC0753C06D3DABCD821E4BCF10423BC47B9F2BCAE899B3C483416BC0EE91FBCC93CEC3C92B29ABC321EF8BC307917BD62C807BCD00404BB2E8A59BBBC4DFFBB0ED8F6BAD943FA3BDC0935BD32BEEA3BD5654B3DAF54DF3CA56241BCEACBCA3B5B2BD0BC37CBE43BD712013D9E9DFEBCD338603C05DE873C2AD85F3C191C413BA43A82BBA1DAB7BC8BDC70BBE76CAA3BB521D2BB4E0E563C846A333CF7A6CBBCBC5B223B79D02C3C218D0B3DF859383C13D9F93B400814BD68458D3B34CAF53CF0388F3CEFB33B3CB925623C7267D83C0B5FDCBC6F214CBC805BF3BBB91394BC32DEA53CC20B02BD7C58763C5F55203C106D543C4B1DEC3B06C0473D87C416BC144A9B3C0A38C8BC2AB7BD3C12F3FCBB750C803CD957EF3A79B57FBB5E6D023BB3F23FBC3B3909BCF9761FBB1ECA7BBC5CC6733C5DE1D83BF2351A3C4A56D53B97D8B4BCD280BCBC2F23743C0085A2BA4F3A94BC99908DBC278D45BC1FF6943CA9E4133DA563ABBCBC99BDBC45B32ABC18F176BBB39CF2BB296D93BCE4BBD6BB0E9AD43CF95051BC1E8FC8BCE6D42EBD93458D3C7EA9343DBF1A08BCE72FC2BBC17C393C55F802BD346ACBBC40F4A23C605D94BC50ABA0BB53D941BD6E4F15BB18EA80BB5E77273C74A18B3C80A0E83C1C38093D1D2A2B3C405FCF3BE0056EBD8DAF3DBA9C7BA43CFEC68EBAD7BDF9BC80D71CBD523012BC1537A2BC3860D0386470E13B3950D9BC4527BFBC2D9B9DBA0948A73C4C87833CE851993BB827EABB1ECEDABBF710CCBC595C3ABC8517903C6F43873CEEEDCCBCC2B226BCF33ADE3B079D89BBC47AC33BE418013C5D8E8EBCA911E13CF71C703CE2EBB5BB6B31EF3B287112BD4CBE6FBBE2B3023D9B6B5F3C22FC263DC69B173D3D86E43BBE2921BDAD14A03BFF9DA23C5B6FEABB9E3AB0BC6B16BD3C7C28CA3B6AB6DC3CD6C0A0BC6978463C0C787FBCDC4F8D3CEC2D9FBC85D39BBC97E3A0BA069E7FBC54E9673D20096C3C886500BBBF39833C29126B3B00E3473C7E639B3B10B1203D3F92103DB9CB65BDE240133D232382BB01B809BC02FE0DBC7E1703BD33F3FE3C6463E03AD33E66BB0B2B88BB9D5D90398A2BD23CE8CE0ABCED55CA3C804ACB3C4B29303CE2C70DBD265B013D860E0D3C94B3E83C80F3BC3B09AE5DBCD2FD123DD4A24BBCA03F10BD83F48CBCEE7C6E3DD6BDA73C894923BB932A9CBB7BA8D33B47AAE03A0C964F3CF8F4833CCA02F4BBB8B56A39D67DA93C53CBAEBCF8C71BBCFBD4C2BA9506C53B869C53BDA3326A3DCB3D813B9EF016BDFCB677BC3E7C30BDB0E4A93CDEA3B43C1D00713CEBBAD9BB2BF71D3DE2A7ED3C4F1FEABCD988F63C6D003A3C0920793C550368B99DF79A3C6735593D2C671FBB66B402BD89DFC9BCB329CCBC82C80BBC0219D1BBC8D0093BD17995BCE9F80D3CBCEFD53C9E14D9BAAEC62E3BAB0E92BB5D50463C12630C3C4DF3AE3CF297C93C79B207BC24B6A53CD38518BCB25EA73CFC6134BC05D03E3C4930A0BC763D833C3CDACCBB57D3EE3A09903FBC94C99FBC201C5B3BAFAD28BDA7B5233D737B733CAA25843CBDF3FCB88699833B146F123D698A883B4DD123BD602190BCB01E94BB8556C0BC267E41BC221988BCDCE28D3C46F0043D507731BA6D4839BC057557BDC28A0BBD0B1B1E3CE6C5A5BC73CE2ABC2F1A59BC87911DBA9E260D3C25F3DEBCD48E04BD62BC57BC372C003D5B49EC3C2A0AF9BB2CCFD53A35C8F63CB2DB67BA991CB33BC5D3B33C834A183D5460333C579AC83C9815BF3C44BCD1BC14E0B6384214CFBBF9375C3B6670B0BCDC6FD8BB0F0239BCA5C9C7BC69E1B03B762317BCEB7A47BC493FFDBB7C35F73B6A7FAABA5464EB3CE978003D1BC3ACBB55704539C0337DBB0346ECB92F132DBC801FD7BBAB7ED33CBB2BB0BB3B1B7D3C9F63863C663299BD5E4334BC0B10C63B3DBCDFBBBEC6C7BBAEFB173D5D0E07BD27C2193BE2FB1D3D1989E0BBF44297BC199BC5BC958FEE3ABEDB7BBC9CD2D73CBCF1AD3C65D5413C843135BB06EC4F3C747B88BB127202BBCA14DD3CF3CD2DBC7413463C6BA890BB89EB5D3C8CF3613C6D79893B64CFAD3C43CA7E3BAEF09A3B597E29BC54F72A3C0CA4003D74F1BDBC8B46EBBC22BB42BA79D13BBDE7C60BBD35E8463CD2AB78BC0064D0BB18C6F4BB6A3F0CBDD2786F3AA950323C079BA93B46BB91BA5B9FD93C723C733C06EF9FBC395BD0BC2A45953BB24523BD4D7A2CBC3EF975BC0B75513ADE95E7BB398ADFBCF7AAD13BC6A40D3CBE97E5BC010BDDBC36BD943C675BD13C8B10F4B957357EBB3A05853B6A7BF1BC4F66B13C00B80DBDC1BBB9BCE2CFFABCBC99C43B496A113C75046A3D12590C3D3A7486BB40BE103B37150CBC7B258BBC29CFF03CC964C4BCF631AFBA5E1050BC7CFAEA3ABD4D6A3C2C8D5E3B1EFA183DDA0F1C3CAF4834BC9B7E703C99571A3DDBC90DBC8B9FF53CA739573D5265E2BB5D120CBD1997CFBCCEB5E1BB096B7FBCA4000F3B8F323B3C6DA43A3C7EA42F3DEE3FA93C59DC93B62A44ED3BC5C145BCFBD77A3CD941923C54679ABB865B48BDCA9CCCBC5065AE3B5580FBBB3D1CB43CEB91363C60E9833CC8491F3C70D57ABCF3DCD03CEC07933B99B4183B801ECFBB24B118BC090ACD3C",
      torch_tensor_16_torch.float32_1: "0x0400000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
      torch_tensor_16_torch.float32: "0x040000000000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F",
      torch_tensor_16_16_torch.float32: "0x0400000006B6BABC79D794BC1D5BB5BCAF278F3B2E6A18BCCA90D9BCA0F7D0BB27F0663C82CCD83C697B693CD5D59D3C73AD963C1CE9D6BB2241DCBC3DABA13CF2851C3D84BE313C4F0C993C1672103A46CFBBBB6F5E0DBD93A6303A36C5A53A2E95FC3B472328BDF3C155BC7B67D73C93994B3CF4C59C3CD09B343D940CE0BC550B423D72D8F3BCE551D63C7B38863CAA15383B0E88803C30FF963CC6E0A33CEF563CBC866B9B3A6B8DB7BCA7CA483C92AC4B3DAADE403A653BD5BC7F7E05BDC66DDABB4AD589BCC2161ABBAFE7693CDCF56A3C9698A73CB8C8C4BB64EC16BCA49D3C3C3E8EA9BC9867473B4C7AEC3C8562C03B8076E0BC8F5D343C5E30F4BB3FCA18BD1842B239A43062BC1971523C023E2CBCEEFAB1BC8D7AB23C57B5E53C694223BBD4399FBC55B2F43BAD36C23B38FDB93C505191BA830D17BCA78421BBBC8FC53B5865D83B275E26BD973967BC0B4F5E3C61152D3BE933C03CD63D8FBCE9BCABBC0EC11F3CDC5730BC0521283D569205BD1E55A03B4AB249BC2686AEBC80CBA3BC9BFD9039AEC9B83C52B519BC91100A3B6D6EBE3B5F16A1BCA147FB3CA524DD3C18D5823CB9A5A7399308D83C9664223CC0AACEBC2214E6BC6EFD973B8795123DAAC2273B32DDA1BC2A8B773CB286B5BC37726FBC1018003D42F4C03C18803E3B4568C03B21C4B3BCB88AC13C573438BC0BE942BCB6A80F3DCBC30BBD067DB63BB74511BC145B46BC84BF02B9279D86BC145531BCC0B0013DBE621FBB9D7994BC868B19BCEF738ABC828E83BCEDC4993CCB59E7BB0E6F983CEF3F843B53A202BB488280BB065F1EBCDCA5D63C1982AE3B6991073DAF5E683C92E1873CD9D48EBCEE37A43B406A2BBCB73C30BCC3B09BBB77B1B8BCAC18CE3B792163BB23BDFEBCE4DB3BBC67C48E3CBC97603CEF9B0DBCE0023D3C66F4BCBB278FD43AAC287ABB5BB9DD3CAF88033CDC98C03AD71DDBBBF0A1B23C5B1C033C78886E3B7888213D90FD963C8EFD4F3C051A183C35FDC13C7DFA39BCE9D71B3C9B4C953C6375943C59CCEE3CB961ABBD2787053D2911DE3B2950B7BC66B1EBBA8B827CBB3D10F43C0A70C93BF4CCEB3C00AE093CE72ED2BC9314C93C8F4C103CD7792EBDA2778FBBA774ABBB4B0DCABC2FE103BA1B58E5BC19C08CBD7071B13CE1E9A5BCC5D6FBBB3548783C55D4353CFB04F2BBE0F5B73CC4810A3C75E7E0BC5FBA87BB7535D5BC27E3A9BC87A5E43C7861F33CC5291A3D9C897EBB2033213C9C1B253C57F8123CE214493AC5B36B3C98CAEF3B777E433C99C2283B6E70DE3C05E5BB3C1BA67CBC4B71C33CFB176BBAACE5913C378DAA3B3B3855BDE6530DBD6EA3D1BCBC133ABCD316B4BCDC51C03ADC228ABC2F629EBCC72D0C3B41AE72BC7CE5F8BB303E6A3C4A3226BB5F432139E2C2323C86B2D9BC42D785BCBD651BBC2CCD07BD825138BC",
      torch_tensor_32_16_torch.float32: "0x040000001E18AE3A71A9A3BC3D78E8BCFEB6F73AD45668BC0DED153C78059C3C9D1A92BBF46026BC809732B9A9E4483C7EC94E3AD999A8BA8CBE643AAF99D23BB2DF77BC1665983A3D453E3CFD2D833B471FB1BCA06910BDC6B099BC7BB739BC629537BC0478673AF356AF3CBC96E1BCB9D0CEBBD2E7683C8E3DDB3BD3F9173DC46108BCF25E59BBDE0CFC3B6C6721BCA9F705BCA1144ABCD2A735BB242517BB4DA9C8BC37EEB5BCA4F1A6BC441757BCF641163CE57CB9BCEEECC7BC8B99D7BBE6BB223D789C59BC80B8B2BCD4692D3D5E994EBC6764543C4B9D5ABCBC0700BCCB80293CF22FD33B66BFE7BB299057BBB7F1E0BB257730BC7703F3BB06DC313B270BEDBC63639D3C3745B0BC0E96F1BBF7C9063CF8A06B3B40A9F83C669AB3BCF2AC423C0FF2B23C210FEC3AF824BCBCA27555BC4180B33CC9FBB73C84B322BD58464A3DEC10073D07C6523C19A8113C8D2A103C198FB3BA4F584DBBFDFAC7BCFA9D8DBC277F8B3DB9500BBA23AF02BD2DAB84BC0FB40B3C404F013A6AC2A6BC0535D63B40FA92BC75B37ABB1F7716BB56C19BBC4A1A513C1BFAE7BB89FA31BC3C2E903CB94EE13C53A79C3CCD57A1BCFD782E3CC70238BC398D18BC6791993C8DC590B9506B08BC4A333DB51847F03C08381EBC4DA918BDE3E11C3D382C5FBC557D663C800786BCDE5A04BC864EC6BC095624BC394516BC60B981BCED4C46BC966C1B3C560E883CDD55C4BBEFB8F0BC7EE3763B2FFA8F397970FEBB44755DBCD8E31A3D67721D3CFE2AB2BC07609FBB879FBEBAA496C23A7E553D3C92BBB3BC5B1CBA3B9B68C53C54F784BC0541773C6EAF51BCFBF3213DCD1D97BC45AD88BC0074D3BB59AAE43C945587BBEF6AB73C1030DE3A26048BBC7030B8BC3228A03C9CDC653CB39D3A3C24729AB9DA0307BC12311EBB60B817BC9E76643CF046253B2C18F8BBFDE7EEBCFB91153CE9DD823BE794B4BCAB4D0C3DC7CBF0BA0D15AB3CCBB9663C59571BBC06A67DBC4DC0C5B8549C9B3B5E363E3BF830EA3C4905763CFCDA5FB965F9BABCA25B25BBD46D373BB90713BC445EBA3BCDB6203DCDC0A0BC8F8C7ABC282619BC32F1F1BC32D2523C07A478BBC40CB73CBC9C75BC6C11E3BC3745113C70A6FF3CF3001F3BD3902ABCDF4B223AF06E09BCCEBAFB3CF490CEBC1100993C5893B2BCC7D5853C6E2A093C4A16413DCE641D3D4479CEBC055FFD3B709CAABC79B12FBC94961B3D9E4F95BA0BCCE1392E506DBC956306BDD29573BCE47F04BDB3089C39E3A6843CFDA4A43B2C0B61BCD6E795BC8A4961BCD381BEB96177083D20E4BBBBD2EBDA3C378D20BC96CD27BCD49EEABB800E7BBB6156AA3C4E54A23C3738D0BC7B6F35BB3506083B80D8233DF6FA08BD77160DBDFC76F3BC12DC9B3C940831BC62F63D3DF5BE093C7555DB3C9A1BA3BB8CA975BCB213A9BCCDCF143D05E71DBDEDB694BBA9F9B8B932C051BD88B621BCF25D06BD9DCA6ABBAC50E53C013B773BEC775F3C4587E9BBED7C0DBDA914D43CB474E53CCDE3C7BC4D162BBD4C19943B6A990BBC7032D03B59CACEBCD7C4AA3CA9298B3C924FE03B29432ABDAB810B3C699D01BCE37014BD6123FABC089D89BBD434753B383AEEBC0FE64A3C49F0353CBD5C743CA57A2BBC1D823C3DF38828BC2B67A93B2A0D1FBC73B3FEBC26FA2BBC80B3BFBCD73089BC048F3D3C468398BBCE9DCF3CE9336DBC98C46FBC1959BC3B584726BC155C35BCFBE89CBBD81D4BBC990388BC324B053D84AEE73C7EBABB3B4CC6963B4ADA27BC9012A23B829540BCD4C29A3BA6834B3C303188BCB6DB1E3CEA45643C3E4377BC54F2033C3D5EB03C27557F3C0CB073BB977D3FBBAD51A8BB63D9053C0F4FA73CAAFFE4BCE7D8A4BC0DAAC2BCA626083CC2B408BCC9C6E63B9EF471BB5B94DCBB0021C93BA432423DBB7B90BC1DCADABCEEE5F8BCB907FDBCC78535BC01DF1D3C5B14C5BC5E0AEC3B868283BB93E341BC65A5DB3C862953BDDCD534BB8B99A1BBEA98C3BC8A81353CD4BA43BC7C0BCBBC8811923C2D6F0FBB45997D3BABF33F3C78031C3D403A7C3C3D83C2BC22D8A03B1B5B243DE7FBE6BBAF8D1FBC142EDB3C8258353CE6D14FBDB5518CBB42491CBC37AA9EBB4BF090BCFD7D8FBCC257523CCC696E3BC268E1BCE1236F3BF3316C3DEFFEBD3CBE4224BA9303DC3CA2B403BA12DB653C34C205B85073933C924B55BB0A445D3B202745BC527B89BC37BD113C38D5BABBD6100B3D06F1D3BCB5D78CBC7E74223B0B386FBB075E633CA06194BC9E2DDD3A4BCC32BC973F80BC04C4AD3B595F68BCC6C5E4BC8FCAB33BD23DBBBB32E9C43C968286BAAFBCD73C1F7C1E3D0E80673C3B496BBBC4C7313CF9B1BEBB0F408ABC7BD734BB099C333C3824663C49C2183C8EC791BBC420423C473072BCE19A623DBE5374BC76AAA6BC73A54CBCE52EE6BA44BCA2BCF854F5BA1BCF903C22D655B8F20BD33C61551E3A1599363C56552EBDBF7C0F3B8273D3B856B285BB21C0763BC9CCC43B0A74CDBBD02490BCEB013C3C2ECF173C900CDC3CE616A7BC874B813B6A9651BA983883BC2B990CBD3C12073C98C9D0BA92B3AABBE50EAABC5C87313C97EF823C29798E3CAE0E1FBC25F7B33C64FC8FBBAEFB823BA50BDA3BA64EA5BCA6DD68BC5782963C71639BBC2EDA633C372C20B9CABB94BCC8D50C3C3E90B1BC276E5CBB0EE0273BDCDBCEBC7CA4BF3C190F09BCB33D103C678F5A3B5FCC09BD2D910A3C77A1BCBC57834A3C286907BDBA228E3C79C2543C4770733B76C882BC72DA0D3D22C9363C72DA903A883D123DAA8CA0BB96EF183C7C5EDC3BB7D043BCE94FD53CE7A4A7BBDBB12F3C7B0E543D8770B2BAAF9FC53B12BBB93B78D08ABBA2840D3D578F90BC0D34AF3B7087903C"
    }
  }
#-}
