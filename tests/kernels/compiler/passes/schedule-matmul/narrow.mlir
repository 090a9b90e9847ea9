// RUN: mmtune-opt %s --schedule-matmul --split-input-file --verify-diagnostics | FileCheck %s

// The operation itself extends its operands.
// CHECK-LABEL: func.func @half
// CHECK-SAME: (%[[A:.*]]: memref<64x32xf16>, %[[B:.*]]: memref<32x48xf16>, %[[C:.*]]: memref<64x48xf32>)
// CHECK: gpu.launch_func @matmul_64x48x32_0::{{.*}} args(%[[A]] : memref<64x32xf16>, %[[B]] : memref<32x48xf16>, %[[C]] : memref<64x48xf32>)
// CHECK: mmtune.problem = "64x48x32 f16 out=f32", mmtune.schedule = "mma
func.func @half(%a: memref<64x32xf16>, %b: memref<32x48xf16>, %c: memref<64x48xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<64x48xf32>)
  // expected-remark @below {{no tuned schedule}}
  linalg.matmul ins(%a, %b : memref<64x32xf16>, memref<32x48xf16>) outs(%c : memref<64x48xf32>)
  return
}

// -----

// In the body; A transposed.
#a = affine_map<(m, n, k) -> (k, m)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
// CHECK-LABEL: func.func @transposed
// CHECK: mmtune.problem = "64x48x32 bf16 out=f32 transpose_a transpose_b"
func.func @transposed(%a: memref<32x64xbf16>, %b: memref<48x32xbf16>, %c: memref<64x48xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<64x48xf32>)
  // expected-remark @below {{no tuned schedule}}
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : memref<32x64xbf16>, memref<48x32xbf16>) outs(%c : memref<64x48xf32>) {
  ^bb0(%x: bf16, %y: bf16, %sum: f32):
    %0 = arith.extf %x : bf16 to f32
    %1 = arith.extf %y : bf16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %sum, %2 : f32
    linalg.yield %3 : f32
  }
  return
}

// -----

// Extended by operations before it, which nobody else needs; bias, relu and the rounding behind it in three operations.
#id = affine_map<(m, n) -> (m, n)>
#columns = affine_map<(m, n) -> (n)>
// CHECK-LABEL: func.func @layer
// CHECK-SAME: (%[[A:.*]]: memref<64x32xf16>, %[[B:.*]]: memref<32x48xf16>, %[[BIAS:.*]]: memref<48xf16>, %[[OUT:.*]]: memref<64x48xf16>)
// CHECK-NOT: memref.alloc
// CHECK-NOT: linalg
// CHECK: gpu.launch_func {{.*}} args(%[[A]] : memref<64x32xf16>, %[[B]] : memref<32x48xf16>, %[[OUT]] : memref<64x48xf16>, %[[BIAS]] : memref<48xf16>)
// CHECK-NEXT: return
// CHECK: mmtune.problem = "64x48x32 f16 epilogue=bias,relu"
func.func @layer(%a: memref<64x32xf16>, %b: memref<32x48xf16>, %bias: memref<48xf16>, %out: memref<64x48xf16>) {
  %zero = arith.constant 0.0 : f32
  %zero16 = arith.constant 0.0 : f16
  %aw = memref.alloc() : memref<64x32xf32>
  %bw = memref.alloc() : memref<32x48xf32>
  %c = memref.alloc() : memref<64x48xf32>
  linalg.copy ins(%a : memref<64x32xf16>) outs(%aw : memref<64x32xf32>)
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%b : memref<32x48xf16>) outs(%bw : memref<32x48xf32>) {
  ^bb0(%x: f16, %old: f32):
    %0 = arith.extf %x : f16 to f32
    linalg.yield %0 : f32
  }
  linalg.fill ins(%zero : f32) outs(%c : memref<64x48xf32>)
  // expected-remark @below {{no tuned schedule}}
  linalg.matmul ins(%aw, %bw : memref<64x32xf32>, memref<32x48xf32>) outs(%c : memref<64x48xf32>)
  linalg.generic {indexing_maps = [#id, #columns, #id], iterator_types = ["parallel", "parallel"]}
    ins(%c, %bias : memref<64x48xf32>, memref<48xf16>) outs(%c : memref<64x48xf32>) {
  ^bb0(%x: f32, %y: f16, %old: f32):
    %0 = arith.extf %y : f16 to f32
    %1 = arith.addf %x, %0 : f32
    linalg.yield %1 : f32
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%c : memref<64x48xf32>) outs(%out : memref<64x48xf16>) {
  ^bb0(%x: f32, %old: f16):
    %0 = arith.truncf %x : f32 to f16
    linalg.yield %0 : f16
  }
  // Of the rounded value is the same as before the rounding.
  linalg.map ins(%out : memref<64x48xf16>) outs(%out : memref<64x48xf16>)
    (%x: f16, %old: f16) {
      %0 = arith.maximumf %x, %zero16 : f16
      linalg.yield %0 : f16
    }
  memref.dealloc %aw : memref<64x32xf32>
  memref.dealloc %bw : memref<32x48xf32>
  memref.dealloc %c : memref<64x48xf32>
  return
}

// -----

// Starts from an extension of what the output holds, as widen-accumulators has it: a copy of the narrow one is added.
#id = affine_map<(m, n) -> (m, n)>
// CHECK-LABEL: func.func @accumulates
// CHECK-SAME: %[[C:[^ ]*]]: memref<64x48xf16>)
// CHECK: %[[OLD:.*]] = memref.alloc() : memref<64x48xf16>
// CHECK: memref.copy %[[C]], %[[OLD]]
// CHECK: gpu.launch_func {{.*}} %[[C]] : memref<64x48xf16>, %[[OLD]] : memref<64x48xf16>)
// CHECK-NEXT: memref.dealloc %[[OLD]]
// CHECK-NEXT: return
// CHECK: mmtune.problem = "64x48x32 f16 epilogue=add"
func.func @accumulates(%a: memref<64x32xf16>, %b: memref<32x48xf16>, %c: memref<64x48xf16>) {
  %wide = memref.alloc() : memref<64x48xf32>
  linalg.copy ins(%c : memref<64x48xf16>) outs(%wide : memref<64x48xf32>)
  // expected-remark @below {{adds to the old contents of its output}}
  // expected-remark @below {{no tuned schedule}}
  linalg.matmul ins(%a, %b : memref<64x32xf16>, memref<32x48xf16>) outs(%wide : memref<64x48xf32>)
  linalg.copy ins(%wide : memref<64x48xf32>) outs(%c : memref<64x48xf16>)
  memref.dealloc %wide : memref<64x48xf32>
  return
}

// -----

// The extended operand is an addend, too: it stays.
#id = affine_map<(m, n) -> (m, n)>
// CHECK-LABEL: func.func @residual
// CHECK: %[[AW:.*]] = memref.alloc() : memref<64x64xf32>
// CHECK: linalg.copy ins(%{{.*}} : memref<64x64xf16>) outs(%[[AW]] : memref<64x64xf32>)
// CHECK: gpu.launch_func {{.*}} args(%{{.*}} : memref<64x64xf16>, %{{.*}} : memref<64x64xf16>, %{{.*}} : memref<64x64xf32>, %[[AW]] : memref<64x64xf32>)
// CHECK: mmtune.problem = "64x64x64 f16 out=f32 epilogue=add"
func.func @residual(%a: memref<64x64xf16>, %b: memref<64x64xf16>, %c: memref<64x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %aw = memref.alloc() : memref<64x64xf32>
  %bw = memref.alloc() : memref<64x64xf32>
  linalg.copy ins(%a : memref<64x64xf16>) outs(%aw : memref<64x64xf32>)
  linalg.copy ins(%b : memref<64x64xf16>) outs(%bw : memref<64x64xf32>)
  linalg.fill ins(%zero : f32) outs(%c : memref<64x64xf32>)
  // expected-remark @below {{no tuned schedule}}
  linalg.matmul ins(%aw, %bw : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%aw : memref<64x64xf32>) outs(%c : memref<64x64xf32>) {
  ^bb0(%y: f32, %x: f32):
    %0 = arith.addf %x, %y : f32
    linalg.yield %0 : f32
  }
  memref.dealloc %aw : memref<64x64xf32>
  memref.dealloc %bw : memref<64x64xf32>
  return
}

// -----

// One operand is written between its extension and the matmul, or extended alone: a matmul of f32.
// CHECK-LABEL: func.func @written_in_between
// CHECK-COUNT-2: linalg.copy
// CHECK-LABEL: func.func @one_side
// CHECK: linalg.copy
// CHECK-NOT: {{problem = .* f16}}
// CHECK: mmtune.problem = "64x64x64",
// CHECK-NOT: gpu.module
func.func @written_in_between(%a: memref<64x64xf16>, %b: memref<64x64xf16>, %c: memref<64x64xf32>, %h: f16) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %aw = memref.alloc() : memref<64x64xf32>
  %bw = memref.alloc() : memref<64x64xf32>
  linalg.copy ins(%a : memref<64x64xf16>) outs(%aw : memref<64x64xf32>)
  linalg.copy ins(%b : memref<64x64xf16>) outs(%bw : memref<64x64xf32>)
  memref.store %h, %a[%c0, %c0] : memref<64x64xf16>
  linalg.fill ins(%zero : f32) outs(%c : memref<64x64xf32>)
  // expected-remark @below {{no tuned schedule}}
  linalg.matmul ins(%aw, %bw : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
  memref.dealloc %aw : memref<64x64xf32>
  memref.dealloc %bw : memref<64x64xf32>
  return
}
func.func @one_side(%a: memref<64x64xf16>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %aw = memref.alloc() : memref<64x64xf32>
  linalg.copy ins(%a : memref<64x64xf16>) outs(%aw : memref<64x64xf32>)
  linalg.fill ins(%zero : f32) outs(%c : memref<64x64xf32>)
  // expected-remark @below {{no tuned schedule}}
  linalg.matmul ins(%aw, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
  memref.dealloc %aw : memref<64x64xf32>
  return
}

// -----

// Steps that round to 16 bits on the way: only the rounding itself is fused.
#id = affine_map<(m, n) -> (m, n)>
#columns = affine_map<(m, n) -> (n)>
// CHECK-LABEL: func.func @bias_of_16_bits
// CHECK: gpu.launch_func
// CHECK: linalg.generic
// CHECK-LABEL: func.func @rounds_twice
// CHECK: gpu.launch_func
// CHECK: linalg.generic
// CHECK-LABEL: func.func @bias_of_f32
// CHECK: gpu.launch_func
// CHECK: linalg.generic
// CHECK-LABEL: func.func @toward_zero
// CHECK: gpu.launch_func
// CHECK: linalg.generic
// CHECK: mmtune.problem = "64x48x32 f16",
// CHECK: mmtune.problem = "64x48x32 f16 out=f32",
// CHECK-NOT: gpu.module
func.func @bias_of_16_bits(%a: memref<64x32xf16>, %b: memref<32x48xf16>, %bias: memref<48xf16>, %out: memref<64x48xf16>) {
  %zero = arith.constant 0.0 : f32
  %c = memref.alloc() : memref<64x48xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<64x48xf32>)
  // expected-remark @below {{no tuned schedule}}
  linalg.matmul ins(%a, %b : memref<64x32xf16>, memref<32x48xf16>) outs(%c : memref<64x48xf32>)
  linalg.copy ins(%c : memref<64x48xf32>) outs(%out : memref<64x48xf16>)
  // expected-remark @below {{is not fused into the matmul before it: it computes in f16; kernels compute in f32 and round once}}
  linalg.generic {indexing_maps = [#columns, #id], iterator_types = ["parallel", "parallel"]}
    ins(%bias : memref<48xf16>) outs(%out : memref<64x48xf16>) {
  ^bb0(%y: f16, %x: f16):
    %0 = arith.addf %x, %y : f16
    linalg.yield %0 : f16
  }
  memref.dealloc %c : memref<64x48xf32>
  return
}
func.func @rounds_twice(%a: memref<64x32xf16>, %b: memref<32x48xf16>, %bias: memref<48xf16>, %out: memref<64x48xf16>) {
  %zero = arith.constant 0.0 : f32
  %c = memref.alloc() : memref<64x48xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<64x48xf32>)
  // expected-remark @below {{no tuned schedule}}
  linalg.matmul ins(%a, %b : memref<64x32xf16>, memref<32x48xf16>) outs(%c : memref<64x48xf32>)
  // expected-remark @below {{is not fused into the matmul before it: its body is not a chain}}
  linalg.generic {indexing_maps = [#id, #columns, #id], iterator_types = ["parallel", "parallel"]}
    ins(%c, %bias : memref<64x48xf32>, memref<48xf16>) outs(%out : memref<64x48xf16>) {
  ^bb0(%x: f32, %y: f16, %old: f16):
    %0 = arith.truncf %x : f32 to f16
    %1 = arith.extf %0 : f16 to f32
    %2 = arith.extf %y : f16 to f32
    %3 = arith.addf %1, %2 : f32
    %4 = arith.truncf %3 : f32 to f16
    linalg.yield %4 : f16
  }
  memref.dealloc %c : memref<64x48xf32>
  return
}
func.func @bias_of_f32(%a: memref<64x32xf16>, %b: memref<32x48xf16>, %bias: memref<48xf32>, %out: memref<64x48xf16>) {
  %zero = arith.constant 0.0 : f32
  %c = memref.alloc() : memref<64x48xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<64x48xf32>)
  // expected-remark @below {{no tuned schedule}}
  linalg.matmul ins(%a, %b : memref<64x32xf16>, memref<32x48xf16>) outs(%c : memref<64x48xf32>)
  // expected-remark @below {{is not fused into the matmul before it: bias and addend must have the type of C}}
  linalg.generic {indexing_maps = [#id, #columns, #id], iterator_types = ["parallel", "parallel"]}
    ins(%c, %bias : memref<64x48xf32>, memref<48xf32>) outs(%out : memref<64x48xf16>) {
  ^bb0(%x: f32, %y: f32, %old: f16):
    %0 = arith.addf %x, %y : f32
    %1 = arith.truncf %0 : f32 to f16
    linalg.yield %1 : f16
  }
  memref.dealloc %c : memref<64x48xf32>
  return
}
func.func @toward_zero(%a: memref<64x32xf16>, %b: memref<32x48xf16>, %out: memref<64x48xf16>) {
  %zero = arith.constant 0.0 : f32
  %c = memref.alloc() : memref<64x48xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<64x48xf32>)
  // expected-remark @below {{no tuned schedule}}
  linalg.matmul ins(%a, %b : memref<64x32xf16>, memref<32x48xf16>) outs(%c : memref<64x48xf32>)
  // expected-remark @below {{is not fused into the matmul before it: its body is not a chain}}
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%c : memref<64x48xf32>) outs(%out : memref<64x48xf16>) {
  ^bb0(%x: f32, %old: f16):
    %0 = arith.truncf %x toward_zero : f32 to f16
    linalg.yield %0 : f16
  }
  memref.dealloc %c : memref<64x48xf32>
  return
}

// -----

// f32 operands: a kernel of f32 stores f32. And the other type of 16 bits.
#id = affine_map<(m, n) -> (m, n)>
// CHECK-LABEL: func.func @other_output
// CHECK: mmtune.problem = "64x48x32 f16 out=f32"
func.func @other_output(%a: memref<64x32xf16>, %b: memref<32x48xf16>, %out: memref<64x48xbf16>) {
  %zero = arith.constant 0.0 : f32
  %c = memref.alloc() : memref<64x48xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<64x48xf32>)
  // expected-remark @below {{no tuned schedule}}
  linalg.matmul ins(%a, %b : memref<64x32xf16>, memref<32x48xf16>) outs(%c : memref<64x48xf32>)
  // expected-remark @below {{is not fused into the matmul before it: C must be f32 or have the type of A and B}}
  linalg.copy ins(%c : memref<64x48xf32>) outs(%out : memref<64x48xbf16>)
  memref.dealloc %c : memref<64x48xf32>
  return
}

// -----

// A is also the addend and the output: the kernel may not write it while it reads it.
// CHECK-LABEL: func.func @operand_is_the_output
// CHECK-SAME: %[[A:[^ ]*]]: memref<64x64xf16>, %[[B:[^ ]*]]: memref<64x64xf16>)
// CHECK: gpu.launch_func {{.*}} args(%[[A]] : memref<64x64xf16>, %[[B]] : memref<64x64xf16>, %[[C:.*]] : memref<64x64xf32>, %{{.*}} : memref<64x64xf32>)
// CHECK: linalg.copy ins(%[[C]] : memref<64x64xf32>) outs(%[[A]] : memref<64x64xf16>)
func.func @operand_is_the_output(%a: memref<64x64xf16>, %b: memref<64x64xf16>) {
  %wide = memref.alloc() : memref<64x64xf32>
  linalg.copy ins(%a : memref<64x64xf16>) outs(%wide : memref<64x64xf32>)
  // expected-remark @below {{adds to the old contents of its output}}
  // expected-remark @below {{no tuned schedule}}
  linalg.matmul ins(%a, %b : memref<64x64xf16>, memref<64x64xf16>) outs(%wide : memref<64x64xf32>)
  // expected-remark @below {{its output may be an operand of the matmul}}
  linalg.copy ins(%wide : memref<64x64xf32>) outs(%a : memref<64x64xf16>)
  memref.dealloc %wide : memref<64x64xf32>
  return
}

// -----

// Extended rows of a wider buffer (x[:, 0] of a batch): the kernel reads them where they lie.
#id = affine_map<(m, n) -> (m, n)>
// CHECK-LABEL: func.func @first_of_each
// CHECK-NOT: memref.alloc
// CHECK-NOT: linalg
// CHECK: gpu.launch_func {{.*}} args(%{{.*}} : memref<64x32xf16, strided<[160, 1]>>, %{{.*}} : memref<32x48xf16>, %{{.*}} : memref<64x48xf32>)
// CHECK: mmtune.problem = "64x48x32 f16 out=f32 lda=160 ldb=48 ldc=48"
func.func @first_of_each(%x: memref<64x5x32xf16>, %b: memref<32x48xf16>, %c: memref<64x48xf32>) {
  %zero = arith.constant 0.0 : f32
  %a = memref.subview %x[0, 0, 0] [64, 1, 32] [1, 1, 1] : memref<64x5x32xf16> to memref<64x32xf16, strided<[160, 1]>>
  %aw = memref.alloc() : memref<64x32xf32>
  %bw = memref.alloc() : memref<32x48xf32>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%a : memref<64x32xf16, strided<[160, 1]>>) outs(%aw : memref<64x32xf32>) {
  ^bb0(%in: f16, %out: f32):
    %w = arith.extf %in : f16 to f32
    linalg.yield %w : f32
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%b : memref<32x48xf16>) outs(%bw : memref<32x48xf32>) {
  ^bb0(%in: f16, %out: f32):
    %w = arith.extf %in : f16 to f32
    linalg.yield %w : f32
  }
  linalg.fill ins(%zero : f32) outs(%c : memref<64x48xf32>)
  // expected-remark @below {{no tuned schedule}}
  linalg.matmul ins(%aw, %bw : memref<64x32xf32>, memref<32x48xf32>) outs(%c : memref<64x48xf32>)
  memref.dealloc %aw : memref<64x32xf32>
  memref.dealloc %bw : memref<32x48xf32>
  return
}
