// RUN: mmtune-opt %s --pass-pipeline='builtin.module(gpu.module(convert-nvvm-to-simt))' --split-input-file | FileCheck %s
// RUN: mmtune-opt %s --pass-pipeline='builtin.module(gpu.module(convert-nvvm-to-simt{race-detection=1}))' --split-input-file | FileCheck %s --check-prefix=CHECKS

gpu.module @kernels {
  // CHECK-LABEL: llvm.func internal @barriers(
  // CHECK-SAME:  %[[CTX:.*]]: !llvm.ptr, %[[ID:.*]]: i32, %[[N:.*]]: i32)
  llvm.func @barriers(%id: i32, %n: i32) attributes {gpu.kernel, nvvm.kernel} {
    // CHECK: %[[ISTRUE:.*]] = llvm.icmp "ne" %[[ID]]
    // CHECK: %[[P:.*]] = llvm.zext %[[ISTRUE]] : i1 to i32
    // CHECK: %[[AND:.*]] = llvm.mlir.constant(0 : i32)
    // CHECK: llvm.call @mmtune_simt_barrier_reduce(%[[CTX]], %{{.*}}, %{{.*}}, %[[AND]], %[[P]], %{{.*}}) : (!llvm.ptr, i32, i32, i32, i32, i32) -> i32
    %and = nvvm.barrier #nvvm.reduction<and> %id -> i32
    // CHECK: %[[OR:.*]] = llvm.mlir.constant(1 : i32)
    // CHECK: llvm.call @mmtune_simt_barrier_reduce(%[[CTX]], %{{.*}}, %{{.*}}, %[[OR]],
    %or = nvvm.barrier #nvvm.reduction<or> %id -> i32
    // CHECK: %[[POPC:.*]] = llvm.mlir.constant(2 : i32)
    // CHECK: llvm.call @mmtune_simt_barrier_reduce(%[[CTX]], %{{.*}}, %{{.*}}, %[[POPC]],
    %popc = nvvm.barrier #nvvm.reduction<popc> %id -> i32
    // CHECK: llvm.call @mmtune_simt_barrier_arrive(%[[CTX]], %[[ID]], %[[N]], %{{.*}})
    nvvm.barrier.arrive id = %id number_of_threads = %n
    // CHECK: %[[FIRST:.*]] = llvm.mlir.constant(0 : i32)
    // CHECK: llvm.call @mmtune_simt_barrier_arrive(%[[CTX]], %[[FIRST]], %[[N]], %{{.*}})
    nvvm.barrier.arrive number_of_threads = %n
    // CHECK: llvm.call @mmtune_simt_yield(%[[CTX]], %{{.*}})
    nvvm.nanosleep %n
    // CHECK-NOT: setmaxregister
    nvvm.setmaxregister decrease 40
    llvm.return
  }
}

// -----

// Race detection accounts for the registers of a kernel whose limits say how many it starts with: 65536 / 384 in units
// of 8.
gpu.module @kernels {
  // CHECK-LABEL:  llvm.func internal @registers(
  // CHECK-NOT: set_max_registers
  // CHECKS-LABEL: llvm.func internal @registers(
  llvm.func @registers() attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 384>, nvvm.minctasm = 1 : i32} {
    // CHECKS: %[[MORE:.*]] = llvm.mlir.constant(232 : i32)
    // CHECKS: %[[IS_INCREASE:.*]] = llvm.mlir.constant(1 : i32)
    // CHECKS: %[[AT_ENTRY:.*]] = llvm.mlir.constant(168 : i32)
    // CHECKS: llvm.call @mmtune_simt_set_max_registers(%{{.*}}, %[[MORE]], %[[IS_INCREASE]], %[[AT_ENTRY]], %{{.*}})
    nvvm.setmaxregister increase 232
    // CHECKS: %[[LESS:.*]] = llvm.mlir.constant(40 : i32)
    // CHECKS: %[[IS_DECREASE:.*]] = llvm.mlir.constant(0 : i32)
    // CHECKS: llvm.call @mmtune_simt_set_max_registers(%{{.*}}, %[[LESS]], %[[IS_DECREASE]],
    nvvm.setmaxregister decrease 40
    llvm.return
  }
  // No kernel starts with more than its largest increase asks for.
  // CHECKS-LABEL: llvm.func internal @few_threads(
  llvm.func @few_threads() attributes {gpu.kernel, nvvm.kernel, nvvm.maxntid = array<i32: 128>, nvvm.minctasm = 1 : i32} {
    // CHECKS: %[[AT_ENTRY:.*]] = llvm.mlir.constant(232 : i32)
    // CHECKS: llvm.call @mmtune_simt_set_max_registers(%{{.*}}, %{{.*}}, %{{.*}}, %[[AT_ENTRY]], %{{.*}})
    nvvm.setmaxregister decrease 40
    nvvm.setmaxregister increase 232
    llvm.return
  }
  // ptxas ignores setmaxnreg where nothing says how many registers a kernel starts with.
  // CHECKS-LABEL: llvm.func internal @without_limits(
  // CHECKS-NOT: set_max_registers
  llvm.func @without_limits() attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 384>} {
    nvvm.setmaxregister decrease 40
    llvm.return
  }
}

// -----

// A fence orders the host's accesses; only race detection needs its kind.
gpu.module @kernels {
  // CHECK-LABEL:  llvm.func internal @fences(
  // CHECKS-LABEL: llvm.func internal @fences(
  llvm.func @fences() attributes {gpu.kernel, nvvm.kernel} {
    // CHECK-NEXT: llvm.fence seq_cst
    // CHECKS: llvm.fence seq_cst
    // CHECKS: %[[MEMORY:.*]] = llvm.mlir.constant(0 : i32)
    // CHECKS: llvm.call @mmtune_simt_fence(%{{.*}}, %[[MEMORY]], %{{.*}})
    nvvm.memory.barrier #nvvm.mem_scope<gpu>
    // CHECK-NEXT: llvm.fence acquire
    // CHECKS: %[[BLOCK:.*]] = llvm.mlir.constant(3 : i32)
    // CHECKS: llvm.call @mmtune_simt_fence(%{{.*}}, %[[BLOCK]], %{{.*}})
    // CHECKS: llvm.fence acquire
    llvm.fence syncscope("block") acquire
    // CHECK-NEXT: llvm.return
    // CHECKS: %[[PROXY:.*]] = llvm.mlir.constant(1 : i32)
    // CHECKS: llvm.call @mmtune_simt_fence(%{{.*}}, %[[PROXY]], %{{.*}})
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    // CHECKS: %[[INIT:.*]] = llvm.mlir.constant(2 : i32)
    // CHECKS: llvm.call @mmtune_simt_fence(%{{.*}}, %[[INIT]], %{{.*}})
    nvvm.fence.mbarrier.init
    // CHECKS-NOT: mmtune_simt_fence
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<alias>}
    // CHECKS: llvm.return
    llvm.return
  }
}

// -----

gpu.module @kernels {
  // CHECK-LABEL: llvm.func internal @exit(
  llvm.func @exit(%p: i1) attributes {gpu.kernel, nvvm.kernel} {
    // CHECK: llvm.cond_br %{{.*}}, ^[[DONE:.*]], ^[[REST:bb[0-9]+]]
    llvm.cond_br %p, ^done, ^rest
  // CHECK: ^[[DONE]]:
  ^done:
    // CHECK-NEXT: llvm.return
    nvvm.exit
    llvm.br ^rest
  ^rest:
    llvm.return
  }
}
