// Kernels of device_conformance_test.cc that need cp.async: sm_80 or newer.
gpu.module @conformance_async {
  llvm.mlir.global external @dynamic() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>

  // Every thread copies 16 bytes through shared memory asynchronously; thread i reads only min(16, count - 16 i) bytes.
  llvm.func @async_copy(%in: !llvm.ptr<1>, %out: !llvm.ptr, %count: i32) attributes {gpu.kernel, nvvm.kernel} {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %sixteen = arith.constant 16 : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %n = nvvm.read.ptx.sreg.ntid.x : i32
    %base = llvm.mlir.addressof @dynamic : !llvm.ptr<3>
    %at = arith.muli %t, %sixteen : i32
    %shared = llvm.getelementptr %base[%at] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
    %source = llvm.getelementptr %in[%at] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i8
    %left = arith.subi %count, %at : i32
    %0 = arith.maxsi %left, %zero : i32
    %bytes = arith.minsi %0, %sixteen : i32
    nvvm.cp.async.shared.global %shared, %source, 16, cache = cg, %bytes : !llvm.ptr<3>, !llvm.ptr<1>, i32
    nvvm.cp.async.commit.group
    nvvm.cp.async.wait.group 0
    nvvm.barrier0
    // Another thread's bytes: the barrier must have made them visible.
    %1 = arith.subi %n, %t : i32
    %mirror = arith.subi %1, %one : i32
    %mirror_at = arith.muli %mirror, %sixteen : i32
    %from = llvm.getelementptr %base[%mirror_at] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
    %value = llvm.load %from {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xi32>
    %to = llvm.getelementptr %out[%mirror_at] : (!llvm.ptr, i32) -> !llvm.ptr, i8
    llvm.store %value, %to {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr
    llvm.return
  }

  // The same with 8 bytes a thread.
  llvm.func @async_copy_8(%in: !llvm.ptr<1>, %out: !llvm.ptr, %count: i32) attributes {gpu.kernel, nvvm.kernel} {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %size = arith.constant 8 : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %n = nvvm.read.ptx.sreg.ntid.x : i32
    %base = llvm.mlir.addressof @dynamic : !llvm.ptr<3>
    %at = arith.muli %t, %size : i32
    %shared = llvm.getelementptr %base[%at] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
    %source = llvm.getelementptr %in[%at] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i8
    %left = arith.subi %count, %at : i32
    %0 = arith.maxsi %left, %zero : i32
    %bytes = arith.minsi %0, %size : i32
    nvvm.cp.async.shared.global %shared, %source, 8, cache = ca, %bytes : !llvm.ptr<3>, !llvm.ptr<1>, i32
    nvvm.cp.async.commit.group
    nvvm.cp.async.wait.group 0
    nvvm.barrier0
    // Another thread's bytes: the barrier must have made them visible.
    %1 = arith.subi %n, %t : i32
    %mirror = arith.subi %1, %one : i32
    %mirror_at = arith.muli %mirror, %size : i32
    %from = llvm.getelementptr %base[%mirror_at] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
    %value = llvm.load %from {alignment = 8 : i64} : !llvm.ptr<3> -> vector<2xi32>
    %to = llvm.getelementptr %out[%mirror_at] : (!llvm.ptr, i32) -> !llvm.ptr, i8
    llvm.store %value, %to {alignment = 8 : i64} : vector<2xi32>, !llvm.ptr
    llvm.return
  }

  // The same with 4 bytes a thread.
  llvm.func @async_copy_4(%in: !llvm.ptr<1>, %out: !llvm.ptr, %count: i32) attributes {gpu.kernel, nvvm.kernel} {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %size = arith.constant 4 : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %n = nvvm.read.ptx.sreg.ntid.x : i32
    %base = llvm.mlir.addressof @dynamic : !llvm.ptr<3>
    %at = arith.muli %t, %size : i32
    %shared = llvm.getelementptr %base[%at] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
    %source = llvm.getelementptr %in[%at] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i8
    %left = arith.subi %count, %at : i32
    %0 = arith.maxsi %left, %zero : i32
    %bytes = arith.minsi %0, %size : i32
    nvvm.cp.async.shared.global %shared, %source, 4, cache = ca, %bytes : !llvm.ptr<3>, !llvm.ptr<1>, i32
    nvvm.cp.async.commit.group
    nvvm.cp.async.wait.group 0
    nvvm.barrier0
    // Another thread's bytes: the barrier must have made them visible.
    %1 = arith.subi %n, %t : i32
    %mirror = arith.subi %1, %one : i32
    %mirror_at = arith.muli %mirror, %size : i32
    %from = llvm.getelementptr %base[%mirror_at] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
    %value = llvm.load %from {alignment = 4 : i64} : !llvm.ptr<3> -> i32
    %to = llvm.getelementptr %out[%mirror_at] : (!llvm.ptr, i32) -> !llvm.ptr, i8
    llvm.store %value, %to {alignment = 4 : i64} : i32, !llvm.ptr
    llvm.return
  }
}
