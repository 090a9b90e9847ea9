// RUN: mmtune-opt %s --pass-pipeline='builtin.module(gpu.module(convert-nvvm-to-simt{race-detection=1}))' --split-input-file | FileCheck %s
// RUN: mmtune-opt %s --pass-pipeline='builtin.module(gpu.module(convert-nvvm-to-simt))' --split-input-file | FileCheck %s --check-prefix=FAST
// RUN: mmtune-opt %s --split-input-file --mmtune-gpu-to-binary="race-detection=1" | FileCheck %s --check-prefix=BINARY

// BINARY-COUNT-2: gpu.binary @{{.*}}mmtune_simt_variables

// With race detection a red zone follows each variable and constant, and a table has their names, addresses and bytes.

// CHECK-LABEL: gpu.module @kernels
// CHECK: llvm.mlir.global private constant @table() {addr_space = 0 : i32, alignment = 64 : i64} : !llvm.struct<(array<4 x f32>, array<128 x i8>)> {
// CHECK: %[[ZERO:.*]] = llvm.mlir.zero
// CHECK: %[[ALL:.*]] = llvm.insertvalue %{{.*}}, %[[ZERO]][0]
// CHECK: llvm.return %[[ALL]]
// CHECK: llvm.mlir.global internal @scratch() {{.*}} : !llvm.struct<(array<64 x f32>, array<128 x i8>)> {
// CHECK: llvm.mlir.undef : !llvm.array<64 x f32>
// CHECK: llvm.mlir.global internal @flag() {{.*}} : !llvm.struct<(i32, array<128 x i8>)>
// CHECK: llvm.mlir.global external constant @mmtune_simt_variables() {{.*}} : !llvm.array<4 x struct<(ptr, ptr, i64, i64)>> {
// CHECK: llvm.mlir.addressof @table : !llvm.ptr
// CHECK: llvm.mlir.constant(16 : i64)
// CHECK: llvm.mlir.addressof @scratch : !llvm.ptr
// CHECK: llvm.mlir.constant(256 : i64)
// CHECK: llvm.mlir.addressof @flag : !llvm.ptr
// CHECK: llvm.mlir.constant(4 : i64)
// FAST-LABEL: gpu.module @kernels
// FAST: llvm.mlir.global private constant @table({{.*}}) {{.*}} : !llvm.array<4 x f32>
// FAST-NOT: mmtune_simt_variables
gpu.module @kernels {
  llvm.mlir.global private constant @table(dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>) {addr_space = 4 : i32, alignment = 64 : i64} : !llvm.array<4 x f32>
  llvm.mlir.global internal @scratch() {addr_space = 1 : i32} : !llvm.array<64 x f32> {
    %0 = llvm.mlir.undef : !llvm.array<64 x f32>
    llvm.return %0 : !llvm.array<64 x f32>
  }
  llvm.mlir.global internal @flag(7 : i32) {addr_space = 1 : i32} : i32
  llvm.mlir.global internal @tile() {addr_space = 3 : i32} : !llvm.array<5 x f32>
  llvm.func @kernel(%i: i64) attributes {gpu.kernel, nvvm.kernel} {
    %table = llvm.mlir.addressof @table : !llvm.ptr<4>
    %element = llvm.getelementptr %table[0, %i] : (!llvm.ptr<4>, i64) -> !llvm.ptr<4>, !llvm.array<4 x f32>
    %value = llvm.load %element : !llvm.ptr<4> -> f32
    %scratch = llvm.mlir.addressof @scratch : !llvm.ptr<1>
    llvm.store %value, %scratch : f32, !llvm.ptr<1>
    %flag = llvm.mlir.addressof @flag : !llvm.ptr<1>
    %one = llvm.mlir.constant(1 : i32) : i32
    llvm.store %one, %flag : i32, !llvm.ptr<1>
    llvm.return
  }
}

// -----

// The lifetime of a shared buffer begins: race detection reports it to the runtime. That of a thread's own memory is left alone.

// CHECK-LABEL: llvm.func internal @lifetimes(
// CHECK: %[[TILE:.*]] = llvm.getelementptr inbounds
// CHECK-NOT: lifetime.start
// CHECK: llvm.call @mmtune_simt_shared_begins(%{{.*}}, %{{.*}}) : (!llvm.ptr, !llvm.ptr) -> ()
// CHECK: llvm.intr.lifetime.start
// FAST-LABEL: llvm.func internal @lifetimes(
// FAST-NOT: mmtune_simt_shared_begins
// FAST-COUNT-1: llvm.intr.lifetime.start
// FAST-NOT: llvm.intr.lifetime.start
gpu.module @kernels {
  llvm.mlir.global internal @tile() {addr_space = 3 : i32} : !llvm.array<5 x f32>
  llvm.func @lifetimes() attributes {gpu.kernel, nvvm.kernel} {
    %one = llvm.mlir.constant(1 : i32) : i32
    %own = llvm.alloca %one x f32 : (i32) -> !llvm.ptr
    %tile = llvm.mlir.addressof @tile : !llvm.ptr<3>
    llvm.intr.lifetime.start %tile : !llvm.ptr<3>
    llvm.intr.lifetime.start %own : !llvm.ptr
    llvm.return
  }
}
