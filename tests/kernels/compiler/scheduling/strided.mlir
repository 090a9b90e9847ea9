// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products over parts of wider buffers, turned heads, shared matrices.

// Rows of slices of wider buffers, A's of 16 bytes, B's of 4, and C's of one element more.
func.func @slices(%x: memref<33x40xf32>, %y: memref<20x31xf32>, %z: memref<33x41xf32>) {
  %zero = arith.constant 0.0 : f32
  %a = memref.subview %x[0, 8] [33, 20] [1, 1] : memref<33x40xf32> to memref<33x20xf32, strided<[40, 1], offset: 8>>
  %b = memref.subview %y[0, 3] [20, 17] [1, 1] : memref<20x31xf32> to memref<20x17xf32, strided<[31, 1], offset: 3>>
  %c = memref.subview %z[0, 5] [33, 17] [1, 1] : memref<33x41xf32> to memref<33x17xf32, strided<[41, 1], offset: 5>>
  linalg.fill ins(%zero : f32) outs(%c : memref<33x17xf32, strided<[41, 1], offset: 5>>)
  linalg.matmul ins(%a, %b : memref<33x20xf32, strided<[40, 1], offset: 8>>, memref<20x17xf32, strided<[31, 1], offset: 3>>) outs(%c : memref<33x17xf32, strided<[41, 1], offset: 5>>)
  return
}

// A width that vectors divide, of rows that they do not: 18 of 40.
func.func @narrow_rows(%x: memref<33x40xf32>, %y: memref<18x64xf32>, %c: memref<33x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %a = memref.subview %x[0, 0] [33, 18] [1, 1] : memref<33x40xf32> to memref<33x18xf32, strided<[40, 1]>>
  %b = memref.subview %y[0, 32] [18, 32] [1, 1] : memref<18x64xf32> to memref<18x32xf32, strided<[64, 1], offset: 32>>
  linalg.fill ins(%zero : f32) outs(%c : memref<33x32xf32>)
  linalg.matmul ins(%a, %b : memref<33x18xf32, strided<[40, 1]>>, memref<18x32xf32, strided<[64, 1], offset: 32>>) outs(%c : memref<33x32xf32>)
  return
}

// Every third row of A; a slice that begins where the caller says, of which nothing is known to be aligned.
func.func @third_rows(%x: memref<60x24xf32>, %y: memref<24x96xf32>, %c: memref<20x16xf32>, %at: index) {
  %zero = arith.constant 0.0 : f32
  %a = memref.subview %x[1, 0] [20, 24] [3, 1] : memref<60x24xf32> to memref<20x24xf32, strided<[72, 1], offset: 24>>
  %b = memref.subview %y[0, %at] [24, 16] [1, 1] : memref<24x96xf32> to memref<24x16xf32, strided<[96, 1], offset: ?>>
  linalg.fill ins(%zero : f32) outs(%c : memref<20x16xf32>)
  linalg.matmul ins(%a, %b : memref<20x24xf32, strided<[72, 1], offset: 24>>, memref<24x16xf32, strided<[96, 1], offset: ?>>) outs(%c : memref<20x16xf32>)
  return
}

// A, transposed, and B, transposed, of slices; the result is added to another slice that lies like it, with a bias.
#at = affine_map<(m, n, k) -> (k, m)>
#bt = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>
#columns = affine_map<(m, n) -> (n)>
func.func @transposed_slices(%x: memref<30x48xf32>, %y: memref<21x52xf32>, %bias: memref<21xf32>, %r: memref<36x64xf32>, %z: memref<36x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %a = memref.subview %x[0, 4] [30, 36] [1, 1] : memref<30x48xf32> to memref<30x36xf32, strided<[48, 1], offset: 4>>
  %b = memref.subview %y[0, 16] [21, 30] [1, 1] : memref<21x52xf32> to memref<21x30xf32, strided<[52, 1], offset: 16>>
  %add = memref.subview %r[0, 32] [36, 21] [1, 1] : memref<36x64xf32> to memref<36x21xf32, strided<[64, 1], offset: 32>>
  %out = memref.subview %z[0, 32] [36, 21] [1, 1] : memref<36x64xf32> to memref<36x21xf32, strided<[64, 1], offset: 32>>
  %p = memref.alloc() : memref<36x21xf32>
  linalg.fill ins(%zero : f32) outs(%p : memref<36x21xf32>)
  linalg.matmul indexing_maps = [#at, #bt, #c] ins(%a, %b : memref<30x36xf32, strided<[48, 1], offset: 4>>, memref<21x30xf32, strided<[52, 1], offset: 16>>) outs(%p : memref<36x21xf32>)
  linalg.generic {indexing_maps = [#id, #columns, #id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%p, %bias, %add : memref<36x21xf32>, memref<21xf32>, memref<36x21xf32, strided<[64, 1], offset: 32>>)
    outs(%out : memref<36x21xf32, strided<[64, 1], offset: 32>>) {
  ^bb0(%in: f32, %v: f32, %w: f32, %old: f32):
    %s = arith.addf %in, %v : f32
    %t = arith.addf %s, %w : f32
    linalg.yield %t : f32
  }
  memref.dealloc %p : memref<36x21xf32>
  return
}

// The addend does not lie as the output does: it is left to a kernel of its own.
func.func @addend_elsewhere(%a: memref<26x20xf32>, %b: memref<20x21xf32>, %r: memref<26x21xf32>, %z: memref<26x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %out = memref.subview %z[0, 32] [26, 21] [1, 1] : memref<26x64xf32> to memref<26x21xf32, strided<[64, 1], offset: 32>>
  %p = memref.alloc() : memref<26x21xf32>
  linalg.fill ins(%zero : f32) outs(%p : memref<26x21xf32>)
  linalg.matmul ins(%a, %b : memref<26x20xf32>, memref<20x21xf32>) outs(%p : memref<26x21xf32>)
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%p, %r : memref<26x21xf32>, memref<26x21xf32>) outs(%out : memref<26x21xf32, strided<[64, 1], offset: 32>>) {
  ^bb0(%in: f32, %w: f32, %old: f32):
    %t = arith.addf %in, %w : f32
    linalg.yield %t : f32
  }
  memref.dealloc %p : memref<26x21xf32>
  return
}

// A row of heads, as attention has them: [batch, time, heads, depth] of one buffer for the three parts.
#q = affine_map<(b, h, t, s, d) -> (b, t, h, d)>
#k = affine_map<(b, h, t, s, d) -> (b, s, h, d)>
#scores = affine_map<(b, h, t, s, d) -> (b, h, t, s)>
#p = affine_map<(b, h, t, d, s) -> (b, h, t, s)>
#v = affine_map<(b, h, t, d, s) -> (b, s, h, d)>
#o = affine_map<(b, h, t, d, s) -> (b, t, h, d)>
func.func @heads(%qkv: memref<2x19x3x5x16xf32>, %s: memref<2x5x19x19xf32>, %out: memref<2x19x5x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %q = memref.subview %qkv[0, 0, 0, 0, 0] [2, 19, 1, 5, 16] [1, 1, 1, 1, 1] : memref<2x19x3x5x16xf32> to memref<2x19x5x16xf32, strided<[4560, 240, 16, 1]>>
  %k = memref.subview %qkv[0, 0, 1, 0, 0] [2, 19, 1, 5, 16] [1, 1, 1, 1, 1] : memref<2x19x3x5x16xf32> to memref<2x19x5x16xf32, strided<[4560, 240, 16, 1], offset: 80>>
  %v = memref.subview %qkv[0, 0, 2, 0, 0] [2, 19, 1, 5, 16] [1, 1, 1, 1, 1] : memref<2x19x3x5x16xf32> to memref<2x19x5x16xf32, strided<[4560, 240, 16, 1], offset: 160>>
  linalg.fill ins(%zero : f32) outs(%s : memref<2x5x19x19xf32>)
  linalg.contract indexing_maps = [#q, #k, #scores] ins(%q, %k : memref<2x19x5x16xf32, strided<[4560, 240, 16, 1]>>, memref<2x19x5x16xf32, strided<[4560, 240, 16, 1], offset: 80>>) outs(%s : memref<2x5x19x19xf32>)
  linalg.fill ins(%zero : f32) outs(%out : memref<2x19x5x16xf32>)
  linalg.contract indexing_maps = [#p, #v, #o] ins(%s, %v : memref<2x5x19x19xf32>, memref<2x19x5x16xf32, strided<[4560, 240, 16, 1], offset: 160>>) outs(%out : memref<2x19x5x16xf32>)
  return
}

// Views in another order: a dense product, and one that is not.
func.func @transposed_views(%x: memref<22x18xf32>, %b: memref<22x29xf32>, %y: memref<29x40xf32>, %c: memref<18x29xf32>, %d: memref<29x29xf32>) {
  %zero = arith.constant 0.0 : f32
  %a = memref.reinterpret_cast %x to offset: [0], sizes: [18, 22], strides: [1, 18] : memref<22x18xf32> to memref<18x22xf32, strided<[1, 18]>>
  linalg.fill ins(%zero : f32) outs(%c : memref<18x29xf32>)
  linalg.matmul ins(%a, %b : memref<18x22xf32, strided<[1, 18]>>, memref<22x29xf32>) outs(%c : memref<18x29xf32>)
  %s = memref.subview %y[0, 4] [29, 22] [1, 1] : memref<29x40xf32> to memref<29x22xf32, strided<[40, 1], offset: 4>>
  %bt = memref.reinterpret_cast %b to offset: [0], sizes: [29, 22], strides: [1, 29] : memref<22x29xf32> to memref<29x22xf32, strided<[1, 29]>>
  linalg.fill ins(%zero : f32) outs(%d : memref<29x29xf32>)
  linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
    ins(%s, %bt : memref<29x22xf32, strided<[40, 1], offset: 4>>, memref<29x22xf32, strided<[1, 29]>>) outs(%d : memref<29x29xf32>)
  return
}

// What the output held is added: it is dense, and only its dimensions are turned.
func.func @added_heads(%a: memref<11x4x12xf32>, %b: memref<4x12x9xf32>, %c: memref<11x4x9xf32>) {
  linalg.contract indexing_maps = [affine_map<(h, t, n, k) -> (t, h, k)>, affine_map<(h, t, n, k) -> (h, k, n)>, affine_map<(h, t, n, k) -> (t, h, n)>]
    ins(%a, %b : memref<11x4x12xf32>, memref<4x12x9xf32>) outs(%c : memref<11x4x9xf32>)
  return
}

// To a slice, it is added by a plain kernel.
func.func @added_slice(%a: memref<11x12xf32>, %b: memref<12x10xf32>, %z: memref<11x32xf32>) {
  %c = memref.subview %z[0, 16] [11, 10] [1, 1] : memref<11x32xf32> to memref<11x10xf32, strided<[32, 1], offset: 16>>
  linalg.matmul ins(%a, %b : memref<11x12xf32>, memref<12x10xf32>) outs(%c : memref<11x10xf32, strided<[32, 1], offset: 16>>)
  return
}

// One weight for a batch of which the rows are no matrix together, and one A for several B.
func.func @shared_weight(%x: memref<3x20x24xf32>, %w: memref<24x14xf32>, %c: memref<3x9x14xf32>) {
  %zero = arith.constant 0.0 : f32
  %a = memref.subview %x[0, 2, 0] [3, 9, 24] [1, 1, 1] : memref<3x20x24xf32> to memref<3x9x24xf32, strided<[480, 24, 1], offset: 48>>
  linalg.fill ins(%zero : f32) outs(%c : memref<3x9x14xf32>)
  linalg.contract indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>]
    ins(%a, %w : memref<3x9x24xf32, strided<[480, 24, 1], offset: 48>>, memref<24x14xf32>) outs(%c : memref<3x9x14xf32>)
  return
}
func.func @shared_filter(%w: memref<13x24xf32>, %x: memref<3x24x18xf32>, %c: memref<3x13x18xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<3x13x18xf32>)
  linalg.contract indexing_maps = [affine_map<(b, m, n, k) -> (m, k)>, affine_map<(b, m, n, k) -> (b, k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>]
    ins(%w, %x : memref<13x24xf32>, memref<3x24x18xf32>) outs(%c : memref<3x13x18xf32>)
  return
}

// A batch that is summed: k of both where A is stored by k.
func.func @batch_reduce(%a: memref<3x8x20xf32>, %b: memref<3x8x22xf32>, %c: memref<20x22xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<20x22xf32>)
  linalg.contract indexing_maps = [affine_map<(b, m, n, k) -> (b, k, m)>, affine_map<(b, m, n, k) -> (b, k, n)>, affine_map<(b, m, n, k) -> (m, n)>]
    ins(%a, %b : memref<3x8x20xf32>, memref<3x8x22xf32>) outs(%c : memref<20x22xf32>)
  return
}

// The result goes to columns of the buffer that A is read from: no kernel's.
func.func @within_one_buffer(%x: memref<15x64xf32>, %b: memref<16x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %a = memref.subview %x[0, 0] [15, 16] [1, 1] : memref<15x64xf32> to memref<15x16xf32, strided<[64, 1]>>
  %c = memref.subview %x[0, 32] [15, 16] [1, 1] : memref<15x64xf32> to memref<15x16xf32, strided<[64, 1], offset: 32>>
  linalg.fill ins(%zero : f32) outs(%c : memref<15x16xf32, strided<[64, 1], offset: 32>>)
  linalg.matmul ins(%a, %b : memref<15x16xf32, strided<[64, 1]>>, memref<16x16xf32>) outs(%c : memref<15x16xf32, strided<[64, 1], offset: 32>>)
  return
}

// Distances that the caller says: mapped plainly. So are the slices of which none has elements.
func.func @dynamic_strides(%x: memref<15x64xf32>, %b: memref<8x16xf32>, %c: memref<5x16xf32>, %step: index) {
  %zero = arith.constant 0.0 : f32
  %a = memref.subview %x[0, 0] [5, 8] [%step, 1] : memref<15x64xf32> to memref<5x8xf32, strided<[?, 1]>>
  linalg.fill ins(%zero : f32) outs(%c : memref<5x16xf32>)
  linalg.matmul ins(%a, %b : memref<5x8xf32, strided<[?, 1]>>, memref<8x16xf32>) outs(%c : memref<5x16xf32>)
  return
}
func.func @nothing(%x: memref<15x64xf32>, %b: memref<8x16xf32>, %c: memref<0x16xf32>, %d: memref<7x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %a = memref.subview %x[0, 0] [0, 8] [1, 1] : memref<15x64xf32> to memref<0x8xf32, strided<[64, 1]>>
  linalg.fill ins(%zero : f32) outs(%c : memref<0x16xf32>)
  linalg.matmul ins(%a, %b : memref<0x8xf32, strided<[64, 1]>>, memref<8x16xf32>) outs(%c : memref<0x16xf32>)
  %e = memref.subview %x[0, 0] [7, 0] [1, 1] : memref<15x64xf32> to memref<7x0xf32, strided<[64, 1]>>
  %f = memref.subview %b[0, 0] [0, 16] [1, 1] : memref<8x16xf32> to memref<0x16xf32, strided<[16, 1]>>
  linalg.fill ins(%zero : f32) outs(%d : memref<7x16xf32>)
  linalg.matmul ins(%e, %f : memref<7x0xf32, strided<[64, 1]>>, memref<0x16xf32, strided<[16, 1]>>) outs(%d : memref<7x16xf32>)
  return
}

// Elements of 16 bits, at odd places: 2 bytes at a time; and to a slice of 16 bits, rounded there.
func.func @narrow(%x: memref<34x51xf16>, %y: memref<2x24x40xbf16>, %u: memref<2x17x48xbf16>, %w: memref<21x18xf16>, %z: memref<34x33xf16>, %c: memref<17x2x40xf32>) {
  %zero = arith.constant 0.0 : f32
  %a = memref.subview %x[0, 3] [34, 21] [1, 1] : memref<34x51xf16> to memref<34x21xf16, strided<[51, 1], offset: 3>>
  %p = memref.alloc() : memref<34x18xf32>
  %out = memref.subview %z[0, 8] [34, 18] [1, 1] : memref<34x33xf16> to memref<34x18xf16, strided<[33, 1], offset: 8>>
  linalg.fill ins(%zero : f32) outs(%p : memref<34x18xf32>)
  linalg.matmul ins(%a, %w : memref<34x21xf16, strided<[51, 1], offset: 3>>, memref<21x18xf16>) outs(%p : memref<34x18xf32>)
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%p : memref<34x18xf32>) outs(%out : memref<34x18xf16, strided<[33, 1], offset: 8>>) {
  ^bb0(%in: f32, %old: f16):
    %r = arith.maximumf %in, %zero : f32
    %t = arith.truncf %r : f32 to f16
    linalg.yield %t : f16
  }
  memref.dealloc %p : memref<34x18xf32>
  %h = memref.subview %u[0, 0, 16] [2, 17, 24] [1, 1, 1] : memref<2x17x48xbf16> to memref<2x17x24xbf16, strided<[816, 48, 1], offset: 16>>
  linalg.fill ins(%zero : f32) outs(%c : memref<17x2x40xf32>)
  linalg.contract indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, k, n)>, affine_map<(b, m, n, k) -> (m, b, n)>]
    ins(%h, %y : memref<2x17x24xbf16, strided<[816, 48, 1], offset: 16>>, memref<2x24x40xbf16>) outs(%c : memref<17x2x40xf32>)
  return
}

// The columns of C lie in memory in another order than in its type, and in that of the bias.
func.func @turned_columns(%a: memref<8x16xf32>, %b: memref<16x3x4xf32>, %v: memref<4x3xf32>, %z: memref<8x3x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %c = memref.reinterpret_cast %z to offset: [0], sizes: [8, 4, 3], strides: [12, 1, 4] : memref<8x3x4xf32> to memref<8x4x3xf32, strided<[12, 1, 4]>>
  linalg.fill ins(%zero : f32) outs(%c : memref<8x4x3xf32, strided<[12, 1, 4]>>)
  linalg.contract indexing_maps = [affine_map<(m, p, q, k) -> (m, k)>, affine_map<(m, p, q, k) -> (k, q, p)>, affine_map<(m, p, q, k) -> (m, p, q)>]
    ins(%a, %b : memref<8x16xf32>, memref<16x3x4xf32>) outs(%c : memref<8x4x3xf32, strided<[12, 1, 4]>>)
  linalg.generic {indexing_maps = [affine_map<(m, p, q) -> (p, q)>, affine_map<(m, p, q) -> (m, p, q)>], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%v : memref<4x3xf32>) outs(%c : memref<8x4x3xf32, strided<[12, 1, 4]>>) {
  ^bb0(%bias: f32, %sum: f32):
    %r = arith.addf %sum, %bias : f32
    linalg.yield %r : f32
  }
  return
}

// The first rows of all of a batch, and the middle columns of a weight, both extended before the product.
func.func @extended(%x: memref<19x5x24xbf16>, %y: memref<24x60xbf16>, %c: memref<19x20xf32>) {
  %zero = arith.constant 0.0 : f32
  %a = memref.subview %x[0, 2, 0] [19, 1, 24] [1, 1, 1] : memref<19x5x24xbf16> to memref<19x24xbf16, strided<[120, 1], offset: 48>>
  %b = memref.subview %y[0, 20] [24, 20] [1, 1] : memref<24x60xbf16> to memref<24x20xbf16, strided<[60, 1], offset: 20>>
  %aw = memref.alloc() : memref<19x24xf32>
  %bw = memref.alloc() : memref<24x20xf32>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%a : memref<19x24xbf16, strided<[120, 1], offset: 48>>) outs(%aw : memref<19x24xf32>) {
  ^bb0(%in: bf16, %out: f32):
    %w = arith.extf %in : bf16 to f32
    linalg.yield %w : f32
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%b : memref<24x20xbf16, strided<[60, 1], offset: 20>>) outs(%bw : memref<24x20xf32>) {
  ^bb0(%in: bf16, %out: f32):
    %w = arith.extf %in : bf16 to f32
    linalg.yield %w : f32
  }
  linalg.fill ins(%zero : f32) outs(%c : memref<19x20xf32>)
  linalg.matmul ins(%aw, %bw : memref<19x24xf32>, memref<24x20xf32>) outs(%c : memref<19x20xf32>)
  memref.dealloc %aw : memref<19x24xf32>
  memref.dealloc %bw : memref<24x20xf32>
  return
}
