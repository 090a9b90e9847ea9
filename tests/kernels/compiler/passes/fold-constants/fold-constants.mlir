// RUN: mmtune-opt %s --fold-constants --split-input-file | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>
#column = affine_map<(d0, d1) -> (d0, 0)>
#line = affine_map<(d0) -> (d0)>

// A table of sines, of the places of its elements, behind an assertion that holds; only its part that is read.
// CHECK-LABEL: func.func @table
// CHECK-SAME: (%[[X:.*]]: tensor<2x2xf32>)
// CHECK: %[[TABLE:.*]] = arith.constant dense<{{\[\[}}0.000000e+00, 0.000000e+00], [0.841470957, 0.0998334214]]> : tensor<2x2xf32>
// CHECK-NOT: linalg.index
// CHECK: linalg.generic {{.*}} ins(%[[X]], %[[TABLE]] :
// CHECK-NOT: linalg.generic
func.func @table(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %base = arith.constant 100.0 : f32
  %two = arith.constant 2.0 : f32
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f32
  %e2 = tensor.empty() : tensor<2xf32>
  %e3 = tensor.empty() : tensor<3xf32>
  %frequency = linalg.generic {indexing_maps = [#line], iterator_types = ["parallel"]} outs(%e2 : tensor<2xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = arith.index_cast %i : index to i64
    %k = arith.sitofp %j : i64 to f32
    %p = arith.divf %k, %two : f32
    %power = math.powf %base, %p : f32
    %isThere = arith.cmpf one, %power, %zero : f32
    cf.assert %isThere, "zero"
    %f = arith.divf %one, %power : f32
    linalg.yield %f : f32
  } -> tensor<2xf32>
  %number = linalg.generic {indexing_maps = [#line], iterator_types = ["parallel"]} outs(%e3 : tensor<3xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = arith.index_cast %i : index to i64
    %k = arith.sitofp %j : i64 to f32
    linalg.yield %k : f32
  } -> tensor<3xf32>
  %place = tensor.expand_shape %number [[0, 1]] output_shape [3, 1] : tensor<3xf32> into tensor<3x1xf32>
  %e = tensor.empty() : tensor<3x2xf32>
  %sines = linalg.generic {indexing_maps = [#column, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%place, %frequency : tensor<3x1xf32>, tensor<2xf32>) outs(%e : tensor<3x2xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %product = arith.mulf %a, %b : f32
    %s = math.sin %product : f32
    linalg.yield %s : f32
  } -> tensor<3x2xf32>
  %part = tensor.extract_slice %sines[0, 0] [2, 2] [1, 1] : tensor<3x2xf32> to tensor<2x2xf32>
  %e22 = tensor.empty() : tensor<2x2xf32>
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %part : tensor<2x2xf32>, tensor<2x2xf32>) outs(%e22 : tensor<2x2xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %product = arith.mulf %a, %b : f32
    linalg.yield %product : f32
  } -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

// Each operation rounds to its type: bf16 has no 1 + 2^-8. Copies along rows are computed where they are read.
#one = affine_map<(d0, d1) -> (0, d1)>
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>
#line = affine_map<(d0) -> (d0)>
// CHECK-LABEL: func.func @rounds
// CHECK: %[[ROW:.*]] = arith.constant dense<[1.000000e+00, 2.015630e+00]> : tensor<2xbf16>
// CHECK: linalg.generic {{.*}} ins(%[[ROW]] : tensor<2xbf16>) outs(%{{.*}} : tensor<4x2xbf16>)
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<1x2xbf16>) outs(%{{.*}} : tensor<4x2xbf16>)
// CHECK-NOT: linalg.generic
func.func @rounds() -> (tensor<4x2xbf16>, tensor<4x2xbf16>) {
  %x = arith.constant dense<[1.0, 2.0]> : tensor<2xbf16>
  %little = arith.constant 0.00390625 : bf16
  %e = tensor.empty() : tensor<2xbf16>
  %sum = linalg.generic {indexing_maps = [#line, #line], iterator_types = ["parallel"]} ins(%x : tensor<2xbf16>) outs(%e : tensor<2xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    %a = arith.addf %in, %little : bf16
    %p = arith.mulf %a, %in : bf16
    %c = arith.constant 2.0 : bf16
    %isTwo = arith.cmpf oeq, %in, %c : bf16
    %half = arith.constant 0.503906250 : bf16
    %q = arith.mulf %p, %half : bf16
    %r = arith.select %isTwo, %q, %a : bf16
    linalg.yield %r : bf16
  } -> tensor<2xbf16>
  %e4 = tensor.empty() : tensor<4x2xbf16>
  %r = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]} ins(%sum : tensor<2xbf16>) outs(%e4 : tensor<4x2xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    linalg.yield %in : bf16
  } -> tensor<4x2xbf16>
  %line = tensor.expand_shape %x [[0, 1]] output_shape [1, 2] : tensor<2xbf16> into tensor<1x2xbf16>
  %s = linalg.generic {indexing_maps = [#one, #id], iterator_types = ["parallel", "parallel"]} ins(%line : tensor<1x2xbf16>) outs(%e4 : tensor<4x2xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    linalg.yield %in : bf16
  } -> tensor<4x2xbf16>
  return %r, %s : tensor<4x2xbf16>, tensor<4x2xbf16>
}

// -----

// Left alone: an assertion that fails, a division by 0, an element that there is not, a table much larger than what it is
// made of, and what an input takes part in.
#id = affine_map<(d0, d1) -> (d0, d1)>
#line = affine_map<(d0) -> (d0)>
// CHECK-LABEL: func.func @refused
// CHECK-COUNT-5: linalg.generic
// CHECK: return
func.func @refused(%n: i32) -> (tensor<2xf32>, tensor<2xi32>, tensor<2xf32>, tensor<1024x1024xf32>, tensor<2xi32>) {
  %x = arith.constant dense<[1.0, 0.0]> : tensor<2xf32>
  %i = arith.constant dense<[4, 0]> : tensor<2xi32>
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f32
  %ef = tensor.empty() : tensor<2xf32>
  %ei = tensor.empty() : tensor<2xi32>
  %asserted = linalg.generic {indexing_maps = [#line, #line], iterator_types = ["parallel"]} ins(%x : tensor<2xf32>) outs(%ef : tensor<2xf32>) {
  ^bb0(%in: f32, %out: f32):
    %isThere = arith.cmpf one, %in, %zero : f32
    cf.assert %isThere, "zero"
    %r = arith.divf %one, %in : f32
    linalg.yield %r : f32
  } -> tensor<2xf32>
  %divided = linalg.generic {indexing_maps = [#line, #line], iterator_types = ["parallel"]} ins(%i : tensor<2xi32>) outs(%ei : tensor<2xi32>) {
  ^bb0(%in: i32, %out: i32):
    %r = arith.divsi %in, %in : i32
    linalg.yield %r : i32
  } -> tensor<2xi32>
  %read = linalg.generic {indexing_maps = [#line, #line], iterator_types = ["parallel"]} ins(%i : tensor<2xi32>) outs(%ef : tensor<2xf32>) {
  ^bb0(%in: i32, %out: f32):
    %at = arith.index_cast %in : i32 to index
    %r = tensor.extract %x[%at] : tensor<2xf32>
    linalg.yield %r : f32
  } -> tensor<2xf32>
  %et = tensor.empty() : tensor<1024x1024xf32>
  %table = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%et : tensor<1024x1024xf32>) {
  ^bb0(%out: f32):
    %j = linalg.index 0 : index
    %k = arith.index_cast %j : index to i64
    %f = arith.sitofp %k : i64 to f32
    %s = math.sin %f : f32
    linalg.yield %s : f32
  } -> tensor<1024x1024xf32>
  %given = linalg.generic {indexing_maps = [#line, #line], iterator_types = ["parallel"]} ins(%i : tensor<2xi32>) outs(%ei : tensor<2xi32>) {
  ^bb0(%in: i32, %out: i32):
    %r = arith.addi %in, %n : i32
    linalg.yield %r : i32
  } -> tensor<2xi32>
  return %asserted, %divided, %read, %table, %given : tensor<2xf32>, tensor<2xi32>, tensor<2xf32>, tensor<1024x1024xf32>, tensor<2xi32>
}

// -----

// An extension stays where an epilogue may read the narrow elements, or a product may; not behind a reshape, where it would
// be computed in each call.
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>
#column = affine_map<(d0, d1) -> (d0, 0)>
#line = affine_map<(d0) -> (d0)>
// CHECK-LABEL: func.func @extensions
// CHECK-DAG: %[[BIAS:.*]] = arith.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf16>
// CHECK-DAG: %[[WEIGHT:.*]] = arith.constant dense<{{.*}}> : tensor<2x2xf16>
// CHECK-DAG: arith.constant dense<[3.000000e+00, 4.000000e+00]> : tensor<2xf32>
// CHECK-DAG: linalg.generic {{.*}} ins(%[[BIAS]] :
// CHECK-DAG: linalg.generic {{.*}} ins(%[[WEIGHT]] :
// CHECK: linalg.matmul
// CHECK: linalg.generic
// CHECK-NOT: linalg.generic
func.func @extensions(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %b = arith.constant dense<[1.0, 2.0]> : tensor<2xf16>
  %w = arith.constant dense<[[1.0, 2.0], [3.0, 5.0]]> : tensor<2x2xf16>
  %m = arith.constant dense<[3.0, 4.0]> : tensor<2xf16>
  %e = tensor.empty() : tensor<2xf32>
  %e2 = tensor.empty() : tensor<2x2xf32>
  %bias = linalg.generic {indexing_maps = [#line, #line], iterator_types = ["parallel"]} ins(%b : tensor<2xf16>) outs(%e : tensor<2xf32>) {
  ^bb0(%in: f16, %out: f32):
    %r = arith.extf %in : f16 to f32
    linalg.yield %r : f32
  } -> tensor<2xf32>
  %mean = linalg.generic {indexing_maps = [#line, #line], iterator_types = ["parallel"]} ins(%m : tensor<2xf16>) outs(%e : tensor<2xf32>) {
  ^bb0(%in: f16, %out: f32):
    %r = arith.extf %in : f16 to f32
    linalg.yield %r : f32
  } -> tensor<2xf32>
  %weight = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<2x2xf16>) outs(%e2 : tensor<2x2xf32>) {
  ^bb0(%in: f16, %out: f32):
    %r = arith.extf %in : f16 to f32
    linalg.yield %r : f32
  } -> tensor<2x2xf32>
  %means = tensor.expand_shape %mean [[0, 1]] output_shape [2, 1] : tensor<2xf32> into tensor<2x1xf32>
  %p = linalg.matmul ins(%x, %weight : tensor<2x2xf32>, tensor<2x2xf32>) outs(%x : tensor<2x2xf32>) -> tensor<2x2xf32>
  %r = linalg.generic {indexing_maps = [#id, #row, #column, #id], iterator_types = ["parallel", "parallel"]} ins(%p, %bias, %means : tensor<2x2xf32>, tensor<2xf32>, tensor<2x1xf32>) outs(%e2 : tensor<2x2xf32>) {
  ^bb0(%a: f32, %y: f32, %c: f32, %out: f32):
    %s = arith.addf %a, %y : f32
    %t = arith.subf %s, %c : f32
    linalg.yield %t : f32
  } -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

// Both halves of a table are one, which a body reads by index: what is left is the table.
#line = affine_map<(d0) -> (d0)>
// CHECK-LABEL: func.func @halves
// CHECK-NOT: dense<[1.000000e+00, 4.000000e+00]>
// CHECK: %[[R:.*]] = arith.constant dense<[1.000000e+00, 4.000000e+00, 1.000000e+00, 4.000000e+00]> : tensor<4xf32>
// CHECK-NEXT: return %[[R]]
func.func @halves() -> tensor<4xf32> {
  %x = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %e = tensor.empty() : tensor<2xf32>
  %squares = linalg.generic {indexing_maps = [#line, #line], iterator_types = ["parallel"]} ins(%x : tensor<2xf32>) outs(%e : tensor<2xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.mulf %in, %in : f32
    linalg.yield %s : f32
  } -> tensor<2xf32>
  %e4 = tensor.empty() : tensor<4xf32>
  %r = linalg.generic {indexing_maps = [#line], iterator_types = ["parallel"]} outs(%e4 : tensor<4xf32>) {
  ^bb0(%out: f32):
    %two = arith.constant 2 : index
    %i = linalg.index 0 : index
    %j = arith.remsi %i, %two : index
    %s = tensor.extract %squares[%j] : tensor<2xf32>
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// Slices of one value everywhere are that value, however large they are.
// CHECK-LABEL: func.func @slice_of_one_value
// CHECK: %[[R:.*]] = arith.constant dense<3.000000e+00> : tensor<2x2xf32>
// CHECK-NEXT: return %[[R]]
func.func @slice_of_one_value() -> tensor<2x2xf32> {
  %c = arith.constant 1.5 : f32
  %e = tensor.empty() : tensor<300000x300000xf32>
  %f = linalg.fill ins(%c : f32) outs(%e : tensor<300000x300000xf32>) -> tensor<300000x300000xf32>
  %s = tensor.extract_slice %f[1, 1] [299999, 299999] [1, 1] : tensor<300000x300000xf32> to tensor<299999x299999xf32>
  %e2 = tensor.empty() : tensor<299999x299999xf32>
  %g = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<299999x299999xf32>) outs(%e2 : tensor<299999x299999xf32>) {
  ^bb0(%in: f32, %out: f32):
    %y = arith.addf %in, %in : f32
    linalg.yield %y : f32
  } -> tensor<299999x299999xf32>
  %r = tensor.extract_slice %g[5, 5] [2, 2] [1, 1] : tensor<299999x299999xf32> to tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

// What is too large takes no room: neither does the extension that is computed next, nor what comes then.
#line = affine_map<(d0) -> (d0)>
// CHECK-LABEL: func.func @beside_what_is_too_large
// CHECK-NOT: linalg.generic
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<8000000xf32>)
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @beside_what_is_too_large() -> (tensor<4xf32>, tensor<2x2xf32>, tensor<8000000xf32>) {
  %x = arith.constant dense<[0.0, 0.0, 1.0, 1.0]> : tensor<4xf32>
  %h = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xbf16>
  %e = tensor.empty() : tensor<4xf32>
  %exp = linalg.generic {indexing_maps = [#line, #line], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.exp %in : f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  %wide = linalg.generic {indexing_maps = [#line, #line], iterator_types = ["parallel"]} ins(%h : tensor<4xbf16>) outs(%e : tensor<4xf32>) {
  ^bb0(%in: bf16, %out: f32):
    %0 = arith.extf %in : bf16 to f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  %square = tensor.expand_shape %wide [[0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>
  %el = tensor.empty() : tensor<8000000xf32>
  %large = linalg.generic {indexing_maps = [#line], iterator_types = ["parallel"]} outs(%el : tensor<8000000xf32>) {
  ^bb0(%out: f32):
    %0 = linalg.index 0 : index
    %1 = arith.index_cast %0 : index to i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = math.sin %2 : f32
    linalg.yield %3 : f32
  } -> tensor<8000000xf32>
  return %exp, %square, %large : tensor<4xf32>, tensor<2x2xf32>, tensor<8000000xf32>
}

// -----

// Operations that have no rule of their own are folded as MLIR folds them, and functions are computed.
#line = affine_map<(d0) -> (d0)>
// CHECK-LABEL: func.func @integers
// CHECK-DAG: arith.constant dense<[3, 2, 0, 128]> : tensor<4xi16>
// CHECK-DAG: arith.constant dense<[8, 2, 0, 8]> : tensor<4xi8>
// CHECK-DAG: arith.constant dense<[-2, 1, 0, -64]> : tensor<4xi8>
// CHECK-DAG: arith.constant dense<[2.000000e+00, 1.500000e+00]> : tensor<2xf32>
// CHECK-DAG: arith.constant dense<[1090519040, 1079508992]> : tensor<2xi32>
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @integers() -> (tensor<4xi16>, tensor<4xi8>, tensor<4xi8>, tensor<2xf32>, tensor<2xi32>) {
  %x = arith.constant dense<[-3, 2, 0, -128]> : tensor<4xi8>
  %f = arith.constant dense<[8.0, 3.375]> : tensor<2xf32>
  %two = arith.constant 2 : i8
  %e16 = tensor.empty() : tensor<4xi16>
  %e8 = tensor.empty() : tensor<4xi8>
  %ef = tensor.empty() : tensor<2xf32>
  %ei = tensor.empty() : tensor<2xi32>
  %magnitude = linalg.generic {indexing_maps = [#line, #line], iterator_types = ["parallel"]} ins(%x : tensor<4xi8>) outs(%e16 : tensor<4xi16>) {
  ^bb0(%in: i8, %out: i16):
    %wide = arith.extsi %in : i8 to i16
    %r = math.absi %wide : i16
    linalg.yield %r : i16
  } -> tensor<4xi16>
  %bits = linalg.generic {indexing_maps = [#line, #line], iterator_types = ["parallel"]} ins(%x : tensor<4xi8>) outs(%e8 : tensor<4xi8>) {
  ^bb0(%in: i8, %out: i8):
    %a = math.ctpop %in : i8
    %b = math.cttz %in : i8
    %c = arith.addi %a, %b : i8
    %big = arith.constant 8 : i8
    %zero = arith.constant 0 : i8
    %isThree = arith.cmpi slt, %in, %zero : i8
    %isZero = arith.cmpi eq, %in, %zero : i8
    %most = arith.select %isThree, %big, %c : i8
    %r = arith.select %isZero, %zero, %most : i8
    linalg.yield %r : i8
  } -> tensor<4xi8>
  %half = linalg.generic {indexing_maps = [#line, #line], iterator_types = ["parallel"]} ins(%x : tensor<4xi8>) outs(%e8 : tensor<4xi8>) {
  ^bb0(%in: i8, %out: i8):
    %r = arith.floordivsi %in, %two : i8
    linalg.yield %r : i8
  } -> tensor<4xi8>
  %root = linalg.generic {indexing_maps = [#line, #line], iterator_types = ["parallel"]} ins(%f : tensor<2xf32>) outs(%ef : tensor<2xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.cbrt %in : f32
    linalg.yield %r : f32
  } -> tensor<2xf32>
  %same = linalg.generic {indexing_maps = [#line, #line], iterator_types = ["parallel"]} ins(%f : tensor<2xf32>) outs(%ei : tensor<2xi32>) {
  ^bb0(%in: f32, %out: i32):
    %r = arith.bitcast %in : f32 to i32
    linalg.yield %r : i32
  } -> tensor<2xi32>
  return %magnitude, %bits, %half, %root, %same : tensor<4xi16>, tensor<4xi8>, tensor<4xi8>, tensor<2xf32>, tensor<2xi32>
}

// -----

// A view as torch-mlir writes it: elements are read by indices that are constants, in their order. Not so the other one,
// which swaps two elements.
#line = affine_map<(d0) -> (d0)>
#id = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-LABEL: func.func @views
// CHECK-SAME: (%[[X:.*]]: tensor<2x3x1xf32>)
// CHECK: %[[JOINED:.*]] = tensor.collapse_shape %[[X]] {{\[\[}}0, 1, 2]] : tensor<2x3x1xf32> into tensor<6xf32>
// CHECK: %[[SWAPPED:.*]] = linalg.generic
// CHECK: tensor.extract %[[X]]
// CHECK-NOT: linalg.generic
// CHECK: return %[[JOINED]], %[[SWAPPED]]
func.func @views(%x: tensor<2x3x1xf32>) -> (tensor<6xf32>, tensor<6xf32>) {
  %rows = arith.constant dense<[0, 0, 0, 1, 1, -1]> : tensor<6xi64>
  %columns = arith.constant dense<[0, 1, 2, 0, 1, 2]> : tensor<6xi64>
  %swapped = arith.constant dense<[0, 2, 1, 0, 1, 2]> : tensor<6xi64>
  %zero = arith.constant 0 : i64
  %two = arith.constant 2 : i64
  %first = arith.constant 0 : index
  %e = tensor.empty() : tensor<6xf32>
  %a = linalg.generic {indexing_maps = [#line, #line, #line], iterator_types = ["parallel"]} ins(%rows, %columns : tensor<6xi64>, tensor<6xi64>) outs(%e : tensor<6xf32>) {
  ^bb0(%r: i64, %c: i64, %out: f32):
    %below = arith.cmpi slt, %r, %zero : i64
    %up = arith.addi %r, %two : i64
    %row = arith.select %below, %up, %r : i64
    %i = arith.index_cast %row : i64 to index
    %j = arith.index_cast %c : i64 to index
    %s = tensor.extract %x[%i, %j, %first] : tensor<2x3x1xf32>
    linalg.yield %s : f32
  } -> tensor<6xf32>
  %b = linalg.generic {indexing_maps = [#line, #line, #line], iterator_types = ["parallel"]} ins(%rows, %swapped : tensor<6xi64>, tensor<6xi64>) outs(%e : tensor<6xf32>) {
  ^bb0(%r: i64, %c: i64, %out: f32):
    %below = arith.cmpi slt, %r, %zero : i64
    %up = arith.addi %r, %two : i64
    %row = arith.select %below, %up, %r : i64
    %i = arith.index_cast %row : i64 to index
    %j = arith.index_cast %c : i64 to index
    %s = tensor.extract %x[%i, %j, %first] : tensor<2x3x1xf32>
    linalg.yield %s : f32
  } -> tensor<6xf32>
  return %a, %b : tensor<6xf32>, tensor<6xf32>
}
