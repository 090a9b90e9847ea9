// RUN: mmtune-opt %s --pass-pipeline='builtin.module(gpu.module(convert-nvvm-to-simt))' | FileCheck %s
// RUN: mmtune-opt %s --pass-pipeline='builtin.module(gpu.module(convert-nvvm-to-llvm,convert-nvvm-to-simt))' | FileCheck %s

// What MLIR writes as text is understood as if it were the operation: the second run makes text of the first function's
// operations first.

gpu.module @kernels {
  // A in four registers, the scale of D by a predicate, B negated and MN-major.
  // CHECK-DAG: @[[REGISTERS:mmtune_simt_warp_op[_0-9]*]](dense<[8, 0, 11, 4, 0, 104, 0, 64, 8, 16, 2, 2, 4, 4]> : tensor<14xi32>)
  // CHECK-DAG: @[[BYTES:mmtune_simt_warp_op[_0-9]*]](dense<[8, 0, 9, 4, 0, 0, 0, 64, 8, 32, 6, 6, 8, 8]> : tensor<14xi32>)
  // CHECK-DAG: @[[DESCRIPTOR:mmtune_simt_warp_op[_0-9]*]](dense<[8, 0, 9, 4, 0, 56, 0, 64, 8, 16, 1, 1, 4, 4]> : tensor<14xi32>)

  // CHECK-LABEL: llvm.func internal @text(
  // CHECK-SAME:  %[[CTX:[^:]*]]: !llvm.ptr, %[[S:[^:]*]]: !llvm.ptr, %[[MAP:[^:]*]]: !llvm.ptr, %[[N:[^:]*]]: i32, %[[P:[^:]*]]: i1, %[[A:[^:]*]]: i64)
  llvm.func @text(%s: !llvm.ptr<3>, %map: !llvm.ptr, %n: i32, %p: i1, %a: i64) attributes {gpu.kernel, nvvm.kernel} {
    %cluster = llvm.addrspacecast %s : !llvm.ptr<3> to !llvm.ptr<7>
    // CHECK: llvm.cond_br %[[P]]
    // CHECK: llvm.call @mmtune_simt_mbarrier_init(%[[CTX]], %[[S]], %[[N]],
    nvvm.mbarrier.init %s, %n, predicate = %p : !llvm.ptr<3>, i32, i1
    // CHECK: llvm.cond_br %[[P]]
    // CHECK: llvm.call @mmtune_simt_mbarrier_arrive(%[[CTX]], %[[S]], %{{.*}}, %[[N]],
    nvvm.mbarrier.arrive.expect_tx %s, %n, predicate = %p : !llvm.ptr<3>, i32, i1
    // CHECK: llvm.call @mmtune_simt_mbarrier_test(%[[CTX]], %[[S]],
    nvvm.mbarrier.try_wait.parity %s, %n, %n : !llvm.ptr<3>, i32, i32
    // CHECK: llvm.call @mmtune_simt_barrier_arrive(%[[CTX]], %[[N]], %[[N]],
    nvvm.barrier.arrive id = %n number_of_threads = %n
    // CHECK: llvm.cond_br %[[P]]
    // CHECK: llvm.call @mmtune_simt_tensor_load(%[[CTX]], %[[S]], %[[MAP]],
    nvvm.cp.async.bulk.tensor.shared.cluster.global %cluster, %map, %s, box[%n, %n] predicate = %p : !llvm.ptr<7>, !llvm.ptr
    // CHECK: llvm.cond_br %[[P]]
    // CHECK: llvm.call @mmtune_simt_tensor_store(%[[CTX]], %[[MAP]], %[[S]],
    nvvm.cp.async.bulk.tensor.global.shared.cta %map, %s, box[%n, %n, %n], predicate = %p : !llvm.ptr, !llvm.ptr<3>
    %d = llvm.mlir.undef : !llvm.struct<(f32, f32, f32, f32)>
    // CHECK: llvm.mlir.addressof @[[DESCRIPTOR]]
    %0 = nvvm.wgmma.mma_async %a, %a, %d, <m = 64, n = 8, k = 16>, D [<f32>, #nvvm.wgmma_scale_out<one>], A [<f16>, #nvvm.wgmma_scale_in<one>, <col>], B [<f16>, #nvvm.wgmma_scale_in<neg>, <row>] : !llvm.struct<(f32, f32, f32, f32)> -> !llvm.struct<(f32, f32, f32, f32)>
    llvm.return
  }

  // CHECK-LABEL: llvm.func internal @registers(
  // CHECK-SAME:  %[[CTX:[^:]*]]: !llvm.ptr, %[[X:[^:]*]]: f32, %[[A:[^:]*]]: i32, %[[B:[^:]*]]: i64)
  llvm.func @registers(%x: f32, %a: i32, %b: i64) attributes {gpu.kernel, nvvm.kernel} {
    %one = llvm.mlir.constant(1 : i32) : i32
    %minus = llvm.mlir.constant(-1 : i32) : i32
    // CHECK: %[[SCALE:.*]] = llvm.icmp "ne" %[[A]]
    // CHECK: llvm.store %[[X]]
    // CHECK: llvm.store %[[A]]
    // CHECK: llvm.store %[[B]]
    // CHECK: llvm.zext %[[SCALE]] : i1 to i32
    // CHECK: llvm.mlir.addressof @[[REGISTERS]]
    %0 = llvm.inline_asm has_side_effects asm_dialect = att "{\0A\09.reg .pred p;\0A\09setp.ne.b32 p, $13, 0;\0A\09wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {$0, $1, $2, $3}, {$8, $9, $10, $11}, $12, p, $14, $15, $16;\0A}\0A", "=f,=f,=f,=f,0,1,2,3,r,r,r,r,l,r,n,n,n" %x, %x, %x, %x, %a, %a, %a, %a, %b, %a, %one, %minus, %one : (f32, f32, f32, f32, i32, i32, i32, i32, i64, i32, i32, i32, i32) -> !llvm.struct<(f32, f32, f32, f32)>
    // Integers have no scale of A and B.
    // CHECK: llvm.mlir.addressof @[[BYTES]]
    %1 = llvm.inline_asm has_side_effects asm_dialect = att "{ .reg .pred p; setp.ne.b32 p, $10, 0; wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.s8 {$0, $1, $2, $3}, $8, $9, p; }", "=r,=r,=r,=r,0,1,2,3,l,l,r" %a, %a, %a, %a, %b, %b, %a : (i32, i32, i32, i32, i64, i64, i32) -> !llvm.struct<(i32, i32, i32, i32)>
    // An address in a register of 32 bits is of shared memory.
    // CHECK: %[[INDEX:.*]] = llvm.zext %[[A]] : i32 to i64
    // CHECK: %[[BARRIER:.*]] = llvm.getelementptr inbounds %{{.*}}[%[[INDEX]]]
    // CHECK: llvm.call @mmtune_simt_mbarrier_init(%[[CTX]], %[[BARRIER]], %[[A]],
    nvvm.inline_ptx "mbarrier.init.shared.b64 [$0], $1;" ro (%a, %a : i32, i32)
    llvm.return
  }

  // Descriptors of two words each.
  // CHECK-LABEL: llvm.func internal @words(
  // CHECK-SAME:  %[[CTX:[^:]*]]: !llvm.ptr, %[[X:[^:]*]]: f32, %[[LOW:[^:]*]]: i32, %[[HIGH:[^:]*]]: i32)
  llvm.func @words(%x: f32, %low: i32, %high: i32) attributes {gpu.kernel, nvvm.kernel} {
    // CHECK: %[[WIDE:.*]] = llvm.zext %[[HIGH]] : i32 to i64
    // CHECK: %[[SHIFTED:.*]] = llvm.shl %[[WIDE]]
    // CHECK: %[[REST:.*]] = llvm.zext %[[LOW]] : i32 to i64
    // CHECK: %[[A:.*]] = llvm.or %[[SHIFTED]], %[[REST]]
    // CHECK: llvm.zext %[[LOW]] : i32 to i64
    // CHECK: llvm.store %[[A]]
    %0 = llvm.inline_asm has_side_effects asm_dialect = att "{ .reg .b64 a, b; mov.b64 a, {$8, $9}; mov.b64 b, {$9, $8}; wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {$0, $1, $2, $3}, a, b, 1, 1, 1, 0, 0; }", "=f,=f,=f,=f,0,1,2,3,r,r" %x, %x, %x, %x, %low, %high : (f32, f32, f32, f32, i32, i32) -> !llvm.struct<(f32, f32, f32, f32)>
    llvm.return
  }

  // Each float is updated on its own.
  // CHECK-LABEL: llvm.func internal @additions(
  // CHECK-SAME:  %[[CTX:[^:]*]]: !llvm.ptr, %[[P:[^:]*]]: !llvm.ptr, %[[X:[^:]*]]: f32, %[[Y:[^:]*]]: f32)
  llvm.func @additions(%p: !llvm.ptr<1>, %x: f32, %y: f32) attributes {gpu.kernel, nvvm.kernel} {
    // CHECK: %[[PAIR0:.*]] = llvm.insertelement %[[X]],
    // CHECK: %[[PAIR:.*]] = llvm.insertelement %[[Y]], %[[PAIR0]]
    // CHECK: %[[FIRST:.*]] = llvm.extractelement %[[PAIR]][%{{.*}} : i32] : vector<2xf32>
    // CHECK: llvm.atomicrmw fadd %{{.*}}, %[[FIRST]] monotonic : !llvm.ptr, f32
    // CHECK: %[[SECOND:.*]] = llvm.extractelement %[[PAIR]][%{{.*}} : i32] : vector<2xf32>
    // CHECK: %[[NEXT:.*]] = llvm.getelementptr %{{.*}}[1] : (!llvm.ptr) -> !llvm.ptr, f32
    // CHECK: llvm.atomicrmw fadd %[[NEXT]], %[[SECOND]] monotonic : !llvm.ptr, f32
    // CHECK-NOT: llvm.atomicrmw
    // CHECK: llvm.return
    nvvm.inline_ptx "red.relaxed.gpu.global.add.v2.f32 [$0], {$1, $2};" ro (%p, %x, %y : !llvm.ptr<1>, f32, f32)
    llvm.return
  }
}
