// RUN: mmtune-opt %s --pass-pipeline='builtin.module(gpu.module(convert-nvvm-to-simt{race-detection=1}))' --split-input-file | FileCheck %s
// RUN: mmtune-opt %s --pass-pipeline='builtin.module(gpu.module(convert-nvvm-to-simt))' --split-input-file | FileCheck %s --check-prefix=FAST
// RUN: mmtune-opt %s --split-input-file --mmtune-gpu-to-binary="race-detection=1" | FileCheck %s --check-prefix=BINARY

// BINARY-COUNT-3: gpu.binary @{{.*}}mmtune_simt_sites

// FAST-NOT: mmtune_simt_access
// FAST-NOT: mmtune_simt_sites
// FAST-NOT: mmtune_simt_red_zones

gpu.module @kernels {
  llvm.mlir.global internal @tile() {addr_space = 3 : i32} : !llvm.array<5 x f32>
  // CHECK-LABEL: llvm.func internal @accesses(
  // CHECK-SAME:  %[[CTX:[^:]*]]: !llvm.ptr, %[[G:[^:]*]]: !llvm.ptr, %[[PARAM:[^:]*]]: !llvm.ptr, %[[N:[^:]*]]: i64)
  llvm.func @accesses(%g: !llvm.ptr<1>, %param: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant}, %n: i64) attributes {gpu.kernel, nvvm.kernel} {
    %one = llvm.mlir.constant(1 : i32) : i32
    // What is the thread's own is not announced, the kernel's parameters neither.
    // CHECK-NOT: mmtune_simt_access
    %own = llvm.alloca %one x !llvm.array<4 x f32> : (i32) -> !llvm.ptr
    %element = llvm.getelementptr %own[0, 2] : (!llvm.ptr) -> !llvm.ptr, !llvm.array<4 x f32>
    %a = llvm.load %element : !llvm.ptr -> f32
    llvm.store %a, %own : f32, !llvm.ptr
    %b = llvm.load %param : !llvm.ptr -> i64
    // A vector is one access; one that is not padded to a power of two touches no more than it has.
    // CHECK: %[[BYTES:.*]] = llvm.mlir.constant(16 : i64)
    // CHECK: %[[READ:.*]] = llvm.mlir.constant(0 : i32)
    // CHECK: %[[SITE:.*]] = llvm.mlir.constant(1 : i32)
    // CHECK: llvm.call @mmtune_simt_access(%[[CTX]], %[[G]], %[[BYTES]], %[[READ]], %[[SITE]]) : (!llvm.ptr, !llvm.ptr, i64, i32, i32) -> ()
    // CHECK-NEXT: llvm.load %[[G]] invariant : !llvm.ptr -> vector<4xf32>
    %v = llvm.load %g invariant : !llvm.ptr<1> -> vector<4xf32>
    // CHECK: llvm.mlir.constant(12 : i64)
    // CHECK: llvm.call @mmtune_simt_access
    %v3 = llvm.load %g : !llvm.ptr<1> -> vector<3xf32>
    %tile = llvm.mlir.addressof @tile : !llvm.ptr<3>
    // CHECK: llvm.mlir.constant(4 : i64)
    // CHECK: %[[WRITE:.*]] = llvm.mlir.constant(1 : i32)
    // CHECK: llvm.call @mmtune_simt_access(%[[CTX]], %{{.*}}, %{{.*}}, %[[WRITE]], %{{.*}})
    // CHECK-NEXT: llvm.store
    llvm.store %a, %tile : f32, !llvm.ptr<3>
    // A relaxed update, one that acquires and releases, a load that acquires, and volatile ones, which are relaxed.
    // CHECK: %[[ATOMIC:.*]] = llvm.mlir.constant(3 : i32)
    // CHECK: llvm.call @mmtune_simt_access(%[[CTX]], %[[G]], %{{.*}}, %[[ATOMIC]], %{{.*}})
    // CHECK-NEXT: llvm.atomicrmw
    %old = llvm.atomicrmw fadd %g, %a monotonic : !llvm.ptr<1>, f32
    // Two floats that are added by one instruction are one relaxed update.
    // CHECK: llvm.mlir.constant(8 : i64)
    // CHECK: %[[ADDITION:.*]] = llvm.mlir.constant(3 : i32)
    // CHECK: llvm.call @mmtune_simt_access(%[[CTX]], %[[G]], %{{.*}}, %[[ADDITION]], %{{.*}})
    // CHECK-NOT: @mmtune_simt_access
    // CHECK-COUNT-2: llvm.atomicrmw
    nvvm.inline_ptx "red.relaxed.gpu.global.add.v2.f32 [$0], {$1, $2};" ro (%g, %a, %a : !llvm.ptr<1>, f32, f32)
    // CHECK: %[[UPDATE:.*]] = llvm.mlir.constant(2 : i32)
    // CHECK: llvm.call @mmtune_simt_access(%[[CTX]], %[[G]], %{{.*}}, %[[UPDATE]], %{{.*}})
    // CHECK-NEXT: llvm.cmpxchg
    %pair = llvm.cmpxchg %g, %n, %n acq_rel monotonic : !llvm.ptr<1>, i64
    // CHECK: %[[ATOMICLOAD:.*]] = llvm.mlir.constant(7 : i32)
    // CHECK: llvm.call @mmtune_simt_access(%[[CTX]], %[[G]], %{{.*}}, %[[ATOMICLOAD]], %{{.*}})
    %flag = llvm.load %g atomic acquire {alignment = 4 : i64} : !llvm.ptr<1> -> i32
    // CHECK: %[[VOLATILELOAD:.*]] = llvm.mlir.constant(6 : i32)
    // CHECK: llvm.call @mmtune_simt_access(%[[CTX]], %[[G]], %{{.*}}, %[[VOLATILELOAD]], %{{.*}})
    %polled = llvm.load volatile %g : !llvm.ptr<1> -> i32
    // CHECK: %[[VOLATILESTORE:.*]] = llvm.mlir.constant(8 : i32)
    // CHECK: llvm.call @mmtune_simt_access(%[[CTX]], %[[G]], %{{.*}}, %[[VOLATILESTORE]], %{{.*}})
    llvm.store volatile %polled, %g : i32, !llvm.ptr<1>
    // CHECK: %[[RELEASE:.*]] = llvm.mlir.constant(9 : i32)
    // CHECK: llvm.call @mmtune_simt_access(%[[CTX]], %[[G]], %{{.*}}, %[[RELEASE]], %{{.*}})
    llvm.store %flag, %g atomic release {alignment = 4 : i64} : i32, !llvm.ptr<1>
    // CHECK: llvm.call @mmtune_simt_access(%[[CTX]], %[[G]], %[[N]], %{{.*}}, %{{.*}})
    // CHECK: llvm.call @mmtune_simt_access(%[[CTX]], %{{.*}}, %[[N]], %{{.*}}, %{{.*}})
    // CHECK-NEXT: "llvm.intr.memcpy"
    "llvm.intr.memcpy"(%tile, %g, %n) <{isVolatile = false}> : (!llvm.ptr<3>, !llvm.ptr<1>, i64) -> ()
    // CHECK: llvm.call @mmtune_simt_access(%[[CTX]], %[[G]], %[[N]], %{{.*}}, %{{.*}})
    // CHECK-NOT: mmtune_simt_access
    // CHECK: "llvm.intr.memmove"
    "llvm.intr.memmove"(%own, %g, %n) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr<1>, i64) -> ()
    llvm.return
  }
}

// -----

// Each lane of a masked access is one.
gpu.module @kernels {
  // CHECK-LABEL: llvm.func internal @masked(
  // CHECK-SAME:  %[[MASK:[^:]*]]: vector<2xi1>)
  llvm.func @masked(%g: !llvm.ptr<1>, %mask: vector<2xi1>) attributes {gpu.kernel, nvvm.kernel} {
    // CHECK: %[[FIRST:.*]] = llvm.extractelement %[[MASK]]
    // CHECK: llvm.cond_br %[[FIRST]], ^[[CHECK0:.*]], ^[[NEXT:bb[0-9]+]]
    // CHECK: ^[[CHECK0]]:
    // CHECK: llvm.call @mmtune_simt_access
    // CHECK: ^[[NEXT]]:
    // CHECK: llvm.extractelement %[[MASK]]
    // CHECK: llvm.getelementptr %{{.*}}[1] : (!llvm.ptr) -> !llvm.ptr, f32
    // CHECK: llvm.call @mmtune_simt_access
    // CHECK: llvm.intr.masked.load
    %v = llvm.intr.masked.load %g, %mask {alignment = 4 : i32} : (!llvm.ptr<1>, vector<2xi1>) -> vector<2xf32>
    // CHECK: llvm.call @mmtune_simt_access
    // CHECK: llvm.call @mmtune_simt_access
    // CHECK: llvm.intr.masked.store
    llvm.intr.masked.store %v, %g, %mask {alignment = 4 : i32} : vector<2xf32>, vector<2xi1> into !llvm.ptr<1>
    llvm.return
  }
}

// -----

// Sites: the operation and where it is; those that agree in both are one. Between shared globals are 128 bytes.
// CHECK-LABEL: gpu.module @sites
gpu.module @sites {
  llvm.mlir.global internal @first() {addr_space = 3 : i32} : !llvm.array<5 x f32>
  llvm.mlir.global internal @second() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<2 x f32>
  // CHECK: llvm.func internal @kernel(
  llvm.func @kernel() attributes {gpu.kernel, nvvm.kernel} {
    // CHECK: llvm.getelementptr inbounds %{{.*}}[0]
    %first = llvm.mlir.addressof @first : !llvm.ptr<3>
    // CHECK: llvm.getelementptr inbounds %{{.*}}[256]
    %second = llvm.mlir.addressof @second : !llvm.ptr<3>
    // CHECK: llvm.mlir.constant(1 : i32)
    // CHECK-NEXT: llvm.call @mmtune_simt_access
    %0 = llvm.load %first : !llvm.ptr<3> -> f32 loc("load A tile")
    // CHECK: llvm.mlir.constant(1 : i32)
    // CHECK-NEXT: llvm.call @mmtune_simt_access
    %1 = llvm.load %second : !llvm.ptr<3> -> f32 loc("load A tile")
    // CHECK: llvm.mlir.constant(2 : i32)
    // CHECK-NEXT: llvm.call @mmtune_simt_access
    llvm.store %0, %first : f32, !llvm.ptr<3> loc("some/where/tile.mlir":12:5)
    // CHECK: llvm.mlir.constant(3 : i32)
    // CHECK-NEXT: llvm.call @mmtune_simt_barrier
    nvvm.barrier0 loc(callsite(unknown at fused[unknown, "caller"("x.mlir":1:1)]))
    // CHECK: llvm.mlir.constant(4 : i32)
    // CHECK-NEXT: llvm.call @mmtune_simt_barrier
    nvvm.barrier0 loc(unknown)
    llvm.return
  }
  // CHECK-DAG: @[[UNKNOWN:mmtune_simt_text[_0-9]*]]("unknown\00")
  // CHECK-DAG: @[[LOAD:mmtune_simt_text[_0-9]*]]("llvm.load\00")
  // CHECK-DAG: @[[TILE:mmtune_simt_text[_0-9]*]]("load A tile\00")
  // CHECK-DAG: @[[STORE:mmtune_simt_text[_0-9]*]]("llvm.store\00")
  // CHECK-DAG: @[[FILE:mmtune_simt_text[_0-9]*]]("tile.mlir:12:5\00")
  // CHECK-DAG: @[[BARRIER:mmtune_simt_text[_0-9]*]]("nvvm.barrier0\00")
  // CHECK-DAG: @[[CALLER:mmtune_simt_text[_0-9]*]]("caller\00")
  // CHECK: llvm.mlir.global external constant @mmtune_simt_sites() {{.*}} : !llvm.array<6 x struct<(ptr, ptr, i64, ptr)>> {
  // CHECK-NEXT: llvm.mlir.zero
  // CHECK-NEXT: llvm.mlir.addressof @[[UNKNOWN]]
  // CHECK-NEXT: llvm.mlir.addressof @[[UNKNOWN]]
  // CHECK-NEXT: llvm.mlir.constant(1 : i64)
  // CHECK-NEXT: llvm.mlir.addressof @[[UNKNOWN]]
  // CHECK-NEXT: llvm.insertvalue %{{.*}}[0, 0]
  // CHECK-NEXT: llvm.insertvalue %{{.*}}[0, 1]
  // CHECK-NEXT: llvm.insertvalue %{{.*}}[0, 2]
  // CHECK-NEXT: llvm.insertvalue %{{.*}}[0, 3]
  // CHECK-NEXT: llvm.mlir.addressof @[[LOAD]]
  // CHECK-NEXT: llvm.mlir.addressof @[[TILE]]
  // CHECK-NEXT: llvm.mlir.constant(4 : i64)
  // CHECK: llvm.mlir.addressof @[[STORE]]
  // CHECK-NEXT: llvm.mlir.addressof @[[FILE]]
  // CHECK: llvm.mlir.addressof @[[BARRIER]]
  // CHECK-NEXT: llvm.mlir.addressof @[[CALLER]]
  // CHECK: llvm.insertvalue %{{.*}}[3, 3]
  // CHECK-NEXT: llvm.mlir.addressof @[[BARRIER]]
  // CHECK-NEXT: llvm.mlir.addressof @[[UNKNOWN]]
  // CHECK-NEXT: llvm.mlir.constant(1 : i64)
  // CHECK-NEXT: llvm.mlir.addressof @[[BARRIER]]
  // CHECK-NEXT: llvm.insertvalue %{{.*}}[4, 0]
  // CHECK: llvm.mlir.global external constant @mmtune_simt_red_zones(dense<[20, 256, 264, 1024, 0, 0]> : tensor<6xi32>)
}
