// RUN: mmtune-opt %s --assign-gpu-streams | FileCheck %s
// RUN: mmtune-opt %s --assign-gpu-streams=max-streams=1 | FileCheck %s --check-prefix=ONE

// The functions of the runtime, as gpu-to-llvm declares them.
// CHECK-DAG: llvm.func @mgpuStreamCreate() -> !llvm.ptr
// CHECK-DAG: llvm.func @mgpuStreamDestroy(!llvm.ptr)
// CHECK-DAG: llvm.func @mgpuStreamSynchronize(!llvm.ptr)
// CHECK-DAG: llvm.func @mgpuStreamWaitEvent(!llvm.ptr, !llvm.ptr)
// CHECK-DAG: llvm.func @mgpuEventCreate() -> !llvm.ptr
// CHECK-DAG: llvm.func @mgpuEventDestroy(!llvm.ptr)
// CHECK-DAG: llvm.func @mgpuEventRecord(!llvm.ptr, !llvm.ptr)

// One stream needs no events.
// ONE-NOT: mgpuEvent

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @accumulate(%dst: memref<8xi32>, %a: memref<8xi32>) kernel {
      %i = gpu.thread_id x
      %x = memref.load %dst[%i] : memref<8xi32>
      %y = memref.load %a[%i] : memref<8xi32>
      %z = arith.addi %x, %y : i32
      memref.store %z, %dst[%i] : memref<8xi32>
      gpu.return
    }
  }

  // The transfers have a stream each, the kernel waits for both, the copy out follows it, and the
  // buffers are freed when the host has waited.
  // CHECK-LABEL: func.func @transfers_and_kernel(
  // CHECK-NEXT:  %[[S0:.*]] = llvm.call @mgpuStreamCreate()
  // CHECK-NEXT:  %[[T0:.*]] = builtin.unrealized_conversion_cast %[[S0]] : !llvm.ptr to !gpu.async.token
  // CHECK-NEXT:  %[[S1:.*]] = llvm.call @mgpuStreamCreate()
  // CHECK-NEXT:  %[[T1:.*]] = builtin.unrealized_conversion_cast %[[S1]] : !llvm.ptr to !gpu.async.token
  // CHECK-NEXT:  %[[NULL:.*]] = llvm.mlir.zero : !llvm.ptr
  // CHECK-NEXT:  %[[DONE:.*]] = builtin.unrealized_conversion_cast %[[NULL]] : !llvm.ptr to !gpu.async.token
  // CHECK:       %[[D:.*]], %{{.*}} = gpu.alloc async [%[[DONE]]] ()
  // CHECK-NEXT:  %[[E:.*]], %{{.*}} = gpu.alloc async [%[[DONE]]] ()
  // CHECK-NEXT:  gpu.memcpy async [%[[T0]]] %[[D]], %arg0
  // CHECK-NEXT:  %[[EVENT:.*]] = llvm.call @mgpuEventCreate()
  // CHECK-NEXT:  llvm.call @mgpuEventRecord(%[[EVENT]], %[[S0]])
  // CHECK-NEXT:  gpu.memcpy async [%[[T1]]] %[[E]], %arg1
  // CHECK-NEXT:  llvm.call @mgpuStreamWaitEvent(%[[S1]], %[[EVENT]])
  // CHECK-NEXT:  llvm.call @mgpuEventDestroy(%[[EVENT]])
  // CHECK-NEXT:  gpu.launch_func async [%[[T1]]] @kernels::@accumulate
  // CHECK-NEXT:  gpu.memcpy async [%[[T1]]] %arg2, %[[D]]
  // CHECK-NEXT:  llvm.call @mgpuStreamSynchronize(%[[S1]])
  // CHECK-NEXT:  gpu.dealloc async [%[[DONE]]] %[[E]]
  // CHECK-NEXT:  gpu.dealloc async [%[[DONE]]] %[[D]]
  // CHECK-NEXT:  llvm.call @mgpuStreamDestroy(%[[S0]])
  // CHECK-NEXT:  llvm.call @mgpuStreamDestroy(%[[S1]])
  // CHECK-NEXT:  return
  func.func @transfers_and_kernel(%h0: memref<8xi32>, %h1: memref<8xi32>, %h2: memref<8xi32>) {
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %d = gpu.alloc () : memref<8xi32>
    gpu.memcpy %d, %h0 : memref<8xi32>, memref<8xi32>
    %e = gpu.alloc () : memref<8xi32>
    gpu.memcpy %e, %h1 : memref<8xi32>, memref<8xi32>
    gpu.launch_func @kernels::@accumulate blocks in (%c1, %c1, %c1) threads in (%c8, %c1, %c1) args(%d : memref<8xi32>, %e : memref<8xi32>)
    gpu.memcpy %h2, %d : memref<8xi32>, memref<8xi32>
    gpu.dealloc %e : memref<8xi32>
    gpu.dealloc %d : memref<8xi32>
    return
  }

  // Kernels that only read a buffer do so side by side; one event serves two streams, and is
  // destroyed when the last has it.
  // CHECK-LABEL: func.func @read_by_three(
  // CHECK:       gpu.memset async [%[[T0:.*]]] %arg3
  // CHECK-NEXT:  %[[EVENT:.*]] = llvm.call @mgpuEventCreate()
  // CHECK-NEXT:  llvm.call @mgpuEventRecord(%[[EVENT]], %[[S0:[0-9]+]])
  // CHECK-NEXT:  gpu.launch_func async [%[[T0]]]
  // CHECK-NEXT:  llvm.call @mgpuStreamWaitEvent(%[[S1:[0-9]+]], %[[EVENT]])
  // CHECK-NEXT:  gpu.launch_func async
  // CHECK-NEXT:  llvm.call @mgpuStreamWaitEvent(%[[S2:[0-9]+]], %[[EVENT]])
  // CHECK-NEXT:  llvm.call @mgpuEventDestroy(%[[EVENT]])
  // CHECK-NEXT:  gpu.launch_func async
  // CHECK-NEXT:  llvm.call @mgpuStreamSynchronize(%[[S2]])
  // CHECK-NEXT:  llvm.call @mgpuStreamSynchronize(%[[S1]])
  // CHECK-NEXT:  llvm.call @mgpuStreamSynchronize(%[[S0]])
  func.func @read_by_three(%a: memref<8xi32> {llvm.noalias}, %b: memref<8xi32> {llvm.noalias}, %c: memref<8xi32> {llvm.noalias}, %in: memref<8xi32> {llvm.noalias}, %v: i32) {
    %c1 = arith.constant 1 : index
    gpu.memset %in, %v : memref<8xi32>, i32
    gpu.launch_func @kernels::@accumulate blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<8xi32>, %in : memref<8xi32>)
    gpu.launch_func @kernels::@accumulate blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%b : memref<8xi32>, %in : memref<8xi32>)
    gpu.launch_func @kernels::@accumulate blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%c : memref<8xi32>, %in : memref<8xi32>)
    return
  }

  // Nothing promises that arguments are different memory.
  // CHECK-LABEL: func.func @may_be_the_same(
  // CHECK:       gpu.memset async [%[[T:[0-9]+]]]
  // CHECK-NEXT:  gpu.memset async [%[[T]]]
  // CHECK-NEXT:  llvm.call @mgpuStreamSynchronize
  func.func @may_be_the_same(%a: memref<8xi32>, %b: memref<8xi32>, %v: i32) {
    gpu.memset %a, %v : memref<8xi32>, i32
    gpu.memset %b, %v : memref<8xi32>, i32
    return
  }

  // The author's tokens: two chains are two streams, a join is an event.
  // CHECK-LABEL: func.func @tokens(
  // CHECK:       gpu.memset async [%[[T0:.*]]] %arg0
  // CHECK-NEXT:  %[[EVENT:.*]] = llvm.call @mgpuEventCreate()
  // CHECK-NEXT:  llvm.call @mgpuEventRecord(%[[EVENT]], %[[S0:[0-9]+]])
  // CHECK-NEXT:  gpu.memset async [%[[T1:.*]]] %arg1
  // CHECK-NEXT:  llvm.call @mgpuStreamWaitEvent(%[[S1:[0-9]+]], %[[EVENT]])
  // CHECK-NEXT:  llvm.call @mgpuEventDestroy(%[[EVENT]])
  // CHECK-NEXT:  gpu.memset async [%[[T1]]] %arg0
  // CHECK-NEXT:  llvm.call @mgpuStreamSynchronize(%[[S1]])
  // CHECK-NEXT:  llvm.call @mgpuStreamDestroy(%[[S0]])
  // CHECK-NEXT:  llvm.call @mgpuStreamDestroy(%[[S1]])
  // CHECK-NEXT:  return
  func.func @tokens(%a: memref<8xi32>, %b: memref<8xi32>, %v: i32) {
    %t0 = gpu.wait async
    %t1 = gpu.memset async [%t0] %a, %v : memref<8xi32>, i32
    %t2 = gpu.memset async [%t0] %b, %v : memref<8xi32>, i32
    %t3 = gpu.wait async [%t1, %t2]
    %t4 = gpu.memset async [%t3] %a, %v : memref<8xi32>, i32
    gpu.wait [%t4]
    return
  }

  // The host waits for what it looks at, when it looks.
  // CHECK-LABEL: func.func @host_looks(
  // CHECK:       gpu.memcpy async [%{{.*}}] %[[OUT0:.*]], %arg0
  // CHECK-NEXT:  gpu.memcpy async [%{{.*}}] %[[OUT1:.*]], %arg1
  // CHECK-NEXT:  arith.addi
  // CHECK-NEXT:  memref.load %arg2
  // CHECK-NEXT:  llvm.call @mgpuStreamSynchronize(%[[S0:.*]])
  // CHECK-NEXT:  memref.load %[[OUT0]]
  // CHECK-NEXT:  llvm.call @mgpuStreamSynchronize(%[[S1:.*]])
  // CHECK-NEXT:  memref.load %[[OUT1]]
  // CHECK-NOT:   mgpuStreamSynchronize
  // CHECK:       return
  func.func @host_looks(%d: memref<8xi32>, %e: memref<8xi32>, %h: memref<8xi32> {llvm.noalias}, %i: index) -> (i32, i32, i32) {
    %out0 = memref.alloc() : memref<8xi32>
    %out1 = memref.alloc() : memref<8xi32>
    gpu.memcpy %out0, %d : memref<8xi32>, memref<8xi32>
    gpu.memcpy %out1, %e : memref<8xi32>, memref<8xi32>
    %j = arith.addi %i, %i : index
    %x = memref.load %h[%j] : memref<8xi32>
    %y = memref.load %out0[%j] : memref<8xi32>
    %z = memref.load %out1[%j] : memref<8xi32>
    memref.dealloc %out0 : memref<8xi32>
    memref.dealloc %out1 : memref<8xi32>
    return %x, %y, %z : i32, i32, i32
  }

  // What the author let go on beside the host goes on; a call may look at what is waited for.
  // CHECK-LABEL: func.func @beside_the_host(
  // CHECK:       gpu.memcpy async
  // CHECK-NEXT:  call @host
  // CHECK-NEXT:  gpu.memcpy async
  // CHECK-NEXT:  llvm.call @mgpuStreamSynchronize
  // CHECK-NEXT:  call @host
  // CHECK-NEXT:  llvm.call @mgpuStreamDestroy
  func.func @beside_the_host(%h: memref<8xi32>, %d: memref<8xi32>) {
    %t0 = gpu.memcpy async %h, %d : memref<8xi32>, memref<8xi32>
    call @host() : () -> ()
    %t1 = gpu.memcpy async [%t0] %h, %d : memref<8xi32>, memref<8xi32>
    gpu.wait [%t1]
    call @host() : () -> ()
    return
  }
  func.func private @host()

  // A free comes after every use, whatever its token says.
  // CHECK-LABEL: func.func @freed_too_early(
  // CHECK:       gpu.memcpy async
  // CHECK-NEXT:  llvm.call @mgpuStreamSynchronize
  // CHECK-NEXT:  gpu.dealloc async
  // CHECK-NEXT:  llvm.call @mgpuStreamDestroy
  func.func @freed_too_early(%h: memref<8xi32>) {
    %d, %t0 = gpu.alloc async () : memref<8xi32>
    %t1 = gpu.memcpy async [%t0] %d, %h : memref<8xi32>, memref<8xi32>
    %t2 = gpu.dealloc async [%t0] %d : memref<8xi32>
    gpu.wait [%t2]
    return
  }

  // Nothing is in flight when a turn ends, so a loop needs no more memory than a turn.
  // CHECK-LABEL: func.func @turns(
  // CHECK:       scf.for
  // CHECK:         gpu.alloc async
  // CHECK-NEXT:    gpu.memcpy async
  // CHECK-NEXT:    llvm.call @mgpuStreamSynchronize
  // CHECK-NEXT:    gpu.dealloc async
  // CHECK-NEXT:  }
  // CHECK-NEXT:  llvm.call @mgpuStreamDestroy
  // CHECK-NEXT:  return
  func.func @turns(%h: memref<8xi32>, %n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      %d = gpu.alloc () : memref<8xi32>
      gpu.memcpy %d, %h : memref<8xi32>, memref<8xi32>
      gpu.dealloc %d : memref<8xi32>
    }
    return
  }

  // Every path destroys the streams; tokens that cross blocks are complete.
  // CHECK-LABEL: func.func @two_returns(
  // CHECK:       %[[S:.*]] = llvm.call @mgpuStreamCreate()
  // CHECK-NOT:   mgpuStreamCreate
  // CHECK:       llvm.call @mgpuStreamSynchronize(%[[S]])
  // CHECK-NEXT:  cf.cond_br
  // CHECK:       gpu.memset async
  // CHECK-NEXT:  llvm.call @mgpuStreamSynchronize(%[[S]])
  // CHECK-NEXT:  llvm.call @mgpuStreamDestroy(%[[S]])
  // CHECK-NEXT:  return
  // CHECK:       llvm.call @mgpuStreamDestroy(%[[S]])
  // CHECK-NEXT:  return
  func.func @two_returns(%d: memref<8xi32>, %v: i32, %p: i1) {
    %t0 = gpu.memset async %d, %v : memref<8xi32>, i32
    cf.cond_br %p, ^bb1(%t0 : !gpu.async.token), ^bb2
  ^bb1(%t1: !gpu.async.token):
    %t2 = gpu.memset async [%t1] %d, %v : memref<8xi32>, i32
    gpu.wait [%t2]
    return
  ^bb2:
    return
  }

  // A branch without device operations, which looks at other memory, needs no wait before it.
  // CHECK-LABEL: func.func @host_branch(
  // CHECK:       gpu.memcpy async
  // CHECK-NEXT:  scf.if
  // CHECK:       llvm.call @mgpuStreamSynchronize
  // CHECK-NEXT:  scf.if
  func.func @host_branch(%d: memref<8xi32>, %h: memref<8xi32> {llvm.noalias}, %v: i32, %i: index, %p: i1) {
    %out = memref.alloc() : memref<8xi32>
    gpu.memcpy %out, %d : memref<8xi32>, memref<8xi32>
    scf.if %p {
      memref.store %v, %h[%i] : memref<8xi32>
    }
    scf.if %p {
      memref.store %v, %out[%i] : memref<8xi32>
    }
    memref.dealloc %out : memref<8xi32>
    return
  }

  // CHECK-LABEL: func.func @host_only(
  // CHECK-NOT:   llvm.call
  // CHECK:       return
  func.func @host_only(%h: memref<8xi32>, %i: index) -> i32 {
    %x = memref.load %h[%i] : memref<8xi32>
    return %x : i32
  }
}
