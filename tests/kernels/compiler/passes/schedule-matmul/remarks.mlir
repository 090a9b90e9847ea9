// RUN: mmtune-opt %s --schedule-matmul --split-input-file --verify-diagnostics

func.func @default(%a: memref<1000x512xf32>, %b: memref<512x512xf32>, %c: memref<1000x512xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<1000x512xf32>)
  // expected-remark-re @below {{no tuned schedule for 1000x512x512; uses a default one: fma {{.*}}; expected loss: {{[0-9]+}}% or more (tiles cover {{[0-9]+}}% more than the problem)}}
  linalg.matmul ins(%a, %b : memref<1000x512xf32>, memref<512x512xf32>) outs(%c : memref<1000x512xf32>)
  return
}

// -----

func.func @sums_of_16_bits(%a: memref<64x32xf16>, %b: memref<32x48xf16>, %c: memref<64x48xf16>) {
  // expected-remark @below {{the matmul is not scheduled: it accumulates in f16, rounding at each step; kernels accumulate products of f16 in f32}}
  linalg.matmul ins(%a, %b : memref<64x32xf16>, memref<32x48xf16>) outs(%c : memref<64x48xf16>)
  return
}

// -----

func.func @two_types(%a: memref<64x32xf16>, %b: memref<32x48xbf16>, %c: memref<64x48xf32>) {
  // expected-remark @below {{the matmul is not scheduled: A has elements of f16 and B of bf16; kernels take both of one type}}
  linalg.matmul ins(%a, %b : memref<64x32xf16>, memref<32x48xbf16>) outs(%c : memref<64x48xf32>)
  return
}

// -----

func.func @one_side_is_narrow(%a: memref<64x32xf32>, %b: memref<32x48xbf16>, %c: memref<64x48xf32>) {
  // expected-remark @below {{the matmul is not scheduled: A has elements of f32 and B of bf16; kernels take both of one type}}
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x48xbf16>) outs(%c : memref<64x48xf32>)
  return
}

// -----

func.func @doubles(%a: memref<64x32xf16>, %b: memref<32x48xf16>, %c: memref<64x48xf64>) {
  // expected-remark @below {{the matmul is not scheduled: it accumulates in f64; kernels accumulate products of f16 in f32}}
  linalg.matmul ins(%a, %b : memref<64x32xf16>, memref<32x48xf16>) outs(%c : memref<64x48xf64>)
  return
}

// -----

// Each factor rounds before it is added.
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @multiplies_in_16_bits(%a: memref<64x32xf16>, %b: memref<32x48xf16>, %c: memref<64x48xf32>) {
  // expected-remark @below {{the matmul is not scheduled: its operands are multiplied in f16; kernels accumulate products of f16 in f32}}
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : memref<64x32xf16>, memref<32x48xf16>) outs(%c : memref<64x48xf32>) {
  ^bb0(%x: f16, %y: f16, %sum: f32):
    %0 = arith.mulf %x, %y : f16
    %1 = arith.extf %0 : f16 to f32
    %2 = arith.addf %sum, %1 : f32
    linalg.yield %2 : f32
  }
  return
}

// -----

func.func @integers(%a: memref<64x32xi32>, %b: memref<32x48xi32>, %c: memref<64x48xi32>) {
  // expected-remark @below {{the matmul is not scheduled: s32 inputs are not supported; use s8 inputs, whose output is s32}}
  linalg.matmul ins(%a, %b : memref<64x32xi32>, memref<32x48xi32>) outs(%c : memref<64x48xi32>)
  return
}

// -----

func.func @tensors(%a: tensor<64x32xf32>, %b: tensor<32x48xf32>, %c: tensor<64x48xf32>) -> tensor<64x48xf32> {
  // expected-remark @below {{the matmul is not scheduled: A is a tensor; bufferize first}}
  %0 = linalg.matmul ins(%a, %b : tensor<64x32xf32>, tensor<32x48xf32>) outs(%c : tensor<64x48xf32>) -> tensor<64x48xf32>
  return %0 : tensor<64x48xf32>
}

// -----

#a = affine_map<(b, m, n, k) -> (m, k, b)>
#b = affine_map<(b, m, n, k) -> (b, k, n)>
#c = affine_map<(b, m, n, k) -> (b, m, n)>
func.func @batch_innermost(%a: memref<64x32x3xf32>, %b: memref<3x32x48xf32>, %c: memref<3x64x48xf32>) {
  // expected-remark @below {{the matmul is not scheduled: the dimensions of A are neither batch, rows, k nor batch, k, rows}}
  linalg.contract indexing_maps = [#a, #b, #c]
    ins(%a, %b : memref<64x32x3xf32>, memref<3x32x48xf32>) outs(%c : memref<3x64x48xf32>)
  return
}

// -----

func.func @strided(%a: memref<64x32xf32, strided<[64, 1]>>, %b: memref<32x48xf32>, %c: memref<64x48xf32>) {
  // expected-remark @below {{the matmul is not scheduled: A is not dense (memref<64x32xf32, strided<[64, 1]>>)}}
  linalg.matmul ins(%a, %b : memref<64x32xf32, strided<[64, 1]>>, memref<32x48xf32>) outs(%c : memref<64x48xf32>)
  return
}

// -----

// The old contents would have to be read from a buffer that lies as C does.
func.func @added_to_a_slice(%a: memref<64x32xf32>, %b: memref<32x48xf32>, %z: memref<64x96xf32>) {
  %c = memref.subview %z[0, 0] [64, 48] [1, 1] : memref<64x96xf32> to memref<64x48xf32, strided<[96, 1]>>
  // expected-remark @below {{the matmul is not scheduled: it adds to the old contents of its output, which is not dense}}
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x48xf32>) outs(%c : memref<64x48xf32, strided<[96, 1]>>)
  return
}

// -----

func.func @columns_apart(%x: memref<64x64xf32>, %b: memref<32x48xf32>, %c: memref<64x48xf32>) {
  %a = memref.subview %x[0, 0] [64, 32] [1, 2] : memref<64x64xf32> to memref<64x32xf32, strided<[64, 2]>>
  // expected-remark @below {{the matmul is not scheduled: A is not dense (memref<64x32xf32, strided<[64, 2]>>)}}
  linalg.matmul ins(%a, %b : memref<64x32xf32, strided<[64, 2]>>, memref<32x48xf32>) outs(%c : memref<64x48xf32>)
  return
}

// -----

func.func @strides_at_run_time(%x: memref<64x64xf32>, %b: memref<32x48xf32>, %c: memref<32x48xf32>, %s: index) {
  %a = memref.subview %x[0, 0] [32, 32] [%s, 1] : memref<64x64xf32> to memref<32x32xf32, strided<[?, 1]>>
  // expected-remark @below {{the matmul is not scheduled: A is not dense (memref<32x32xf32, strided<[?, 1]>>)}}
  linalg.matmul ins(%a, %b : memref<32x32xf32, strided<[?, 1]>>, memref<32x48xf32>) outs(%c : memref<32x48xf32>)
  return
}

// -----

// Elements of C that are one.
func.func @overlapping(%a: memref<4x32xf32>, %b: memref<32x48xf32>, %z: memref<64xf32>) {
  %c = memref.reinterpret_cast %z to offset: [0], sizes: [4, 48], strides: [4, 1] : memref<64xf32> to memref<4x48xf32, strided<[4, 1]>>
  // expected-remark @below {{the matmul is not scheduled: C is not dense (memref<4x48xf32, strided<[4, 1]>>)}}
  linalg.matmul ins(%a, %b : memref<4x32xf32>, memref<32x48xf32>) outs(%c : memref<4x48xf32, strided<[4, 1]>>)
  return
}

// -----

func.func @device_memory(%a: memref<64x32xf32>, %b: memref<32x48xf32, 1>, %c: memref<64x48xf32>) {
  // expected-remark @below {{the matmul is not scheduled: B is not in the default memory space}}
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x48xf32, 1>) outs(%c : memref<64x48xf32>)
  return
}

// -----

func.func @unaligned(%bytes: memref<8196xi8>, %b: memref<32x48xf32>, %c: memref<64x48xf32>) {
  %c4 = arith.constant 4 : index
  %a = memref.view %bytes[%c4][] : memref<8196xi8> to memref<64x32xf32>
  // expected-remark @below {{the matmul is not scheduled: A may not be aligned to 16 bytes}}
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x48xf32>) outs(%c : memref<64x48xf32>)
  return
}

// -----

func.func @empty(%a: memref<64x0xf32>, %b: memref<0x48xf32>, %c: memref<64x48xf32>) {
  // expected-remark @below {{the matmul is not scheduled: K=0 is not positive}}
  linalg.matmul ins(%a, %b : memref<64x0xf32>, memref<0x48xf32>) outs(%c : memref<64x48xf32>)
  return
}

// -----

func.func @into_itself(%a: memref<64x64xf32>, %b: memref<64x64xf32>) {
  // expected-remark @below {{the matmul is not scheduled: its output is one of its inputs}}
  linalg.matmul ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%a : memref<64x64xf32>)
  return
}

// -----

// Not matmuls: no remark.
func.func @others(%a: memref<64x32xf32>, %x: memref<32xf32>, %y: memref<64xf32>) {
  linalg.matvec ins(%a, %x : memref<64x32xf32>, memref<32xf32>) outs(%y : memref<64xf32>)
  linalg.conv_1d ins(%y, %x : memref<64xf32>, memref<32xf32>) outs(%x : memref<32xf32>)
  return
}

// -----

func.func @accumulates(%a: memref<64x32xf32>, %b: memref<32x48xf32>, %c: memref<64x48xf32>) {
  // expected-remark @below {{adds to the old contents of its output, which are copied first; fill the output with zeros just before to avoid the copy}}
  // expected-remark @below {{no tuned schedule for 64x48x32 epilogue=add}}
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x48xf32>) outs(%c : memref<64x48xf32>)
  return
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @rounds_its_inputs(%a: memref<64x32xf32>, %b: memref<32x48xf32>, %c: memref<64x48xf32>) {
  // expected-remark @below {{the matmul is not scheduled: its body converts to a type that may not hold the value; kernels accumulate products of f32 in f32}}
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : memref<64x32xf32>, memref<32x48xf32>) outs(%c : memref<64x48xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %0 = arith.truncf %x : f32 to bf16
    %1 = arith.extf %0 : bf16 to f32
    %2 = arith.mulf %1, %y : f32
    %3 = arith.addf %sum, %2 : f32
    linalg.yield %3 : f32
  }
  return
}

// -----

// In f64, and rounded at every step of k: not what a kernel's f32 gives.
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @adds_in_f64(%a: memref<64x32xf32>, %b: memref<32x48xf32>, %c: memref<64x48xf32>) {
  // expected-remark @below {{the matmul is not scheduled: its body converts}}
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : memref<64x32xf32>, memref<32x48xf32>) outs(%c : memref<64x48xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %0 = arith.extf %x : f32 to f64
    %1 = arith.extf %y : f32 to f64
    %2 = arith.extf %sum : f32 to f64
    %3 = arith.mulf %0, %1 : f64
    %4 = arith.addf %2, %3 : f64
    %5 = arith.truncf %4 : f64 to f32
    linalg.yield %5 : f32
  }
  return
}

// -----

func.func @long_integers(%a: memref<64x32xi64>, %b: memref<32x48xi64>, %c: memref<64x48xi64>) {
  // expected-remark @below {{the matmul is not scheduled: A has elements of type i64; kernels take f32, f16, bf16, f64, i8 and i32}}
  linalg.matmul ins(%a, %b : memref<64x32xi64>, memref<32x48xi64>) outs(%c : memref<64x48xi64>)
  return
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @unsigned(%a: memref<64x32xi8>, %b: memref<32x48xi8>, %c: memref<64x48xi32>) {
  // expected-remark @below {{the matmul is not scheduled: its operands are zero-extended; kernels sign-extend them}}
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : memref<64x32xi8>, memref<32x48xi8>) outs(%c : memref<64x48xi32>) {
  ^bb0(%x: i8, %y: i8, %sum: i32):
    %0 = arith.extui %x : i8 to i32
    %1 = arith.extsi %y : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %sum, %2 : i32
    linalg.yield %3 : i32
  }
  return
}

// -----

// Integers have no addend.
func.func @accumulates_integers(%a: memref<64x32xi8>, %b: memref<32x48xi8>, %c: memref<64x48xi32>) {
  // expected-remark @below {{the matmul is not scheduled: an epilogue is not supported for s8 inputs}}
  linalg.matmul ins(%a, %b : memref<64x32xi8>, memref<32x48xi8>) outs(%c : memref<64x48xi32>)
  return
}

// -----

func.func @bytes_to_i64(%a: memref<64x32xi8>, %b: memref<32x48xi8>, %c: memref<64x48xi64>) {
  // expected-remark @below {{the matmul is not scheduled: C has elements of type i64}}
  linalg.matmul ins(%a, %b : memref<64x32xi8>, memref<32x48xi8>) outs(%c : memref<64x48xi64>)
  return
}
