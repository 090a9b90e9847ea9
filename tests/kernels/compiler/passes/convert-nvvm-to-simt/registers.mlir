// RUN: mmtune-opt %s --pass-pipeline='builtin.module(gpu.module(convert-nvvm-to-simt))' | FileCheck %s

// What no field of the context holds is computed from one, or constant: one multiprocessor runs one grid.

gpu.module @kernels {
  llvm.mlir.global internal @tile() {addr_space = 3 : i32} : !llvm.array<5 x f32>
  // CHECK-LABEL: llvm.func internal @registers(
  llvm.func @registers() attributes {gpu.kernel, nvvm.kernel} {
    // CHECK-DAG: %[[LANEP:.*]] = llvm.getelementptr inbounds %{{.*}}[48]
    // CHECK-DAG: %[[LANE:.*]] = llvm.load %[[LANEP]] invariant : !llvm.ptr -> i32
    // CHECK-DAG: %[[DYNAMICP:.*]] = llvm.getelementptr inbounds %{{.*}}[72]
    // CHECK-DAG: %[[DYNAMIC:.*]] = llvm.load %[[DYNAMICP]] invariant : !llvm.ptr -> i32
    // CHECK: %[[ONE:.*]] = llvm.mlir.constant(1 : i32)
    // CHECK: %[[EQ:.*]] = llvm.shl %[[ONE]], %[[LANE]]
    %eq = nvvm.read.ptx.sreg.lanemask.eq : i32
    // CHECK: %[[LT:.*]] = llvm.sub
    %lt = nvvm.read.ptx.sreg.lanemask.lt : i32
    // CHECK: %[[LE:.*]] = llvm.or
    %le = nvvm.read.ptx.sreg.lanemask.le : i32
    // CHECK: %[[GE:.*]] = llvm.xor
    %ge = nvvm.read.ptx.sreg.lanemask.ge : i32
    // CHECK: llvm.or
    // CHECK: %[[GT:.*]] = llvm.xor
    %gt = nvvm.read.ptx.sreg.lanemask.gt : i32
    // CHECK: llvm.mlir.constant(0 : i32)
    %sm = nvvm.read.ptx.sreg.smid : i32
    // CHECK: llvm.mlir.constant(1 : i32)
    %sms = nvvm.read.ptx.sreg.nsmid : i32
    // CHECK: llvm.mlir.constant(0 : i32)
    %grid = nvvm.read.ptx.sreg.gridid : i32
    // CHECK: %[[STATIC:.*]] = llvm.mlir.constant(1024 : i32)
    // CHECK: llvm.add %[[DYNAMIC]], %[[STATIC]]
    %shared = nvvm.read.ptx.sreg.total.smem.size : i32
    // CHECK: %[[CYCLES:.*]] = llvm.call_intrinsic "llvm.readcyclecounter"() : () -> i64
    // CHECK: llvm.trunc %[[CYCLES]] : i64 to i32
    %clock = nvvm.read.ptx.sreg.clock : i32
    // CHECK: llvm.call_intrinsic "llvm.readcyclecounter"() : () -> i64
    %timer = nvvm.read.ptx.sreg.globaltimer : i64
    // CHECK: llvm.call @use(%{{.*}}, %[[EQ]], %[[LT]], %[[LE]], %[[GE]], %[[GT]])
    llvm.call @use(%eq, %lt, %le, %ge, %gt) : (i32, i32, i32, i32, i32) -> ()
    llvm.return
  }
  llvm.func @use(%a: i32, %b: i32, %c: i32, %d: i32, %e: i32) {
    llvm.return
  }
}
