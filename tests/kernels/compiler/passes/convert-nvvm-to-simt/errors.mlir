// RUN: mmtune-opt %s --pass-pipeline='builtin.module(gpu.module(convert-nvvm-to-simt))' \
// RUN:   --split-input-file --verify-diagnostics

gpu.module @every_unsupported_operation_is_reported {
  llvm.func @kernel(%mask: i32, %p: !llvm.ptr<3>, %x: f32) attributes {gpu.kernel} {
    // expected-error @below {{nvvm.read.ptx.sreg.tid.x of a type other than i32 is not supported}}
    %d = nvvm.read.ptx.sreg.tid.x : i64
    // expected-error @below {{nvvm.breakpoint is not supported on the SIMT device}}
    nvvm.breakpoint
    // expected-error @below {{nvvm.convert.float.to.tf32 with saturation or relu is not supported}}
    %t = nvvm.convert.float.to.tf32 %x {rnd = #nvvm.fp_rnd_mode<rn>, relu = true}
    llvm.return
  }
}

// -----

gpu.module @copies_in_other_modes {
  llvm.func @kernel(%s: !llvm.ptr<3>, %map: !llvm.ptr, %n: i32, %mask: i16, %g: !llvm.ptr<1>) attributes {gpu.kernel} {
    %cluster = llvm.addrspacecast %s : !llvm.ptr<3> to !llvm.ptr<7>
    // expected-error @below {{cp.async.bulk.tensor.shared.cluster.global with a group of blocks, which is not modelled, is not supported}}
    nvvm.cp.async.bulk.tensor.shared.cluster.global %cluster, %map, %s, box[%n, %n] {group = #nvvm.cta_group<cta_1>} : !llvm.ptr<7>, !llvm.ptr
    // expected-error @below {{cp.async.bulk.tensor.shared.cluster.global in a mode other than tile is not supported}}
    nvvm.cp.async.bulk.tensor.shared.cluster.global %cluster, %map, %s, box[%n, %n, %n] im2col[%mask] {mode = #nvvm.tma_load_mode<im2col>} : !llvm.ptr<7>, !llvm.ptr
    // expected-error @below {{cp.async.bulk.tensor.global.shared.cta in a mode other than tile is not supported}}
    nvvm.cp.async.bulk.tensor.global.shared.cta %map, %s, box[%n, %n, %n] {mode = #nvvm.tma_store_mode<im2col>} : !llvm.ptr, !llvm.ptr<3>
    // expected-error @below {{cp.async.bulk.global.shared.cta with a byte mask is not supported}}
    nvvm.cp.async.bulk.global.shared.cta %g, %s, %n byte_mask = %mask : !llvm.ptr<1>, !llvm.ptr<3>
    llvm.return
  }
}

// -----

gpu.module @matrices_of_other_shapes {
  llvm.func @kernel(%s: !llvm.ptr<3>, %h: vector<2xf16>, %x: f32, %d: i64) attributes {gpu.kernel} {
    // expected-error @below {{nvvm.ldmatrix of tiles other than 8x8 of 16-bit elements is not supported}}
    %0 = nvvm.ldmatrix %s {num = 1 : i32, layout = #nvvm.mma_layout<col>, shape = #nvvm.ld_st_matrix_shape<m = 16, n = 16>, eltType = #nvvm.ld_st_matrix_elt_type<b8>} : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32)>
    llvm.return
  }
  llvm.func @mma(%h: vector<2xf16>, %x: f32) attributes {gpu.kernel} {
    // expected-error @below {{nvvm.mma.sync other than with A by rows and B by columns is not supported}}
    %0 = nvvm.mma.sync A[%h, %h] B[%h, %h] C[%x, %x, %x, %x, %x, %x, %x, %x] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<row>, shape = #nvvm.shape<m = 8, n = 8, k = 4>} : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
    llvm.return
  }
  llvm.func @m8n8k4(%h: vector<2xf16>, %x: f32) attributes {gpu.kernel} {
    // expected-error @below {{nvvm.mma.sync of this shape and these types is not supported}}
    %0 = nvvm.mma.sync A[%h, %h] B[%h, %h] C[%x, %x, %x, %x, %x, %x, %x, %x] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 8, n = 8, k = 4>} : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
    llvm.return
  }
  llvm.func @mixed(%h: vector<2xf16>, %x: f32) attributes {gpu.kernel} {
    // expected-error @below {{nvvm.mma.sync of this shape and these types is not supported}}
    %0 = llvm.call_intrinsic "llvm.nvvm.mma.m16n8k16.row.col.f16.f32"(%h, %h, %h, %h, %h, %h, %x, %x, %x, %x) : (vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, f32, f32, f32, f32) -> !llvm.struct<(vector<2xf16>, vector<2xf16>)>
    llvm.return
  }
  llvm.func @wgmma(%a: i64) attributes {gpu.kernel} {
    %d = llvm.mlir.undef : !llvm.struct<(i32, i32, i32, i32)>
    // expected-error @below {{nvvm.wgmma.mma_async of this shape and these types is not supported}}
    %0 = nvvm.wgmma.mma_async %a, %a, %d, <m = 64, n = 8, k = 256>, D [<s32>, #nvvm.wgmma_scale_out<one>], A [<b1>, #nvvm.wgmma_scale_in<one>, <row>], B [<b1>, #nvvm.wgmma_scale_in<one>, <col>] : !llvm.struct<(i32, i32, i32, i32)> -> !llvm.struct<(i32, i32, i32, i32)>
    llvm.return
  }
}

// -----

gpu.module @inline_ptx {
  llvm.func @kernel(%x: f32, %n: i32, %a: i64) attributes {gpu.kernel} {
    // expected-error @below {{inline PTX 'ex2.approx.ftz.f32' is not supported on the SIMT device}}
    %0 = nvvm.inline_ptx "ex2.approx.ftz.f32 $0, $1;" ro (%x : f32) -> f32
    // expected-error @below {{inline PTX 'bar.sync' is not supported on the SIMT device}}
    llvm.inline_asm has_side_effects "bar.sync 0;", "" : () -> ()
    // Vectors of floats are added in the order of their registers, without an order of memory.
    // expected-error @below {{inline PTX 'red.relaxed.gpu.global.add.v2.f32' is not supported on the SIMT device}}
    llvm.inline_asm has_side_effects "red.relaxed.gpu.global.add.v2.f32 [$0], {$2, $1};", "l,f,f" %a, %x, %x : (i64, f32, f32) -> ()
    // expected-error @below {{inline PTX 'red.release.gpu.global.add.v2.f32' is not supported on the SIMT device}}
    llvm.inline_asm has_side_effects "red.release.gpu.global.add.v2.f32 [$0], {$1, $2};", "l,f,f" %a, %x, %x : (i64, f32, f32) -> ()
    // expected-error @below {{inline PTX 'tcgen05.wait::ld.sync.aligned' is not supported on the SIMT device}}
    llvm.inline_asm has_side_effects "@$0 tcgen05.wait::ld.sync.aligned;", "b" %n : (i32) -> ()
    // expected-error @below {{inline PTX 'wgmma.mma_async.sync.aligned.m64n8k16.f32.e4m3.e4m3' in this form is not supported}}
    %1 = llvm.inline_asm has_side_effects "wgmma.mma_async.sync.aligned.m64n8k16.f32.e4m3.e4m3 {$0, $1, $2, $3}, $8, $9, 1, 1, 1;", "=f,=f,=f,=f,0,1,2,3,l,l" %x, %x, %x, %x, %a, %a : (f32, f32, f32, f32, i64, i64) -> !llvm.struct<(f32, f32, f32, f32)>
    llvm.return
  }
}

// -----

gpu.module @intrinsics_that_are_no_operation {
  llvm.func @kernel(%s: !llvm.ptr<3>, %map: !llvm.ptr, %n: i32, %mask: i16, %hint: i64) attributes {gpu.kernel} {
    %cluster = llvm.addrspacecast %s : !llvm.ptr<3> to !llvm.ptr<7>
    %yes = llvm.mlir.constant(true) : i1
    // expected-error @below {{llvm.nvvm.cp.async.bulk.tensor.g2s.tile.1d is not supported on the SIMT device}}
    llvm.call_intrinsic "llvm.nvvm.cp.async.bulk.tensor.g2s.tile.1d"(%cluster, %s, %map, %n, %mask, %hint, %yes, %yes, %n) : (!llvm.ptr<7>, !llvm.ptr<3>, !llvm.ptr, i32, i16, i64, i1, i1, i32) -> ()
    // expected-error @below {{llvm.nvvm.shfl.sync.sideways.i32 is not supported on the SIMT device}}
    %0 = llvm.call_intrinsic "llvm.nvvm.shfl.sync.sideways.i32"(%n, %n, %n, %n) : (i32, i32, i32, i32) -> i32
    llvm.return
  }
}

// -----

gpu.module @end_of_a_thread {
  llvm.func @function() {
    // expected-error @below {{nvvm.exit in a function that is not a kernel is not supported on the SIMT device}}
    nvvm.exit
    llvm.return
  }
}

// -----

gpu.module @code_without_a_host_equivalent {
  llvm.func @vprintf(f32) -> f32
  llvm.func @kernel(%x: f32, %p: !llvm.ptr<3>, %f: !llvm.ptr) attributes {nvvm.kernel} {
    // expected-error @below {{a call of 'vprintf', which the module does not define, is not supported on the SIMT device}}
    %a = llvm.call @vprintf(%x) : (f32) -> f32
    // expected-error @below {{an indirect call is not supported on the SIMT device}}
    llvm.call %f() : !llvm.ptr, () -> ()
    // expected-error @below {{a pointer as an integer of other than 64 bits is not supported}}
    %b = llvm.ptrtoint %f : !llvm.ptr to i32
    // expected-error @below {{a shared pointer as an integer of other than 32 or 64 bits is not supported}}
    %s = llvm.ptrtoint %p : !llvm.ptr<3> to i16
    // expected-error @below {{llvm.nvvm.ex2.approx.f is not supported on the SIMT device}}
    %e = llvm.call_intrinsic "llvm.nvvm.ex2.approx.f"(%x) : (f32) -> f32
    // expected-error @below {{the address of a function is not supported on the SIMT device}}
    %c = llvm.mlir.addressof @vprintf : !llvm.ptr
    llvm.return
  }
}

// -----

gpu.module @not_lowered_yet {
  llvm.func @kernel() attributes {nvvm.kernel} {
    // expected-error @below {{expected the LLVM dialect, as the SIMT device's code is made from it}}
    %c = arith.constant 0 : i32
    llvm.return
  }
}

// -----

gpu.module @gpu_function {
  // expected-error @below {{expected functions and globals of the LLVM dialect only}}
  gpu.func @kernel() kernel {
    gpu.return
  }
}

// -----

gpu.module @initial_value {
  // expected-error @below {{shared memory cannot have an initial value}}
  llvm.mlir.global internal @x(1 : i32) {addr_space = 3 : i32} : i32
}

// -----

gpu.module @padding_unknown {
  // expected-error @below {{type '!llvm.struct<(i8, i64)>' in shared memory is not supported on the SIMT device}}
  llvm.mlir.global internal @x() {addr_space = 3 : i32} : !llvm.struct<(i8, i64)>
}

// -----

gpu.module @written_parameter {
  // expected-error @below {{parameter 0 with llvm.byval but without nvvm.grid_constant is not supported}}
  llvm.func @kernel(%p: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>}) attributes {nvvm.kernel} {
    llvm.return
  }
}
