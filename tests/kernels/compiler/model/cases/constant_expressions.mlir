#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>
#column = affine_map<(d0, d1) -> (d0, 0)>
#line = affine_map<(d0) -> (d0)>
// What depends on no input: a table of rotations as torch makes it, sums that round in 16 bits, integers.
func.func @forward(%x: tensor<6x4xf32>) -> tensor<6x4xf32> {
  %two = arith.constant 2 : i64
  %five = arith.constant 5 : i64
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %four = arith.constant 4.0 : f32
  %base = arith.constant 1.0e+4 : f32
  %third = arith.constant 0.333333333333 : f64
  %numbers = arith.constant dense<[-7, 3, 2147483647, 11]> : tensor<4xi32>
  %scales = arith.constant dense<[0.1, 1.3, -2.7, 700.0]> : tensor<4xf16>
  %weights = arith.constant dense<[[0.3], [1.7], [-5.1], [0.01], [1.1], [-0.0]]> : tensor<6x1xbf16>
  %e4 = tensor.empty() : tensor<4xf32>
  %e6 = tensor.empty() : tensor<6xf32>
  %e = tensor.empty() : tensor<6x4xf32>
  %frequencies = linalg.generic {indexing_maps = [#line], iterator_types = ["parallel"]} outs(%e4 : tensor<4xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = arith.index_cast %i : index to i64
    %k = arith.muli %j, %two : i64
    %f = arith.sitofp %k : i64 to f32
    %g = arith.divf %f, %four : f32
    %p = math.powf %base, %g : f32
    %isThere = arith.cmpf one, %p, %zero : f32
    cf.assert %isThere, "unimplemented: tensor with zero element"
    %q = arith.divf %one, %p : f32
    linalg.yield %q : f32
  } -> tensor<4xf32>
  %places = linalg.generic {indexing_maps = [#line], iterator_types = ["parallel"]} outs(%e6 : tensor<6xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = arith.index_cast %i : index to i64
    %f = arith.sitofp %j : i64 to f32
    linalg.yield %f : f32
  } -> tensor<6xf32>
  %column = tensor.expand_shape %places [[0, 1]] output_shape [6, 1] : tensor<6xf32> into tensor<6x1xf32>
  %table = linalg.generic {indexing_maps = [#column, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%column, %frequencies : tensor<6x1xf32>, tensor<4xf32>) outs(%e : tensor<6x4xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %angle = arith.mulf %a, %b : f32
    %s = math.sin %angle : f32
    %c = math.cos %angle : f32
    %t = math.tanh %s : f32
    %u = math.fpowi %c, %two : f32, i64
    %r = arith.addf %t, %u : f32
    linalg.yield %r : f32
  } -> tensor<6x4xf32>
  %e16 = tensor.empty() : tensor<4xf16>
  %halves = linalg.generic {indexing_maps = [#line, #line], iterator_types = ["parallel"]} ins(%scales : tensor<4xf16>) outs(%e16 : tensor<4xf16>) {
  ^bb0(%in: f16, %out: f16):
    %third16 = arith.truncf %third : f64 to f16
    %a = arith.addf %in, %third16 : f16
    %b = arith.mulf %a, %in : f16
    %d = arith.divf %b, %third16 : f16
    %n = arith.negf %d : f16
    %m = arith.maximumf %d, %n : f16
    %s = math.sqrt %m : f16
    %r = math.rsqrt %s : f16
    linalg.yield %r : f16
  } -> tensor<4xf16>
  %integers = linalg.generic {indexing_maps = [#line, #line], iterator_types = ["parallel"]} ins(%numbers : tensor<4xi32>) outs(%e4 : tensor<4xf32>) {
  ^bb0(%in: i32, %out: f32):
    %one32 = arith.constant 1 : i32
    %three32 = arith.constant 3 : i32
    %a = arith.addi %in, %one32 : i32
    %b = arith.shrsi %a, %three32 : i32
    %c = arith.shrui %in, %three32 : i32
    %d = arith.xori %b, %c : i32
    %q = arith.divsi %in, %three32 : i32
    %m = arith.remsi %in, %three32 : i32
    %u = arith.remui %in, %three32 : i32
    %s = arith.addi %q, %m : i32
    %t = arith.addi %s, %u : i32
    %l = arith.minsi %t, %d : i32
    %k = arith.extsi %l : i32 to i64
    %v = arith.muli %k, %five : i64
    %n = arith.trunci %v : i64 to i32
    %w = arith.cmpi ult, %in, %n : i32
    %z = arith.select %w, %one32, %three32 : i32
    %f = arith.sitofp %n : i32 to f32
    %g = arith.uitofp %z : i32 to f32
    %h = arith.divf %f, %base : f32
    %i = arith.mulf %h, %one : f32
    %j = math.floor %i : f32
    %o = arith.fptosi %j : f32 to i32
    %p = arith.remsi %o, %three32 : i32
    %y = arith.sitofp %p : i32 to f32
    %r = arith.addf %y, %g : f32
    linalg.yield %r : f32
  } -> tensor<4xf32>
  %lines = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%weights : tensor<6x1xbf16>) outs(%weights : tensor<6x1xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    %little = arith.constant 0.0078 : bf16
    %a = arith.addf %in, %little : bf16
    %b = math.exp %a : bf16
    %c = arith.mulf %b, %in : bf16
    linalg.yield %c : bf16
  } -> tensor<6x1xbf16>
  %r = linalg.generic {indexing_maps = [#id, #id, #row, #row, #column, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %table, %halves, %integers, %lines : tensor<6x4xf32>, tensor<6x4xf32>, tensor<4xf16>, tensor<4xf32>, tensor<6x1xbf16>) outs(%e : tensor<6x4xf32>) {
  ^bb0(%in: f32, %t: f32, %h: f16, %n: f32, %w: bf16, %out: f32):
    %a = arith.mulf %in, %t : f32
    %hw = arith.extf %h : f16 to f32
    %b = arith.addf %a, %hw : f32
    %c = arith.addf %b, %n : f32
    %ww = arith.extf %w : bf16 to f32
    %d = arith.addf %c, %ww : f32
    linalg.yield %d : f32
  } -> tensor<6x4xf32>
  return %r : tensor<6x4xf32>
}
