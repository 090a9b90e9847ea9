#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1) -> (d1)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map6 = affine_map<(d0, d1) -> ()>
#map7 = affine_map<(d0) -> (d0)>
#map8 = affine_map<(d0, d1) -> (0, d1)>
#map9 = affine_map<(d0, d1) -> (d0, 0)>
#map10 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map11 = affine_map<(d0, d1, d2, d3) -> ()>
#map12 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map13 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @forward(%arg0: tensor<1x?x16xf32>) -> tensor<1x?x16xf32> {
    %c0_i64 = arith.constant 0 : i64
    %c1_i64 = arith.constant 1 : i64
    %c3_i64 = arith.constant 3 : i64
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %cst = arith.constant 0.000000e+00 : f64
    %cst_0 = arith.constant 0.000000e+00 : f32
    %c2_i64 = arith.constant 2 : i64
    %true = arith.constant true
    %cst_1 = arith.constant 0xFF800000 : f32
    %cst_2 = arith.constant 4.471500e-02 : f32
    %cst_3 = arith.constant 7.977240e-01 : f32
    %cst_4 = arith.constant 1.000000e+00 : f32
    %cst_5 = arith.constant 5.000000e-01 : f32
    %cst_6 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_7 = arith.constant dense<true> : tensor<i1>
    %cst_8 = arith.constant dense_resource<torch_tensor_16_torch.float32_5> : tensor<16xf32>
    %cst_9 = arith.constant dense_resource<torch_tensor_16_64_torch.float32> : tensor<16x64xf32>
    %cst_10 = arith.constant dense_resource<torch_tensor_64_torch.float32> : tensor<64xf32>
    %cst_11 = arith.constant dense_resource<torch_tensor_64_16_torch.float32> : tensor<64x16xf32>
    %cst_12 = arith.constant dense_resource<torch_tensor_16_torch.float32_4> : tensor<16xf32>
    %cst_13 = arith.constant dense_resource<torch_tensor_16_torch.float32_3> : tensor<16xf32>
    %cst_14 = arith.constant dense_resource<torch_tensor_16_torch.float32_2> : tensor<16xf32>
    %cst_15 = arith.constant dense_resource<torch_tensor_16_16_torch.float32> : tensor<16x16xf32>
    %cst_16 = arith.constant 0.35355339059327379 : f64
    %cst_17 = arith.constant dense_resource<torch_tensor_48_torch.float32> : tensor<48xf32>
    %cst_18 = arith.constant dense_resource<torch_tensor_48_16_torch.float32> : tensor<48x16xf32>
    %cst_19 = arith.constant dense_resource<torch_tensor_16_torch.float32_1> : tensor<16xf32>
    %cst_20 = arith.constant dense_resource<torch_tensor_16_torch.float32> : tensor<16xf32>
    %cst_21 = arith.constant 1.000000e-05 : f64
    %cst_22 = arith.constant 1.600000e+01 : f64
    %cst_23 = arith.constant 1.600000e+01 : f32
    %c16_i64 = arith.constant 16 : i64
    %dim = tensor.dim %arg0, %c1 : tensor<1x?x16xf32>
    %0 = arith.index_cast %dim : index to i64
    %1 = tensor.empty(%dim) : tensor<1x?x16xf64>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x?x16xf32>) outs(%1 : tensor<1x?x16xf64>) {
    ^bb0(%in: f32, %out: f64):
      %128 = arith.extf %in : f32 to f64
      linalg.yield %128 : f64
    } -> tensor<1x?x16xf64>
    %3 = tensor.empty(%dim) : tensor<1x?x1xf64>
    %4 = linalg.fill ins(%cst : f64) outs(%3 : tensor<1x?x1xf64>) -> tensor<1x?x1xf64>
    %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%2 : tensor<1x?x16xf64>) outs(%4 : tensor<1x?x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %128 = arith.addf %in, %out : f64
      linalg.yield %128 : f64
    } -> tensor<1x?x1xf64>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5 : tensor<1x?x1xf64>) outs(%3 : tensor<1x?x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %128 = arith.divf %in, %cst_22 : f64
      linalg.yield %128 : f64
    } -> tensor<1x?x1xf64>
    %7 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2, %6 : tensor<1x?x16xf64>, tensor<1x?x1xf64>) outs(%1 : tensor<1x?x16xf64>) {
    ^bb0(%in: f64, %in_52: f64, %out: f64):
      %128 = arith.subf %in, %in_52 : f64
      linalg.yield %128 : f64
    } -> tensor<1x?x16xf64>
    %8 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7, %7 : tensor<1x?x16xf64>, tensor<1x?x16xf64>) outs(%1 : tensor<1x?x16xf64>) {
    ^bb0(%in: f64, %in_52: f64, %out: f64):
      %128 = arith.mulf %in, %in_52 : f64
      linalg.yield %128 : f64
    } -> tensor<1x?x16xf64>
    %9 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%8 : tensor<1x?x16xf64>) outs(%4 : tensor<1x?x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %128 = arith.addf %in, %out : f64
      linalg.yield %128 : f64
    } -> tensor<1x?x1xf64>
    %10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9 : tensor<1x?x1xf64>) outs(%3 : tensor<1x?x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %128 = arith.divf %in, %cst_22 : f64
      linalg.yield %128 : f64
    } -> tensor<1x?x1xf64>
    %11 = tensor.empty(%dim) : tensor<1x?x1xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10 : tensor<1x?x1xf64>) outs(%11 : tensor<1x?x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %128 = arith.truncf %in : f64 to f32
      linalg.yield %128 : f32
    } -> tensor<1x?x1xf32>
    %13 = linalg.fill ins(%cst_0 : f32) outs(%11 : tensor<1x?x1xf32>) -> tensor<1x?x1xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0 : tensor<1x?x16xf32>) outs(%13 : tensor<1x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %128 = arith.addf %in, %out : f32
      linalg.yield %128 : f32
    } -> tensor<1x?x1xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%14 : tensor<1x?x1xf32>) outs(%11 : tensor<1x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %128 = arith.divf %in, %cst_23 : f32
      linalg.yield %128 : f32
    } -> tensor<1x?x1xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12 : tensor<1x?x1xf32>) outs(%11 : tensor<1x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %128 = arith.truncf %cst_21 : f64 to f32
      %129 = arith.addf %in, %128 : f32
      linalg.yield %129 : f32
    } -> tensor<1x?x1xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%16 : tensor<1x?x1xf32>) outs(%11 : tensor<1x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %128 = math.rsqrt %in : f32
      linalg.yield %128 : f32
    } -> tensor<1x?x1xf32>
    %18 = tensor.empty(%dim) : tensor<1x?x16xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %15 : tensor<1x?x16xf32>, tensor<1x?x1xf32>) outs(%18 : tensor<1x?x16xf32>) {
    ^bb0(%in: f32, %in_52: f32, %out: f32):
      %128 = arith.subf %in, %in_52 : f32
      linalg.yield %128 : f32
    } -> tensor<1x?x16xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19, %17 : tensor<1x?x16xf32>, tensor<1x?x1xf32>) outs(%18 : tensor<1x?x16xf32>) {
    ^bb0(%in: f32, %in_52: f32, %out: f32):
      %128 = arith.mulf %in, %in_52 : f32
      linalg.yield %128 : f32
    } -> tensor<1x?x16xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20, %cst_20 : tensor<1x?x16xf32>, tensor<16xf32>) outs(%18 : tensor<1x?x16xf32>) {
    ^bb0(%in: f32, %in_52: f32, %out: f32):
      %128 = arith.mulf %in, %in_52 : f32
      linalg.yield %128 : f32
    } -> tensor<1x?x16xf32>
    %22 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21, %cst_19 : tensor<1x?x16xf32>, tensor<16xf32>) outs(%18 : tensor<1x?x16xf32>) {
    ^bb0(%in: f32, %in_52: f32, %out: f32):
      %128 = arith.addf %in, %in_52 : f32
      linalg.yield %128 : f32
    } -> tensor<1x?x16xf32>
    %collapsed = tensor.collapse_shape %22 [[0, 1], [2]] : tensor<1x?x16xf32> into tensor<?x16xf32>
    %23 = tensor.empty() : tensor<16x48xf32>
    %transposed = linalg.transpose ins(%cst_18 : tensor<48x16xf32>) outs(%23 : tensor<16x48xf32>) permutation = [1, 0] 
    %24 = tensor.empty(%dim) : tensor<?x48xf32>
    %25 = linalg.fill ins(%cst_0 : f32) outs(%24 : tensor<?x48xf32>) -> tensor<?x48xf32>
    %26 = linalg.matmul ins(%collapsed, %transposed : tensor<?x16xf32>, tensor<16x48xf32>) outs(%25 : tensor<?x48xf32>) -> tensor<?x48xf32>
    %27 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%26, %cst_17 : tensor<?x48xf32>, tensor<48xf32>) outs(%24 : tensor<?x48xf32>) {
    ^bb0(%in: f32, %in_52: f32, %out: f32):
      %128 = arith.addf %in, %in_52 : f32
      linalg.yield %128 : f32
    } -> tensor<?x48xf32>
    %expanded = tensor.expand_shape %27 [[0, 1], [2]] output_shape [1, %dim, 48] : tensor<?x48xf32> into tensor<1x?x48xf32>
    %extracted_slice = tensor.extract_slice %expanded[0, 0, 0] [1, %dim, 16] [1, 1, 1] : tensor<1x?x48xf32> to tensor<1x?x16xf32>
    %extracted_slice_24 = tensor.extract_slice %expanded[0, 0, 16] [1, %dim, 16] [1, 1, 1] : tensor<1x?x48xf32> to tensor<1x?x16xf32>
    %extracted_slice_25 = tensor.extract_slice %expanded[0, 0, 32] [1, %dim, 16] [1, 1, 1] : tensor<1x?x48xf32> to tensor<1x?x16xf32>
    %28 = arith.cmpi slt, %0, %c0_i64 : i64
    %29 = arith.select %28, %c1_i64, %0 : i64
    %30 = arith.extui %28 : i1 to i64
    %31 = arith.muli %29, %c2_i64 : i64
    %32 = arith.addi %30, %c1_i64 : i64
    %33 = arith.cmpi sle, %32, %c1_i64 : i64
    cf.assert %33, "must have at most one inferred (negative) dimension"
    %34 = arith.muli %0, %c16_i64 : i64
    %35 = arith.divsi %34, %31 : i64
    %36 = arith.select %28, %35, %0 : i64
    %from_elements = tensor.from_elements %c1_i64, %36, %c2_i64, %35 : tensor<4xi64>
    %reshape = tensor.reshape %extracted_slice(%from_elements) : (tensor<1x?x16xf32>, tensor<4xi64>) -> tensor<1x?x2x8xf32>
    %37 = arith.index_cast %36 : i64 to index
    %38 = tensor.empty(%37) : tensor<1x2x?x8xf32>
    %transposed_26 = linalg.transpose ins(%reshape : tensor<1x?x2x8xf32>) outs(%38 : tensor<1x2x?x8xf32>) permutation = [0, 2, 1, 3] 
    cf.assert %33, "must have at most one inferred (negative) dimension"
    %reshape_27 = tensor.reshape %extracted_slice_24(%from_elements) : (tensor<1x?x16xf32>, tensor<4xi64>) -> tensor<1x?x2x8xf32>
    cf.assert %33, "must have at most one inferred (negative) dimension"
    %reshape_28 = tensor.reshape %extracted_slice_25(%from_elements) : (tensor<1x?x16xf32>, tensor<4xi64>) -> tensor<1x?x2x8xf32>
    %transposed_29 = linalg.transpose ins(%reshape_28 : tensor<1x?x2x8xf32>) outs(%38 : tensor<1x2x?x8xf32>) permutation = [0, 2, 1, 3] 
    %39 = tensor.empty(%37) : tensor<1x2x8x?xf32>
    %transposed_30 = linalg.transpose ins(%reshape_27 : tensor<1x?x2x8xf32>) outs(%39 : tensor<1x2x8x?xf32>) permutation = [0, 2, 3, 1] 
    %40 = arith.cmpi sge, %0, %c0_i64 : i64
    cf.assert %40, "unimplemented: dynamic negative broadcast sizes"
    %41 = tensor.empty(%dim) : tensor<1x2x?x8xf32>
    %42 = linalg.generic {indexing_maps = [#map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%41 : tensor<1x2x?x8xf32>) {
    ^bb0(%out: f32):
      %128 = linalg.index 1 : index
      %129 = linalg.index 2 : index
      %130 = linalg.index 3 : index
      %131 = arith.cmpi eq, %37, %c1 : index
      %132 = arith.select %131, %c0, %129 : index
      %extracted = tensor.extract %transposed_26[%c0, %128, %132, %130] : tensor<1x2x?x8xf32>
      linalg.yield %extracted : f32
    } -> tensor<1x2x?x8xf32>
    %collapsed_31 = tensor.collapse_shape %42 [[0, 1], [2], [3]] : tensor<1x2x?x8xf32> into tensor<2x?x8xf32>
    cf.assert %40, "unimplemented: dynamic negative broadcast sizes"
    %43 = tensor.empty(%dim) : tensor<1x2x8x?xf32>
    %44 = linalg.generic {indexing_maps = [#map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%43 : tensor<1x2x8x?xf32>) {
    ^bb0(%out: f32):
      %128 = linalg.index 1 : index
      %129 = linalg.index 2 : index
      %130 = linalg.index 3 : index
      %131 = arith.cmpi eq, %37, %c1 : index
      %132 = arith.select %131, %c0, %130 : index
      %extracted = tensor.extract %transposed_30[%c0, %128, %129, %132] : tensor<1x2x8x?xf32>
      linalg.yield %extracted : f32
    } -> tensor<1x2x8x?xf32>
    %collapsed_32 = tensor.collapse_shape %44 [[0, 1], [2], [3]] : tensor<1x2x8x?xf32> into tensor<2x8x?xf32>
    %45 = tensor.empty(%dim, %dim) : tensor<2x?x?xf32>
    %46 = linalg.fill ins(%cst_0 : f32) outs(%45 : tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
    %47 = linalg.batch_matmul ins(%collapsed_31, %collapsed_32 : tensor<2x?x8xf32>, tensor<2x8x?xf32>) outs(%46 : tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
    %48 = arith.muli %0, %c2_i64 : i64
    %49 = arith.select %28, %c2_i64, %48 : i64
    %50 = arith.muli %49, %0 : i64
    %51 = arith.select %28, %c2_i64, %50 : i64
    %52 = arith.select %28, %32, %30 : i64
    %53 = arith.cmpi sle, %52, %c1_i64 : i64
    cf.assert %53, "must have at most one inferred (negative) dimension"
    %54 = arith.muli %48, %0 : i64
    %55 = arith.divsi %54, %51 : i64
    %56 = arith.select %28, %55, %0 : i64
    %from_elements_33 = tensor.from_elements %c1_i64, %c2_i64, %56, %56 : tensor<4xi64>
    %reshape_34 = tensor.reshape %47(%from_elements_33) : (tensor<2x?x?xf32>, tensor<4xi64>) -> tensor<1x2x?x?xf32>
    %57 = arith.index_cast %56 : i64 to index
    %58 = tensor.empty(%57, %57) : tensor<1x2x?x?xf32>
    %59 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%reshape_34 : tensor<1x2x?x?xf32>) outs(%58 : tensor<1x2x?x?xf32>) {
    ^bb0(%in: f32, %out: f32):
      %128 = arith.truncf %cst_16 : f64 to f32
      %129 = arith.mulf %in, %128 : f32
      linalg.yield %129 : f32
    } -> tensor<1x2x?x?xf32>
    %60 = arith.cmpi sge, %0, %c0_i64 : i64
    cf.assert %60, "negative values not allowed in new dimensions"
    cf.assert %60, "negative values not allowed in new dimensions"
    %61 = tensor.empty(%dim, %dim) : tensor<?x?xi1>
    %62 = linalg.generic {indexing_maps = [#map6, #map3], iterator_types = ["parallel", "parallel"]} ins(%cst_7 : tensor<i1>) outs(%61 : tensor<?x?xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<?x?xi1>
    %63 = tensor.empty(%dim) : tensor<?xi64>
    %64 = linalg.generic {indexing_maps = [#map7], iterator_types = ["parallel"]} outs(%63 : tensor<?xi64>) {
    ^bb0(%out: i64):
      %128 = linalg.index 0 : index
      %129 = arith.index_cast %128 : index to i64
      linalg.yield %129 : i64
    } -> tensor<?xi64>
    %expanded_35 = tensor.expand_shape %64 [[0, 1]] output_shape [1, %dim] : tensor<?xi64> into tensor<1x?xi64>
    %expanded_36 = tensor.expand_shape %64 [[0, 1]] output_shape [%dim, 1] : tensor<?xi64> into tensor<?x1xi64>
    %65 = tensor.empty(%dim, %dim) : tensor<?x?xi64>
    %66 = linalg.generic {indexing_maps = [#map8, #map9, #map3], iterator_types = ["parallel", "parallel"]} ins(%expanded_35, %expanded_36 : tensor<1x?xi64>, tensor<?x1xi64>) outs(%65 : tensor<?x?xi64>) {
    ^bb0(%in: i64, %in_52: i64, %out: i64):
      %128 = arith.subi %in, %in_52 : i64
      linalg.yield %128 : i64
    } -> tensor<?x?xi64>
    %67 = tensor.empty(%dim, %dim) : tensor<?x?xi1>
    %68 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%66 : tensor<?x?xi64>) outs(%67 : tensor<?x?xi1>) {
    ^bb0(%in: i64, %out: i1):
      %128 = arith.cmpi sle, %in, %c0_i64 : i64
      linalg.yield %128 : i1
    } -> tensor<?x?xi1>
    cf.assert %true, "mismatched size for broadcast"
    cf.assert %true, "mismatched size for broadcast"
    %69 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%68, %62 : tensor<?x?xi1>, tensor<?x?xi1>) outs(%67 : tensor<?x?xi1>) {
    ^bb0(%in: i1, %in_52: i1, %out: i1):
      %128 = arith.andi %in, %in_52 : i1
      linalg.yield %128 : i1
    } -> tensor<?x?xi1>
    %70 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%69 : tensor<?x?xi1>) outs(%67 : tensor<?x?xi1>) {
    ^bb0(%in: i1, %out: i1):
      %128 = arith.xori %in, %true : i1
      linalg.yield %128 : i1
    } -> tensor<?x?xi1>
    %71 = arith.cmpi eq, %dim, %57 : index
    cf.assert %71, "mismatched size for broadcast"
    cf.assert %71, "mismatched size for broadcast"
    %72 = tensor.empty(%dim, %dim) : tensor<1x2x?x?xf32>
    %73 = linalg.generic {indexing_maps = [#map10, #map11, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%70, %cst_6, %59 : tensor<?x?xi1>, tensor<f32>, tensor<1x2x?x?xf32>) outs(%72 : tensor<1x2x?x?xf32>) {
    ^bb0(%in: i1, %in_52: f32, %in_53: f32, %out: f32):
      %128 = arith.select %in, %in_52, %in_53 : f32
      linalg.yield %128 : f32
    } -> tensor<1x2x?x?xf32>
    %74 = tensor.empty(%dim) : tensor<1x2x?xi64>
    %75 = linalg.fill ins(%c0_i64 : i64) outs(%74 : tensor<1x2x?xi64>) -> tensor<1x2x?xi64>
    %76 = tensor.empty(%dim) : tensor<1x2x?xf32>
    %77 = linalg.fill ins(%cst_1 : f32) outs(%76 : tensor<1x2x?xf32>) -> tensor<1x2x?xf32>
    %78:2 = linalg.generic {indexing_maps = [#map5, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%73 : tensor<1x2x?x?xf32>) outs(%77, %75 : tensor<1x2x?xf32>, tensor<1x2x?xi64>) {
    ^bb0(%in: f32, %out: f32, %out_52: i64):
      %128 = linalg.index 3 : index
      %129 = arith.index_cast %128 : index to i64
      %130 = arith.maximumf %in, %out : f32
      %131 = arith.cmpf ogt, %in, %out : f32
      %132 = arith.select %131, %129, %out_52 : i64
      linalg.yield %130, %132 : f32, i64
    } -> (tensor<1x2x?xf32>, tensor<1x2x?xi64>)
    %expanded_37 = tensor.expand_shape %78#0 [[0], [1], [2, 3]] output_shape [1, 2, %dim, 1] : tensor<1x2x?xf32> into tensor<1x2x?x1xf32>
    %79 = linalg.generic {indexing_maps = [#map5, #map13, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%73, %expanded_37 : tensor<1x2x?x?xf32>, tensor<1x2x?x1xf32>) outs(%72 : tensor<1x2x?x?xf32>) {
    ^bb0(%in: f32, %in_52: f32, %out: f32):
      %128 = arith.subf %in, %in_52 : f32
      linalg.yield %128 : f32
    } -> tensor<1x2x?x?xf32>
    %80 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%79 : tensor<1x2x?x?xf32>) outs(%72 : tensor<1x2x?x?xf32>) {
    ^bb0(%in: f32, %out: f32):
      %128 = math.exp %in : f32
      linalg.yield %128 : f32
    } -> tensor<1x2x?x?xf32>
    %81 = tensor.empty(%dim) : tensor<1x2x?x1xf32>
    %82 = linalg.fill ins(%cst_0 : f32) outs(%81 : tensor<1x2x?x1xf32>) -> tensor<1x2x?x1xf32>
    %83 = linalg.generic {indexing_maps = [#map5, #map13], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%80 : tensor<1x2x?x?xf32>) outs(%82 : tensor<1x2x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %128 = arith.addf %in, %out : f32
      linalg.yield %128 : f32
    } -> tensor<1x2x?x1xf32>
    %84 = linalg.generic {indexing_maps = [#map5, #map13, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%80, %83 : tensor<1x2x?x?xf32>, tensor<1x2x?x1xf32>) outs(%72 : tensor<1x2x?x?xf32>) {
    ^bb0(%in: f32, %in_52: f32, %out: f32):
      %128 = arith.divf %in, %in_52 : f32
      linalg.yield %128 : f32
    } -> tensor<1x2x?x?xf32>
    cf.assert %40, "unimplemented: dynamic negative broadcast sizes"
    cf.assert %40, "unimplemented: dynamic negative broadcast sizes"
    %85 = tensor.empty(%dim, %dim) : tensor<1x2x?x?xf32>
    %86 = linalg.generic {indexing_maps = [#map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%85 : tensor<1x2x?x?xf32>) {
    ^bb0(%out: f32):
      %128 = linalg.index 1 : index
      %129 = linalg.index 2 : index
      %130 = linalg.index 3 : index
      %131 = arith.cmpi eq, %dim, %c1 : index
      %132 = arith.select %131, %c0, %129 : index
      %133 = arith.select %131, %c0, %130 : index
      %extracted = tensor.extract %84[%c0, %128, %132, %133] : tensor<1x2x?x?xf32>
      linalg.yield %extracted : f32
    } -> tensor<1x2x?x?xf32>
    cf.assert %53, "must have at most one inferred (negative) dimension"
    %from_elements_38 = tensor.from_elements %c2_i64, %56, %56 : tensor<3xi64>
    %reshape_39 = tensor.reshape %86(%from_elements_38) : (tensor<1x2x?x?xf32>, tensor<3xi64>) -> tensor<2x?x?xf32>
    cf.assert %40, "unimplemented: dynamic negative broadcast sizes"
    %87 = linalg.generic {indexing_maps = [#map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%41 : tensor<1x2x?x8xf32>) {
    ^bb0(%out: f32):
      %128 = linalg.index 1 : index
      %129 = linalg.index 2 : index
      %130 = linalg.index 3 : index
      %131 = arith.cmpi eq, %37, %c1 : index
      %132 = arith.select %131, %c0, %129 : index
      %extracted = tensor.extract %transposed_29[%c0, %128, %132, %130] : tensor<1x2x?x8xf32>
      linalg.yield %extracted : f32
    } -> tensor<1x2x?x8xf32>
    %collapsed_40 = tensor.collapse_shape %87 [[0, 1], [2], [3]] : tensor<1x2x?x8xf32> into tensor<2x?x8xf32>
    %88 = arith.cmpi eq, %56, %0 : i64
    cf.assert %88, "mismatching contracting dimension"
    %89 = tensor.empty(%57) : tensor<2x?x8xf32>
    %90 = linalg.fill ins(%cst_0 : f32) outs(%89 : tensor<2x?x8xf32>) -> tensor<2x?x8xf32>
    %91 = linalg.batch_matmul ins(%reshape_39, %collapsed_40 : tensor<2x?x?xf32>, tensor<2x?x8xf32>) outs(%90 : tensor<2x?x8xf32>) -> tensor<2x?x8xf32>
    %expanded_41 = tensor.expand_shape %91 [[0, 1], [2], [3]] output_shape [1, 2, %57, 8] : tensor<2x?x8xf32> into tensor<1x2x?x8xf32>
    %92 = tensor.empty(%57) : tensor<1x?x2x8xf32>
    %transposed_42 = linalg.transpose ins(%expanded_41 : tensor<1x2x?x8xf32>) outs(%92 : tensor<1x?x2x8xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_43 = tensor.collapse_shape %transposed_42 [[0, 1], [2, 3]] : tensor<1x?x2x8xf32> into tensor<?x16xf32>
    %93 = tensor.empty() : tensor<16x16xf32>
    %transposed_44 = linalg.transpose ins(%cst_15 : tensor<16x16xf32>) outs(%93 : tensor<16x16xf32>) permutation = [1, 0] 
    %94 = tensor.empty(%57) : tensor<?x16xf32>
    %95 = linalg.fill ins(%cst_0 : f32) outs(%94 : tensor<?x16xf32>) -> tensor<?x16xf32>
    %96 = linalg.matmul ins(%collapsed_43, %transposed_44 : tensor<?x16xf32>, tensor<16x16xf32>) outs(%95 : tensor<?x16xf32>) -> tensor<?x16xf32>
    %97 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%96, %cst_14 : tensor<?x16xf32>, tensor<16xf32>) outs(%94 : tensor<?x16xf32>) {
    ^bb0(%in: f32, %in_52: f32, %out: f32):
      %128 = arith.addf %in, %in_52 : f32
      linalg.yield %128 : f32
    } -> tensor<?x16xf32>
    %expanded_45 = tensor.expand_shape %97 [[0, 1], [2]] output_shape [1, %57, 16] : tensor<?x16xf32> into tensor<1x?x16xf32>
    cf.assert %71, "mismatched size for broadcast"
    %98 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %expanded_45 : tensor<1x?x16xf32>, tensor<1x?x16xf32>) outs(%18 : tensor<1x?x16xf32>) {
    ^bb0(%in: f32, %in_52: f32, %out: f32):
      %128 = arith.addf %in, %in_52 : f32
      linalg.yield %128 : f32
    } -> tensor<1x?x16xf32>
    %99 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%98 : tensor<1x?x16xf32>) outs(%1 : tensor<1x?x16xf64>) {
    ^bb0(%in: f32, %out: f64):
      %128 = arith.extf %in : f32 to f64
      linalg.yield %128 : f64
    } -> tensor<1x?x16xf64>
    %100 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%99 : tensor<1x?x16xf64>) outs(%4 : tensor<1x?x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %128 = arith.addf %in, %out : f64
      linalg.yield %128 : f64
    } -> tensor<1x?x1xf64>
    %101 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%100 : tensor<1x?x1xf64>) outs(%3 : tensor<1x?x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %128 = arith.divf %in, %cst_22 : f64
      linalg.yield %128 : f64
    } -> tensor<1x?x1xf64>
    %102 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%99, %101 : tensor<1x?x16xf64>, tensor<1x?x1xf64>) outs(%1 : tensor<1x?x16xf64>) {
    ^bb0(%in: f64, %in_52: f64, %out: f64):
      %128 = arith.subf %in, %in_52 : f64
      linalg.yield %128 : f64
    } -> tensor<1x?x16xf64>
    %103 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%102, %102 : tensor<1x?x16xf64>, tensor<1x?x16xf64>) outs(%1 : tensor<1x?x16xf64>) {
    ^bb0(%in: f64, %in_52: f64, %out: f64):
      %128 = arith.mulf %in, %in_52 : f64
      linalg.yield %128 : f64
    } -> tensor<1x?x16xf64>
    %104 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%103 : tensor<1x?x16xf64>) outs(%4 : tensor<1x?x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %128 = arith.addf %in, %out : f64
      linalg.yield %128 : f64
    } -> tensor<1x?x1xf64>
    %105 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%104 : tensor<1x?x1xf64>) outs(%3 : tensor<1x?x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %128 = arith.divf %in, %cst_22 : f64
      linalg.yield %128 : f64
    } -> tensor<1x?x1xf64>
    %106 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%105 : tensor<1x?x1xf64>) outs(%11 : tensor<1x?x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %128 = arith.truncf %in : f64 to f32
      linalg.yield %128 : f32
    } -> tensor<1x?x1xf32>
    %107 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%98 : tensor<1x?x16xf32>) outs(%13 : tensor<1x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %128 = arith.addf %in, %out : f32
      linalg.yield %128 : f32
    } -> tensor<1x?x1xf32>
    %108 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%107 : tensor<1x?x1xf32>) outs(%11 : tensor<1x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %128 = arith.divf %in, %cst_23 : f32
      linalg.yield %128 : f32
    } -> tensor<1x?x1xf32>
    %109 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%106 : tensor<1x?x1xf32>) outs(%11 : tensor<1x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %128 = arith.truncf %cst_21 : f64 to f32
      %129 = arith.addf %in, %128 : f32
      linalg.yield %129 : f32
    } -> tensor<1x?x1xf32>
    %110 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%109 : tensor<1x?x1xf32>) outs(%11 : tensor<1x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %128 = math.rsqrt %in : f32
      linalg.yield %128 : f32
    } -> tensor<1x?x1xf32>
    %111 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%98, %108 : tensor<1x?x16xf32>, tensor<1x?x1xf32>) outs(%18 : tensor<1x?x16xf32>) {
    ^bb0(%in: f32, %in_52: f32, %out: f32):
      %128 = arith.subf %in, %in_52 : f32
      linalg.yield %128 : f32
    } -> tensor<1x?x16xf32>
    %112 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%111, %110 : tensor<1x?x16xf32>, tensor<1x?x1xf32>) outs(%18 : tensor<1x?x16xf32>) {
    ^bb0(%in: f32, %in_52: f32, %out: f32):
      %128 = arith.mulf %in, %in_52 : f32
      linalg.yield %128 : f32
    } -> tensor<1x?x16xf32>
    %113 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%112, %cst_13 : tensor<1x?x16xf32>, tensor<16xf32>) outs(%18 : tensor<1x?x16xf32>) {
    ^bb0(%in: f32, %in_52: f32, %out: f32):
      %128 = arith.mulf %in, %in_52 : f32
      linalg.yield %128 : f32
    } -> tensor<1x?x16xf32>
    %114 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%113, %cst_12 : tensor<1x?x16xf32>, tensor<16xf32>) outs(%18 : tensor<1x?x16xf32>) {
    ^bb0(%in: f32, %in_52: f32, %out: f32):
      %128 = arith.addf %in, %in_52 : f32
      linalg.yield %128 : f32
    } -> tensor<1x?x16xf32>
    %collapsed_46 = tensor.collapse_shape %114 [[0, 1], [2]] : tensor<1x?x16xf32> into tensor<?x16xf32>
    %115 = tensor.empty() : tensor<16x64xf32>
    %transposed_47 = linalg.transpose ins(%cst_11 : tensor<64x16xf32>) outs(%115 : tensor<16x64xf32>) permutation = [1, 0] 
    %116 = tensor.empty(%dim) : tensor<?x64xf32>
    %117 = linalg.fill ins(%cst_0 : f32) outs(%116 : tensor<?x64xf32>) -> tensor<?x64xf32>
    %118 = linalg.matmul ins(%collapsed_46, %transposed_47 : tensor<?x16xf32>, tensor<16x64xf32>) outs(%117 : tensor<?x64xf32>) -> tensor<?x64xf32>
    %119 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%118, %cst_10 : tensor<?x64xf32>, tensor<64xf32>) outs(%116 : tensor<?x64xf32>) {
    ^bb0(%in: f32, %in_52: f32, %out: f32):
      %128 = arith.addf %in, %in_52 : f32
      linalg.yield %128 : f32
    } -> tensor<?x64xf32>
    %expanded_48 = tensor.expand_shape %119 [[0, 1], [2]] output_shape [1, %dim, 64] : tensor<?x64xf32> into tensor<1x?x64xf32>
    %120 = tensor.empty(%dim) : tensor<1x?x64xf32>
    %121 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_48 : tensor<1x?x64xf32>) outs(%120 : tensor<1x?x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %128 = math.fpowi %in, %c3_i64 : f32, i64
      %129 = arith.mulf %128, %cst_2 : f32
      %130 = arith.addf %in, %129 : f32
      %131 = arith.mulf %130, %cst_3 : f32
      %132 = math.tanh %131 : f32
      %133 = arith.addf %132, %cst_4 : f32
      %134 = arith.mulf %133, %cst_5 : f32
      %135 = arith.mulf %in, %134 : f32
      linalg.yield %135 : f32
    } -> tensor<1x?x64xf32>
    %collapsed_49 = tensor.collapse_shape %121 [[0, 1], [2]] : tensor<1x?x64xf32> into tensor<?x64xf32>
    %122 = tensor.empty() : tensor<64x16xf32>
    %transposed_50 = linalg.transpose ins(%cst_9 : tensor<16x64xf32>) outs(%122 : tensor<64x16xf32>) permutation = [1, 0] 
    %123 = tensor.empty(%dim) : tensor<?x16xf32>
    %124 = linalg.fill ins(%cst_0 : f32) outs(%123 : tensor<?x16xf32>) -> tensor<?x16xf32>
    %125 = linalg.matmul ins(%collapsed_49, %transposed_50 : tensor<?x64xf32>, tensor<64x16xf32>) outs(%124 : tensor<?x16xf32>) -> tensor<?x16xf32>
    %126 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%125, %cst_8 : tensor<?x16xf32>, tensor<16xf32>) outs(%123 : tensor<?x16xf32>) {
    ^bb0(%in: f32, %in_52: f32, %out: f32):
      %128 = arith.addf %in, %in_52 : f32
      linalg.yield %128 : f32
    } -> tensor<?x16xf32>
    %expanded_51 = tensor.expand_shape %126 [[0, 1], [2]] output_shape [1, %dim, 16] : tensor<?x16xf32> into tensor<1x?x16xf32>
    %127 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%98, %expanded_51 : tensor<1x?x16xf32>, tensor<1x?x16xf32>) outs(%18 : tensor<1x?x16xf32>) {
    ^bb0(%in: f32, %in_52: f32, %out: f32):
      %128 = arith.addf %in, %in_52 : f32
      linalg.yield %128 : f32
    } -> tensor<1x?x16xf32>
    return %127 : tensor<1x?x16xf32>
  }
}

{-#
  dialect_resources: {
    builtin: {
      torch_tensor_16_torch.float32_5: "0x04000000083971BDB238BE3DEEF3C13D6831C4BCE06898BD00E76A3B5A0FC83DA412DF3D5EE8ECBDE833E63D087FA5BD201EBD3CF4C663BD864090BDB87C9FBC602A883B",
      torch_tensor_16_64_torch.float32: "0x04000000702F89BC9EF6813D34BD59BD405FC93DB695AEBDC43785BDA054313D64539D3D809BC8BA78F5C8BD40A0A3BBC0DA2CBDC49923BD0846BDBC005EF63C685CEEBC4A86B3BDB0A37FBD2E6DD6BD94B4FFBD5C6E773D0C0A8F3D3074C13D0020223C209852BD04F899BDC0027F3D16B69ABDE44FBF3D60D88ABDC8D0EEBD505CB8BDEC7FD03D023BC13D48EEF93C40853D3B0080DB3D987C9A3D4093973DB03CAEBD88DAA33CA6F0E73DC455B4BDAE0AFF3D96ACA7BD7C7316BDC025C1BBB82F053D58581D3DFA6A92BD88586A3DC480073D80FA63BC74CAFEBD4A5DFD3D18583DBD0E7488BD427FFD3DE8BA81BD4A06AB3D9E369C3D7EA0A6BD0C74CEBDF42B8BBD3C3F203DB87CF13DA05FE3BB10EC18BD804B13BD5649B2BD58D5FF3D80B1B1BAA495CABD12E4AEBD86439F3D08A5773D3828A53D40E857BC3852CABC50C1273D806AA0BA88D424BDE832F43CD8E591BD9840B1BD085BE2BCCE7DB6BD40FE4F3B4827A13C7EAAFA3DD08E133D00C53FBA240EBABD20CC4DBD78EFA6BC0655B8BDB054C73C6C3FB83D1A7A923D885754BD4853FABC6436FF3DE0F4A3BCD6EAE5BD80DC8FBA6040D03BA4353EBD404F5EBC1EC1D0BD34AB1D3D14AAB1BD1C38303DD2E3C03D9845A5BD887748BDA0F9443C00109E39CE18963D8090F5BB008BA53CB0860DBD44DF283D24B11A3DB21ECEBD70E6873D20DAD1BCEC3CE53D060CFEBD704E4BBC0459673DBE87B03D00FCD43A3A588ABD18E3C5BD2ADBC1BD361FCE3D32F3DEBD38984ABD2431863DACFE8B3DFEEEDFBD1005CB3C2098773C22F5EA3D604591BB2C6C593D300231BC6A80E43D500C51BC5C6E96BD58E0BC3C2A8187BD4C07003D06F3B13D5A1DC7BD0040BABD806EDF3A6095EFBB34591FBDB648D63DC487653D80C129BDF067943C50119ABC58E7A3BD8C7B513D5EE4A8BDA0D7773C0AC9AD3DEA1EEBBDA088B33B126AEC3DB83A673DD8EA49BDE826A13CC05EF0BD306DA43C5494DE3D7E76DE3D40DA02BBE89F393DC0F2A9BC04B70FBDC08F1D3BC21E95BD48244E3DA0027B3DECCB0ABD80FCE8BC4864B2BD78EE823CA0A14B3DD40BF33D5C35F1BD6CD4D7BD00AA673B3295EC3D40CC033CC41E0E3D9062913CF0E874BCACB5B63D5CECBB3DE69793BDD64F99BD600FC7BD5008F9BCC08B38BBBC44D63D20C3F7BD62B2B53D9AFF8EBDE048273C406CBFBB1498903D5628D6BDF8C5B2BDC0E13B3B6C19813D145376BD50AF1E3D784E07BDAEB9EEBD30C2693C703CDABC7071973DFC9EA83D1A7DA73DF459A03DEA0DC6BD9898F5BDD0D6643C08AD143DD6EAC4BDA23CD13D60D858BC440796BDFC9AAF3D4437E03DE8559D3C944823BD50455E3C1AB6BCBD78C89D3DC6B5A03D68B8BFBC48F4CABDC40ABE3D4A6DD1BD6C6E86BD10B5983DD4747EBD8806C33C366DD23D387381BC50A1E7BC484DED3D70ECAE3C0C96323D903E28BD58DBDCBD404EA03CAA5597BD3A6684BDF0FDD1BD6E51DB3DDED2ABBDCC1F143D70B3D23C78D0B03DE8CE8B3DC03AB3BD88F5623D5A0982BD6053963B847839BD982CDBBDC838193D60D1AABDB67DFA3DA8574E3D101A31BD24E995BD62F4EBBDCC1181BDB603A7BD80395C3CB81BF53C7001DE3D40A5893C6002D0BC684564BD680B90BC5852873DD8D6F6BD8263EABD54024A3DFCF21DBDF08817BD48F6A4BD1675AABDDCB6BFBD78CF9BBDE010EABD0C9E70BD9C62CD3D8AA78DBD7095C23DA885D7BD307A6D3C90AD29BC0452C1BD803B473B7A3CD53D805367BD861AEB3DB06C57BC08E521BD2CBD7C3DEA1FC83D10F5DC3D448A973DBECFE4BD9090D0BCC0CD5E3C9C5769BD0C416F3DF86FE1BC3C8CDCBDE07162BD221EA5BD6415443DCA49BABD081001BD90A7523C74C65C3D4EE4C4BDF899B03D6649A4BDEC2DC4BDF436513DE03696BD9EB4B93D28AF5C3DD08278BDF8C8E0BC000E6ABD207642BC00FA9DB9C00B47BB804AA7BDB47DD5BD0CB7A3BD18E2AC3CB0FF513CC4DE80BD58F7A5BC80F94DBBBE2EB73DEC0BE6BDEC1264BDF88291BCE02EA8BCEE3687BDD0E57E3D487440BD0098523C32A291BD6EB0FD3D2A1C97BD98CCD6BC8A1CCD3D140A8B3D18C2E6BD06B2A23DB2A388BD30637BBC9420513D0029043C3202C53D541441BD0AC9B2BDE0F2013C1C26303D56BBC03D001382BD804465BCE4EC93BD92BBB9BD9229C8BD9836B5BD64829ABD8473283D90988CBC6AE6A03D782FC43D085EC6BD0000C63C1C098C3D0426CFBD10D313BD84FEB93D3A27BDBDBEBAE43D7012303C3852BA3C0EAED53DE022EFBD8467DA3D8686E4BD1431733D4003B4BB64E5C83D00E3CEBA1A43FBBD786E843C1C0FAB3DC084CABC66E7F1BDA08390BC508E213C5890FC3C3CE9233D083988BC4072D6BB7810D7BC8856443D3038EA3CA8694F3DB0133BBC60B03EBCAA31BC3D585B803CA80AEABD3006CF3C90D2EC3DA083C6BCDCF6993DA448B8BD70959CBC0E2AAB3DC60080BD109102BD00A98B3AB8CD9ABC48E30FBDAC9FB03D60F9BABC7C920ABD5EEFBF3DB813E43CA0EE71BD929F993DD0447BBDAE27FF3DF291D43DD052433C90AA0D3D08B24EBD52E0C5BDB21CB6BD9484223D18767A3D80EAC7BA187527BD28A626BDFEA98DBD5A999ABD3AE5A83D0CF9DCBD60F0BA3D6E518D3D4CAF0BBDC0AF84BC78CB2BBDC627D7BD00D0243C62DEC3BDC0C46A3BF02B32BD720DC6BD14C0ECBD0213E43D10F3C63D342BEA3DA0543F3D6465643D801C793D8C7CBC3D001BA03C7050533CE8B1BA3D9840663D5E869BBDF62BAC3D3A29F73D381842BD3426F3BDE8CFB2BC6C30A7BD6419FE3D28EDD8BCE07C82BDEA97A33DC41A443DE4CD163DD632E63D24B1FCBDA890773DE82670BD20802C3D84E537BD32DCE93DF092C4BC6097463C0E4CC9BD6C5F9B3D3E66FDBDC0D78C3DD8EAB43D8C9ECB3D0A029C3D042923BDA093D13C94A1013D4497F4BD30408A3DA47ECEBD5068383D2C38F73D004E0EBD28FE8B3C2C2CED3D3615D33DCE87D53D361EB1BDC8B8C93C20F7D5BD20CFBB3C8043F2BDD0426C3C4CA8813D8E0AE4BD60DE9BBC30B353BD404AD23DB0034BBC9E399F3DF6CCBCBD08E58E3C8093B93DA036E33B2C6733BD2C8951BD18C1AE3DF8F7493D0055093CEC4C973D403385BDBE63C2BD6826E7BC6E89BB3D1499F7BDC0407EBDB051F83CA4F1403D181E803D54F51A3DECE9E1BDBCA626BDF66B9D3D7062B03C8E7F8C3DFCD5BF3DA866923D8CC754BDD06B75BD082EB3BC40DE7BBBA03B32BC7005C4BCF849893CFC17A13D8003B0BDD4FD813DA828FDBD50940A3C183BE9BD962BF73D22A8D9BD500D8FBDFA1EA93D446B873D1C56C93DEC4A0C3D3425E6BD507CB3BDD445AF3DBE47F9BD308EE63D2860ADBC1820BB3CE09AAFBB880901BDC824FBBC58A6183D58DAB3BC302BAD3CD286D63D0066383C4A01C9BD4AD1C1BDA4C4A23D84FF323DB073C43C70757FBD28A5D1BD0C3ADC3D1A8FF0BD68057FBDB417483DE041DD3D780C31BDC282F8BDF041EE3CC0A138BB88469CBC84D4E3BD4498B33D38FA943CA830143D28DB993DE276DE3D989E01BD202B343CD48DA1BDFC3FC1BD820C81BD481B993C000FA2BDB82C913D9C95323DEC1B28BD20A37C3D6887BF3DDC8F2ABDBC728E3DC2A29F3D1610F03D3CE7BBBD50B2CC3D00B07D38C0B4083C0052B7B92A54A5BD0CFD3ABD3055D0BDF02B85BCB0ECFE3C5CE9B5BD7473453D2E2AFBBD882B773DA255FBBD60FC81BBF490BC3D4241E8BD3CC4C9BDC0FE76BD24FA4BBD02DB8ABDE24EE03D0235B8BD04BA673D6AA5B7BDFC9F25BD9816CDBD48C4F4BD1EBB8ABD0028893B96E5893D944F483D386B4C3DD6F6D83D40E8ACBB9880FA3DA057DFBD70BF6FBD9EC3CDBDE469B0BD6E7BBEBDD688F2BDE682F03D003DC43C8ED8803D00E225BD70BDE93CD04189BD6083FDBD509A3A3C20F79C3D60CAA2BC10D5213D7091573DB43BBA3D34EBF1BDE48B53BDC0EB073C1278F63D4449F73D827DADBD7CB5A8BDFAD5F23DC01B18BC0E0F95BDE64683BD84D7943DB6FB9E3DC674D73D00ECCFBC78EF19BD40E7BFBB20E0E03DB6B2E3BD229A813DB446B2BD10985BBCA4B4D73DC8BF36BD6C3553BD404891BB0086613DF655CE3D2E42F4BD427DC93D3CD52EBD68D6903C3A5B8DBD7C5A013D8ECCF9BD8C06A4BD108668BD92F9A03D3025063DC8D5B4BD601E943C6AD2F83D8C4AF7BD3E6FDF3DBC95C73DA021E13B2EF881BD98E0683D6C69723DA42647BD26FC90BD0A27A9BD148F42BDB04BD53CDCAF5B3D80D423BB7C1EDD3D58DF123DF416163D64F37DBDE47A15BD04BFAA3D76F3823D70FE70BC8ECCABBDC0D1EFBDA0EFD63BC4E2A3BD6042A1BC608CAABC4AD9EFBD5219B13D90D1BDBC8E0AFCBD18ABE9BDA6FECBBD3CC448BD6055FEBB6424533DE03689BB6CF6F4BDF446CCBDFCED82BD3C00C93D60F6BABB648EECBD946256BD40B9BABD50398C3CE06E2EBC68A9A1BCB297C63D50E29ABD805B583C58E539BD20FCB23CEA10CBBDA04746BDC8EB713DD4C2AABD30E269BDD01387BCF818C8BD62ECA4BD90FD25BDB05C70BC102BDCBCE04CE73B208FEABD90A8A5BCD6CFE0BD36A1863D0A15E93DBA34CABD705AB8BDA43CF83DDCE1C63DC0806B3D28B6A1BD9457203DA00982BBF8BDC03DBC429F3D80BE67BC3097473D2CBFDFBD4025B03C2AEE9BBDAA43CB3DC8DCB9BDB08EDEBDA2F6D9BDA43112BD80B3DE3B40A06ABC5023523D4E41E3BDB67096BDD8D78DBC006282BB48FFDDBCC4056B3D8885843D60FBB7BC60AEC7BB40D29FBCD041483C38AA56BD20AB9FBC1CDEBBBDB61BD63D6C01AF3DC8F0ADBDF0AB173C327A96BD7871CEBC880BE3BDB01308BCB40C69BD700CE6BD9E4EFB3D90A9023D60A7AF3DA061A83C800BD33B90DA69BD80694C3DD430A43D60A3EEBB8EE783BDBC23CD3D909D33BC4C29A8BD9C84913D7A98FB3DD430F13DDC71D23D723AE83DF676FDBD30D32F3D32FDDD3D62E0A5BDFCBB073D18DE21BD303A14BC945C6D3DC0BA173C103937BD88EBC0BC70FD413DAE8381BD7E26AA3DF2C5EDBDFCCEAEBDB8AA0D3DC092493B6885913D08095B3D2033C83B203F9C3CE011BB3D22B8F0BD6C352FBD062FA53DCE1BC8BDDCAD743DA81AAA3DD885243D80B2A7BD00678FBDA0C1EC3CBC7264BDB84E493D8CFF123DA06EB93C22C3E73D94E3F6BD02C3F5BD4691AA3DC8E22BBD8829F4BD380D2BBDC8C4C23D905290BCC8F5793DD430953D68F41CBD2EE5843D04031E3D009AA3BD0067CEBC18479B3DA021473DD07A8E3C504B7BBC3649B4BD381639BD32F8A53D20E9DDBB767399BD28F0873CE405D3BD90D27CBCC0BFA7BB4A07F2BD8023ACBD107AADBD3A00B2BDC4C1D03D5C59473D8C10B5BDA03F5ABDE610BC3D5A7FDF3DE030483C80A6DA3A16E0C2BDE0AD973DA8C80FBD0012413C2885D0BC2027313D88D7EE3CB804ECBCD052A4BC005AC2B9D8DACABD000DF3BB72AABFBD3631C63D4A3D823D70E158BCBEB5B03D50D6343CA4EBE93D8088CD3CD85C713D00979C3C140291BD9821F0BD2C7C4BBD924BC83D0AE2823D484627BD7C3F9FBDFC17FC3D00FD5D3C34B0DCBD1C1C35BDE0CD0C3C30C943BC38FD45BDC0B5173DFCBBADBD6469563DC0C3ACBD0E6BCE3DB261CD3DAABEFD3DB8F6FABDF8CE3BBD3838CDBC6E75ECBD2C08663D74994FBD809516BB9C0E753D98F3C7BD98F38C3C8C6460BDA8A1B33DF6D9DF3D6033F0BC6EF8A4BD0EC5953D9828B6BDDCFDF23D8A7DCC3DE4925B3D",
      torch_tensor_64_torch.float32: "0x04000000BAF9383E62A129BEC001C5BB4ECE50BE08C3423EA0C06C3CA493E63D383749BE801EAE3C58C3D13D3AC9343EF6233C3E58D236BD0003D0BC201DAA3D8C17B8BD6857D0BD34B16BBE640B7BBE10CC06BE60B3FF3CA012A53C404EA43C005A193DE01D3DBDA8EB7CBECA98643E58513BBE80DB3FBBC86ECB3D4041833D3861DEBDBA775EBECCF94C3E0072E93B1E79693E9CE0EE3D08BADA3D88935D3DE8F266BD3E0916BEF0B4F83C1E00763E1E79193EBC93683E8414703E4407483E5AB00FBE0E6B0BBE60840CBCDC6504BE68EC8ABDD862AFBDF802603EE0B689BC32CD773EDE8046BE9E857CBE2869123DA0104C3D609BCEBD988D01BEB8D3913DE0324D3C",
      torch_tensor_64_16_torch.float32: "0x04000000FE4404BED84B533E5235133EACD9953D92F342BE928B3CBE80DB503E1097D4BC48E47EBE802DFDBC20D675BD0023773BC446D63DC802C53DC0E243BE009333BBB0BBFDBD682A2D3E9888FD3D82830C3EA0BD683EE47EFB3D98D17FBE6431813DDAA92FBEF0BE083D00202F3BFEE77D3EACE72EBEA2D17ABEAC4189BD0803253D02883B3EB2904F3E4C28453EE89FA13DD05192BD808458BDDCFF0BBE683E483D660832BE6007B03DD853253EB43B593E5A547CBE4E0A523E3CD120BE1038A7BC1EB2693E4ABA0A3E6868A2BDC01F173EB8FE78BEC422483EFE80783EA0013ABC7087283DF84770BDC00F22BE8895E7BDB00188BCF26F51BE20E74EBE20C3E03C9C9226BE0C400BBE00B00DBBAAE906BE52F76C3EECD4B8BDFE570EBE7C6688BD14DD50BE66E1033E3CF45B3E5CA313BE3C55BEBDA2EA6E3E5C3039BE7CAB8A3D729450BE06DA63BE0054C639DC1B12BE5CA50A3E505D9EBD806D213BEEA605BE1066D23D9A306D3E08F019BD82011EBED2AE79BEBE50753ECCCBD73DEC72D33D28572E3DFA74003E00D1B53D48FFF93D3E1B203E0834113DA8805C3E9C2F1F3EC0C5FABBF0AEE4BD60C3873C3260473EA62B223E9479CFBD30C855BDE048CB3D70E9C03D10C6733EDC9EF83DB41DA33D60AA6C3DA49670BE3CA1BCBDB0C0D83CF01632BE864C60BE94BE2C3E5C22AE3D50954EBE201B733CA4C3163EA479133E0AC8693E4472CABDA8FAE33DA4A94FBEB09EFCBC9AD022BE58FC42BD92BC113EA83EFF3DE6A806BE70EB7DBD48DB4CBD4CC7C2BD423C0CBEFAFA3B3E68F4303E42B7553E94920CBE1C773B3E1C419BBD889470BD0CD989BD002B47BC3C34E0BD400A0C3D7E0025BE5894D23DFCAF56BEA89CB9BDFECD32BE90B02C3E66E22F3E729C4BBE20B10BBEAE1D653E3431953D7C46303EA04344BE0014E73D54F4223EC8966DBDA0BF3CBC72AB3A3EAC9C8B3DD4E8923D0056473AD8C0D5BD3CB11CBEEA777F3EF0C9A1BC962E633E7675513E7CDD05BEA0348B3C94F682BDC0BE94BB34B8283E86F70C3EC26711BED457FDBDFADC35BE945A59BE0239243EE62F1EBE801D563B0010B2B9C02D2F3DE0A56FBC10D9043E30A10C3D0893373E300A5D3D005A4CBB481A113D0AA02A3E788E1A3DA858343E5034C2BC800F0E3BB413573EF2AF71BEB04ECC3C84D2693EC07600BE90E23CBDA0C676BC48ADA83DB084C13D00FA673D94F8C93D44ADDBBD2467D73D9858A2BDA8DA203EC44396BD7EFC59BE4043923C8A35053EC08720BC80AC543B0038683A26DE073EB03EA03CDEB164BEF69136BEA01D723C1073A4BC14B3743E10B870BD3AEB433EDEE657BE5E4E73BE2065BCBCF21722BEBC4F95BD20AFE63C540F5EBE7AEA2F3E805D1BBE0E6C443E745CA73D480A40BDC80960BEA07B293D3A040FBE56405D3E3C5C57BE243F87BD30160DBEF6A524BE9C8505BE400ACBBCF08B8A3CA0752D3DD2D0023E7821D1BD3CD61EBE68C157BD9A3E713EB035FABC4E8457BE6CDF483E2028793D58B9313D58C42F3D3A9C323ED022E9BDB2933A3E402B763E380584BDD091213E663D0D3E54BD6F3E48536EBD1A4918BE0C0EBEBD4E2B2EBE60850C3CFCD1763EE45A783EE65E413E80A6CA3C00D6B13BBE80293E3802183E003CCBBC387E81BD5873CA3D40200EBC8CD933BEA0D2F0BDFE9C4F3E6632553EA881C7BDB0BF5BBD54C2FDBD8427A7BDE85B693EEEAF63BE9C51F43DF41666BE8845F4BDE88550BD20E98D3CA04B26BDDC0AEABDD85EE4BD4AB51BBE7EB032BE567E1FBE6A7C753E583DF1BDF4E254BE12F32F3E90A2C63DEC17303E52A47EBE8AAE73BEF0B135BE96DC06BE005210BA4878DD3DD4E0153ED62F5CBE0C31CC3D060C14BE70606B3D50C0A03D58DF233DF025B53D60854CBC1202293E5091553D8447603EA0F85D3D2A8507BE2067243E40E75D3C9A68773E607DE2BC464A7D3E6A7115BE38A9003E2CFA3EBEAAC02F3E10E1393D5857113E2C765CBE14A87EBE70B3F63DB8A4D2BD20C6CA3DC4E117BE00479EBD00CD923A242A1A3E4C91103EC0F0B6BCD4D190BD00128EBB68F1033E5AFA58BED0729CBD78C876BE68CF133D703EF2BCD005113EC6824C3E76E35ABE8497E2BD289E24BD006123BB18BF69BD7CF520BE14D6C5BD00F8D2BB8EDE4D3E1C7C82BD780F293E08F04EBEA02B373C70C647BECA3870BE10F6CA3C8C70EABD88783C3E4C344A3E88CD7EBEF0B98EBC50F02EBDEEE911BE7AB932BEC8AAD8BDFC0CE23DA078733D46131A3E204974BCE6F5043EE004463D984A5FBD80746FBC90D468BE8021BCBB3433A8BDF057ABBDC4A4CDBDA8E15FBDC2FF3CBE805C703C807626BC30D986BDF4395E3E4CCE2B3E4C99903DC094BCBD789B023D382430BE9460323E8C1C6F3E30E318BDC86D453E7241703E401C76BC741EBEBD00B84E3C3039293DDCF86CBE20847FBC5C1FB9BDE4D32A3E4028EBBB726E283E60B5633E5875A0BD886B5C3DE030AFBC3021DFBDD4020EBE0090BD3B188F9B3D181A34BDE0E52D3DDAFA1F3E8071D53D6C22D33D00E48F3DCCCA44BE9CE11ABE14D83DBE283A283E0C7A61BECC1F3FBE8297283ECA52173E660072BED0EB133E70A769BDE09D5C3D065E20BE70711BBD3097633D7632433EEA3C1B3E1E350BBE84EB27BEC04179BCDCAFA03D4C5D0C3ED21A7FBEC05BA7BCA0D8103C0C1DEFBDAEEA493EF8E887BDDA1174BE12DA18BE8054033CDE813EBEA8E4693D9A09793E40AD273C40447CBDE62D713E34FD3C3EE21D2A3E005A9B3C00413B3CF08846BE4079D03CDCFF783E8088583C5C7364BE6C820C3EF0BF653EAA9D563EE02F413C385F403DE8B6253D24D8D1BDB06915BDB2D8503E70F1D03CBC46713E4C002ABE98A715BD00FF3F3BEA5C18BE54A7453E14CB323E50160ABE3088613E5EB66E3E0E8616BE80470DBC561F7F3E4A3226BE386C20BDE6AE2FBE0CB8383E1000263D0C25D53DBAB2373EB07822BDF8E47FBE8093483CD07D9EBC94AFB93D48FFEE3D689AFEBDCCACC9BD5C61213E38C1913D48936A3D18F6E33D6C13EE3D60F938BE4089A33C70C9C33C824977BE184F593D809C5ABB0C92463ED65974BE80CF703E388FFABDB4D0163E12203D3E7019FEBC48F902BEE8012ABD1CA81FBE5025FD3CBC37D73D08A1533D726C13BEF2E00B3E10EB6A3E64C89BBD66EE043EF0FD86BC9C5FCE3D049336BE3A995ABEC090E8BBF2B357BEF46FB83D76A66F3EB8D248BD800D1E3B98B91B3D606BF7BDC09051BC1CE7833DC8064F3EA66354BE8028A2BBEEDA50BE1051B5BC000AD8BB487FD5BDF2041D3E74A42F3EAC9FC6BD50C20EBD00EC9CBDC0A4DC3B4CC2A83DAAAE6C3ECACF6ABE84F1CF3D302A1ABE240E51BED425453EAC8998BD448D0FBEBC738C3D701355BD7A526ABE0C8805BE744BD8BD10BA9FBCC6FF28BE328D76BE2C620E3E90D45BBE90F0F7BC14BE5B3E5873BCBD704B29BE7CB8883D18675F3EE0DAE1BC20AF71BC5C3BEF3D4044003DE829443D2E78073EB8B7E83DBC5537BE8820CABDF6E12E3E18041E3DB8896E3DE0E3753ED4761E3E104FCC3DE0F7743EE22F61BEC0E81E3D78AF853D100E32BD586EF0BDC8033D3DCC9B53BE3020DABDC46C423E4C1CBCBD446793BD5CA7E53D608881BD1865163D18DC7FBE20C5113E52BE63BE7867083D4CFC7DBE64B85BBEAEF24D3E8EF60CBE005D0DBCE076363C628E6B3ED074A33D60ECF93DC409DBBDF48CAFBD92383A3EB8B2BB3D5066803D7C0D41BE44504CBE60C04E3DCE1C40BE007D333EC250553E780CD4BD660025BE16D1773E4C9508BED0094CBE1ACE39BEB0E1313D58DB463DF84D253ED2264E3EBC5ADA3D682E123DEE36673E604BD3BD289233BDBEC7583E6854ACBDF23F093E789A5B3D64B9B43DB8206ABDC2095ABEDC93373E70C6523E1C4A4BBE7C9FEFBDC0B42D3C70AFFD3DA8F010BDB079E0BD1C37473EEE8300BED49B683EC0508B3BA264063E78C2703D183C343D5E613C3E40474DBCFC9F343EA806A93DF6E20EBE28CB273E8EE035BE7649053E50625BBD34DF9E3D800EF5BCD0694A3D48A49ABD3C31D43D90FEEE3D60286ABE74B5613E9A714EBE0487E4BD248FC93DA6F46B3E607BA63D5CDA0EBEC033343D92A119BED0DFF03DC059513C60BCC73C185F44BE36A0083E2E3A733E969831BE1429AE3DF0C8E1BDA43B89BD5CA3623EB29D6FBEF05D41BD3425B83DA889E83D981DC8BDD0C10BBEF8734E3DDE0C69BEB8F2073DFEE921BE981A3BBD746F663ED69454BE443CFDBDDEF344BE7095183E4272533EAA8C25BE9686213EC4FB233EFCF35BBE80B5AE3D68B5E83D68BD36BD34372C3EC04C7EBC68F404BD689F0F3E920F6ABEF26F7BBEF03D3E3D30AEE13CF009913C62D91CBEB8FF4B3E684C1EBE4871E2BD521158BE74F67EBE28BA773D2453CEBDB8B01C3EC422773E5C4BA63DAAD15F3E6C2F32BE1EDB063EEA240B3EC8EDCCBD805C91BC529E19BE1040C53C589074BE6ADA18BE68AD5CBE883801BDA0BDD03CDCD24DBE081FBCBD5AB7193E2068463CA069333D901BE2BDA49696BDB4F562BE28796E3E10E6E83CCCD2EB3DDCA8153E7674603E449530BE00E78E3DE4E35DBE8497BE3D985D03BEB060C73DE07B3CBE8075073EDA52373EDAB80C3E0AF656BE3C17203E5C7022BE38706FBE14A4263E68612E3DA04CB2BD64C35FBE9CA1833D7452DDBD8AFD4ABEF88400BDAC025ABE003BFC3DF6AD28BE9846AEBD68417DBE486E0EBD3C189EBD54420D3E60B767BDDC552C3EB0805F3E20DE503DB87BAFBD48E752BE9E1C33BEB47CACBDE26E20BE228C073E0C4DA5BD20EF15BC806F2A3C32345DBE8077553E24AFC3BDFC364FBE808981BB1A0461BE4088FF3CE0A725BE989160BDF09696BD3C42393E6890453EA8C77D3E409AE13CC44A233E8A1652BE1CBA2BBEC8C5093EF8F0603DB0B58D3D4657123E4051223EC89CF03D34ABBDBDEC2FA2BD08A9573D00B1523E702F9BBC846798BD466F0D3EB0B6293E001198BB686797BDEA0A7FBE80A57B3CACF29C3DF2F13BBE84103EBE20EF7FBE7007483EC0FC6F3EBA5A7D3E688B643E80E9D7BC60BAE33D5686173E34C588BDEC7D13BEBC18553EF09CD6BC48CCBC3D106EEFBDEC0E04BE18BE3DBDE074073C0C73173E0E4D263E88A900BD18AF7B3E1A4908BE00A8893CFA7120BE98A1273D1E53693E7AC253BE88E2703D8A456BBEF00565BDC4A1F0BD00F4DC3980A831BE4C08823DA88E71BEB87A603D0C6FC5BDD63319BEF006593E0018DD3C827529BE444B10BEB070E4BDFE7A17BED03EFD3C00AA663BD42D5F3E002FEF3B688E08BE2C205C3E38C2803D40F35CBD5CA9333ED8DD513E2A8457BE302353BEC06528BE60265CBEE89C99BDD86CBB3DD08669BE66347ABE02705CBE4E9205BE4681203E72F8623E3E517E3E007D323BB2D158BE1CA6793E1E152CBE744FC13DC0EEFF3DB8499E3D34FCA83DDACF6EBEC485ACBD3EA924BE52CD303EBA7211BEC0F9C3BBFA8A633E6609423EBC2F38BED48E55BE429E4A3EDC59933D3A4544BE7A5A5D3E64D038BE0E9D5D3E40A9373E066D363EE87544BDF0FDB13C10C555BE7237103E002C6C3C5C913D3E9CD4D7BD2A4B773EB8A42A3E046C8FBD8CC98B3D38C13ABE58712ABE8C672FBE800F13BEA0588E3DC8AADCBDC8D6B0BDD016333EF021293D0889F9BD44F38ABD949B86BD1C07EF3DF033343E54FD4B3EE42B2EBE30CADABC985D703DB819C8BD9C53283E60AFE3BC308ADA3C9EDC5ABE",
      torch_tensor_16_torch.float32_4: "0x0400000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
      torch_tensor_16_torch.float32_3: "0x040000000000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F",
      torch_tensor_16_torch.float32_2: "0x04000000B8DB1BBEA0E735BD0C1456BE96EC47BE28628CBD348A783EB89285BDA0FC6C3CF4D5703EF87B363DC6834E3E181C2A3ED20D703E189B2F3DCE054FBE363A5CBE",
      torch_tensor_16_16_torch.float32: "0x04000000BAF4363E1E02793ECCDAE73D8007E0BBAC4E513E5ABC4B3E1A4D00BEFC36E93DA0FAEF3CA845DDBD98DC73BDC8CC71BD5C2433BE603D9CBDB04AAC3D20EF3B3E10919B3C2AE977BEB094073E68EC9ABD009F643E205E77BEF8946FBDA488463EDC7DDD3DE470FFBD18AC5DBE00F92FBB90CAC53DCC8754BEC03856BE803F4EBB800252BDB08A243E160C78BE50DF22BDBC6146BE102515BDD6CB02BE1023A13D7A2856BEA06249BE144711BEDC3660BEC29A213EA88B12BDEA3A0EBEF262333E605268BD9866043EF0B69EBDA62E56BE00E6603DB2681F3EB09B79BE7030D53C38184C3D600FEB3CC0B7CABB18279FBDF2BD46BE1005273DF8EE2BBEF68453BE0C61A4BD143F2FBE9CED9C3D6459363E98F4463EA6AC1EBEFC910B3EC0EA353E80CA373BC801D83DFADA103EB8E0433E8EFA083E708BDA3D4454C2BDCEBA0EBE5CC8F2BDEEA1523EF80478BD2080123CE6BD6EBE80F135BC686F90BD562E25BE3643463EB4424FBE606112BDF03591BCFEC167BEFCC71A3E84E9A2BDD403E63DE2E00E3EE4BC613E30497D3D3830403E966D6C3E90F34A3DE8A450BD842F8CBD98E5253D0841B83D7A8171BE40CF3F3E507A213DC0786EBE84FFA33D0A76223E0050BF3D4AF7503E805BA93B706154BE00AA14BAD8123A3EA043F6BD4062DA3DE80B6C3D002526BD00E0E83AA4D4D93DD02E2FBE2AA2213EF24F2D3E36A70F3E5CD07F3EA0DB32BC84C534BE80083B3C088B94BDF4BDB43D408C583E0E1E0CBEA0852B3CB0FE783E345D4CBE68B430BD5497783E72E0323E649A943D80D3DCBD80E9BEBCBE8F65BE140471BEF4DA6FBE82E1753E667A4A3E7C18CB3DE49980BDF6695C3ECC3D87BDFEB8313EA04F05BC90D9F0BDC4E58EBD18A75ABD7C536ABEBC1B993D0CFF9BBD4C3BEB3DC038233E30CE22BD484FF83D40974C3DF4EB2B3EBC1825BE20CEB3BC1C9DAABDC050603E9EC865BE08E40FBEE032E73CA642633E52362D3ED88D6FBE10FC33BE5038783EC03B153D04445BBE484EA1BDC8D6DF3D402056BD14A444BEF80E1EBEEE9D04BE807020BC00A6C83D68D3F53DACB9F8BD28D02BBD6CA745BE2A99413EEC797F3E42D3783EDC3DD13DD05A5ABDC036CCBBACB8B83D32E75DBE20447E3C421750BEAEF47FBE20E708BCECFEA2BD742A22BEB8C0293DC0DA263C50431C3DB2470FBEC2BF7ABE4049B33B68DFD0BD209DACBDAE763C3EE03C273D90D6E93DF8168FBDEC214BBEA02E4C3D008929BE00C1FD3CC4C947BE06FF403E08642EBE9C3F5E3ED8D6343E7685413E6A9C193EC8036D3D00A247BC40C382BB28A2CBBD76506BBE6256693E4039543CACCDF03DC055163C6C22933DBEBA1DBE700147BE883C433E9C28C23D80CEFC3D22187EBE10768A3CF2C86EBEF05DEABC408858BCE41934BE667F7DBE00ABD73A7A38663EAAB6663E",
      torch_tensor_48_torch.float32: "0x04000000D09C24BDCCC2CC3D407344BEF0500D3DD46669BE0AD21E3EB6AB783E84BEB6BD486B173DD4E403BE68C223BE18A701BE4CEAF3BDB060423DA0C1EABC20998F3C462E44BEC6D520BEDC9F5DBE98FF37BEF460563E7C38BE3D9E2574BEF0E82ABD305DA43CF2C2083EBA6D6D3E6845773DD655343E3431B6BD40D505BCE2891ABE38E66B3D604D6C3E38C3203EA6BD7E3E94B3E6BD182000BD5839533D26D14D3E62536BBEE872FBBDC08A143D0CF813BE5843BF3D509F8BBC6CAC84BD824B093E",
      torch_tensor_48_16_torch.float32: "0x040000004AE8033E54FCE1BDA08346BD2051F03D020271BE1287193EA8A952BD0A3D023E785A0E3D00C4FABC40028E3D20104A3C30FFBA3DE486C7BD305195BC4060B8BC306C143D00E782BA64C95F3E50549F3D08ACBEBD369D1ABE70A32BBDB0D8DCBDD411A4BD801F443CD49B183E38250B3EC6407ABE1CB31E3EC8088F3D88D4723EAEF9283E524069BE2E6873BE3CF4F6BDEECB603E10912ABD801DDB3DA8EEEDBD1A317B3E5CA0D8BD12FB3F3E8003423B82DD06BE7A96033ED4E307BEE494963DFCD793BD0088E0BC881D76BEBC1CF4BD10EA0A3E40E978BD1AFD7E3EE6344D3E20CA3FBC2CE02ABEF2E41B3E20E79E3DC47B25BE8E48263E066B1B3E8C0B633ED6800FBE788E28BDC0B19EBB1890153D784842BED0A935BEE2430B3EA81E70BD3019FA3D4083693CD01CA83D802A613DB429BA3DCCCDFD3DAE156DBEA4DB003EE2FF33BE802741BE8018793C387F2EBDDE5A163E3C4214BE529463BE0E4F3A3E30D717BD32FD0F3EA099A43DD4F73FBE48B84D3D18F6753D32682BBE08EEF2BD5C94AE3DE86B373D70CAD9BD94FD9ABD4A776A3E38763DBDA654103E98B2DD3DF07A25BEC0B559BE44BB753E40E1553C2E7A2F3E7834543DBCABA43DAE383F3E32BE723E72E029BE9807003DB80A3F3E9474393E7C091F3EA44539BEC05838BE50D21ABEB8A4003D6E257F3E7EB521BEE26A083E66B10DBEFAB170BE00A459BDF07F133EFAA96D3E66FC1EBE30385E3D68E45C3EAAA3293E8C8B1F3E04EC353E98EC213E6C3F843DD60E2FBE6AFA56BEE49BEABD307BEEBC70EA1CBE2C51BB3D30759E3DA8DE67BD50C8C43D7878A53D484C1C3ECE662C3EE463ADBD5A1E7A3EC0C3ECBCE0B80CBC20A271BE08C424BE5C8E15BE80FEDABD1A02363ED84FA7BDD24D3FBEF0FDC43D44EDA33D0ECF253E0E7904BEC0045E3DD864BABD201166BDD8024CBE8059E9BDD0CD9CBD04F3DA3DF0123B3DE0F17C3DD2837F3E3081793EA49A2E3E606E023C3E1931BE0411483E500880BD4092A5BC328B5CBEF0444ABDEC1D25BE6C3D6B3E40515DBE2E8C47BEC0150BBC546C0ABE1833B73DF814C5BDE47AF0BDE0FC673C6051393E941334BE3C70F03D0A77243E226B7A3EAC2E33BEA000783D144B3DBE608F5A3EA89BC6BDCA331A3E40E3F33BF0809FBCC0B102BC08132E3DD45AF13DA03A243D28309C3D404766BE6E813A3E7A325F3E709C533EB23D3D3ED6BC38BE64CCBDBDC0B8613E0EFC42BEA63F683ECE5749BE1E5434BE384EFA3DE6EE37BE60996ABDE83C3A3E56C64A3E0C1D723E98C94FBD90FA46BE760F7C3E88235ABDA0A7D2BDD89F793DEE0633BE8443283E8E71203E96214BBE764552BEC065B3BC940DD73D0042EDBBD6CF01BE004ABB3B669F70BE4AEE34BE9E6A2ABEE2D2523E5EAA613ECCE8ADBD00B5373C3857E43DD062F53C523100BE20A5133E385F1D3EC0626DBC301DFCBC86A3683EE8C65F3E7C2511BE9C777A3E70697D3D000D2ABE3A230C3E821F3FBE96866C3EBA9324BED4CE903D74E79B3D0891733D0455543EB0A8D4BDB426D8BDA0D75DBE401928BC808BF2BDA01F243C20EB51BDDCE0A93DA4755D3E7C14973D90EFA4BD883CFBBD6C455FBE1069573E98FC41BD18B34E3D0084173CF02323BEA82C103E9A770F3E40464E3C627B11BE5C8DD9BD00A0613B284312BE5AD60EBE40BF18BD3C6E93BD505F7B3DB09386BDA0BE07BDC46BC3BDC4F269BEB6435F3E705C433DE6EB643E680725BD14AC80BDCCAA70BE545CC2BDACE0273EF2BC7ABE7414B3BD6AF81B3E5E8B133EB80DBD3D20B24ABDD0109BBCF07642BD70BEBCBD90ABD53D8063AEBDDAD00FBE184E683DD00939BE68895ABDCAD1023E7859BF3D4CF1593EA29A2EBE80730E3BEC3197BD622F0FBE820310BEC4FD803D7045D63CC0AC02BEAC7134BE6C1A54BE84E57A3E40892EBDF0C86CBD8845BCBDDE0A00BE781D6ABE804916BE78791C3EA06F603DC89CB4BDBC7DC1BD4E89233E4689383EA2A3763E705A953D585AF73DA08DA4BCAEAA15BE6CCC7ABE9AED1B3ED0D514BD645AD23DC09C493C20EE6EBE402FFBBDC80A903D10424FBDA83577BEA489B33DC0161D3C008CA4BD58D5CE3DB82F583DC0D3BCBD26FA653E126E003E8093003D20A944BD9AD758BEDEA6453ED81D84BD0A6F25BE8822243E5CD6B53D70687D3D080A4BBDACC79FBD70C52D3DF81A463E18A4123D2019F2BDB04E7E3E0034AF3B5C5F4A3EB091793D9E77653E8EB4133E088402BE1CD4333E00CDD23AE27E4DBE389356BD961167BE58A204BE0E5C35BE74172F3E582157BD70EC30BDB85BF53D745ED03DA8F328BE94B0BC3D5882D93D4A8C4BBE6C935E3E68C51BBED037C8BD10DD52BE76FA693ED0FC423D988F573E70BC853CAE250B3E6479A3BD063B4CBE5861243D40A3B6BCE0C8CEBC6873FBBDC096A93BC009933DF4B3B83D76394EBE885BF73D109AD23C5691303E34EB343E909A49BE8AD7753E6EC37BBE682A133E9025903C6C48F23DAA6F0ABE02E8193EB85AFDBD024762BE7889AB3DC01F0C3E34C37D3EC00AD6BC3C44763ECE76243E00EFFDBDD47645BEC4940F3E98410CBE0CDAEA3D743F5BBE18C53A3E9C74993DA071EBBC4CD1EA3D224236BE80DA5FBD809E203B74EC13BECCD382BD70CDDCBD2EFA733E2C7B593E84CB5C3EF43C513E482C75BEE443AB3DA8B7BC3D42C53BBED488CF3DEEE80ABE48D5223DE496A93DB0E65C3E264D06BE146A49BEBADD6C3ED0EBD63D30DBF83D484DB83D583AB5BD16FF193E2E7F5FBE20810E3DC071E73D20E92E3E88ADFFBD1A072DBEA8E9BF3D584E4BBE8EC054BEBA3966BE5C49F8BD787543BDFC9917BEAC7CD8BD46AF62BE48591D3E986C6ABDA48521BE404D853DCA693FBE9032333E3834133EFC927BBE3AF248BEE6CC28BEAE940ABE90B7FF3CB8257DBE38CA3DBEA0D2E93DB8AFA7BD7CBCCBBDB4C853BEFC84CF3D309F903C48E7C5BD30C51CBEC8C6593D9C4F8B3DC041E33DFC27983DD8341CBDFC2B46BEC4F8223E00720CBB64222ABE96C55C3E74BB0E3EAC3249BE98B3FFBD603CAEBDD6C813BEE818EF3D02A136BE20EB6D3E90A0D3BD4A1C173E207D0B3C4C2CE1BDD0F32A3E2C5643BEEA7107BE6079F53C0C144B3E805EDBBDE4E21BBE386F23BEA4BAE1BDD4DCB0BDE8826EBD82A211BEEC05A03D0010053B244327BE4A3112BE88D5583D000D6ABBF42E353E003C1BBDD4624FBE3E573DBEE84896BDE0CA62BD20B9E93C28A765BD70EABC3D6C48AABD68E43B3E30336B3D38689DBDBC25643EE4B5823D9CF92DBEA4790EBE0E84203E54D7E93D20E2473E90519DBC3A0D333E2C8EFE3DF4569E3D28006DBDF4C7763E70384F3D601A84BD00F168BB10A97B3E50F12B3E00C597BC3CF97A3E5CD6E03D7C4C08BE48FA68BE80C5143ECE15703EE82615BE444AD23D405F2E3CF8F25ABDD8378BBD70708E3D48BF613D96E72C3E146EBB3D44FDE83D0AD5613EE46D9F3D5001183DA866BABD68BF3B3EC839173D7002253E9C34773E480565BDF43F343E58F44FBDA205673E147F493EE084B7BD00E6123C2C98DFBDB413CFBDA0534FBD0067DFBACC7AB2BDE0A971BEF8D51ABE8002AFBC2872A3BD36253E3E6417503E8816233E0C9AE23D8CF24ABE18DC713EFC9661BED052A8BD402D34BE801DB83D860555BEC469FCBD389D22BE0C5C1DBED802EFBD18A77B3EE046A7BC78129C3D8A207EBE0A9D633E80FB5EBD42F16ABEC06C303E10718ABD567B683E28E22DBEC2AD6DBE2A5240BE8CC9DD3D40ADE5BCD0296DBEF0DD3D3D108B82BC54F8B83DDA3802BE66C136BE427C2E3EF05FF6BD4E14343EF8904F3E7A0733BE780DECBD208AF63CAC5F71BE383D9D3DB854D5BD6802E3BDB4E745BEE885EF3DA02223BE0C9F4CBEBCA486BD04840EBEF6E178BEE857CE3D68CCC2BDB651333EEA33343EF04423BEB03D15BEECBCB5BD0AF4153E20FF0CBCC8E8B6BD4A961E3ED2C6723E9C423D3EBEC343BE28AF54BD686A44BD9A785A3EC46704BEAAB812BE802B803BB8DF6DBD0CCDC13D30F0F83C7AD818BE6C263A3EC25A1F3EF83D603D3AB667BE4099F03D381A2A3E948A8E3D00E9C5BD505A893C8CB0C4BD2403713E9C32773E90A9EEBC743C2CBEB897163E68A8023E14B3073EC0A040BEB89CAD3D047FDABD0A0361BE46C232BE480AD93D90AEBF3DC6AE60BEF02B113E4E28443E3856423E6C8C103E18BF20BD6E892B3ECE6A483EB472053ECA2038BE10B1B2BDD4CE4A3E182B433E2259233EE4FED5BD28CD4ABDF2B83EBE08E511BEA683443E901E52BE680E7DBD005D593D689A19BEF0B16E3D",
      torch_tensor_16_torch.float32_1: "0x0400000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
      torch_tensor_16_torch.float32: "0x040000000000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F"
    }
  }
#-}
