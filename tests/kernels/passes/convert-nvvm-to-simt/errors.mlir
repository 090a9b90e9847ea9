// RUN: mmtune-opt %s --pass-pipeline='builtin.module(gpu.module(convert-nvvm-to-simt))' \
// RUN:   --split-input-file --verify-diagnostics

gpu.module @every_unsupported_operation_is_reported {
  llvm.func @kernel(%mask: i32, %p: !llvm.ptr<3>) attributes {gpu.kernel} {
    // expected-error @below {{nvvm.shfl.sync is not supported on the SIMT device}}
    %a = nvvm.shfl.sync bfly %mask, %mask, %mask, %mask : i32 -> i32
    // expected-error @below {{nvvm.mbarrier.init is not supported on the SIMT device}}
    nvvm.mbarrier.init %p, %mask : !llvm.ptr<3>, i32
    // expected-error @below {{nvvm.barrier with a reduction is not supported on the SIMT device}}
    %b = nvvm.barrier #nvvm.reduction<and> %mask -> i32
    // expected-error @below {{nvvm.read.ptx.sreg.clusterid.x is not supported on the SIMT device}}
    %c = nvvm.read.ptx.sreg.clusterid.x : i32
    // expected-error @below {{nvvm.read.ptx.sreg.tid.x of a type other than i32 is not supported}}
    %d = nvvm.read.ptx.sreg.tid.x : i64
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
    %b = llvm.ptrtoint %p : !llvm.ptr<3> to i32
    // expected-error @below {{llvm.inline_asm is not supported on the SIMT device}}
    llvm.inline_asm has_side_effects "bar.sync 0;", "" : () -> ()
    // expected-error @below {{llvm.nvvm.cp.async.wait.all is not supported on the SIMT device}}
    llvm.call_intrinsic "llvm.nvvm.cp.async.wait.all"() : () -> ()
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
