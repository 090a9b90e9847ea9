// Which buffers share space, and the barriers between them.
// RUN: mmtune-opt %s --shared-alloc-to-dynamic --split-input-file | FileCheck %s

#wg = #gpu.address_space<workgroup>

// The second buffer takes the place of the first, behind a barrier of the pass; the launch gets the larger size.
// CHECK-LABEL: gpu.func @one_after_another(
// CHECK-NEXT:  gpu.dynamic_shared_memory
// CHECK-NEXT:  %[[O0:.*]] = arith.constant 0 : index
// CHECK-NEXT:  %[[A:.*]] = memref.view %{{.*}}[%[[O0]]][] : {{.*}} to memref<64xf32
// CHECK-NEXT:  %[[O1:.*]] = arith.constant 0 : index
// CHECK-NEXT:  %[[B:.*]] = memref.view %{{.*}}[%[[O1]]][] : {{.*}} to memref<128xf32
// CHECK:       memref.store %{{.*}}, %[[A]]
// CHECK-NEXT:  gpu.barrier
// CHECK-NEXT:  memref.load %[[A]]
// CHECK-NEXT:  gpu.barrier
// CHECK-NEXT:  memref.store %{{.*}}, %[[B]]
// CHECK-NOT:   gpu.barrier
// CHECK:       gpu.return
// CHECK:       %[[BYTES:.*]] = arith.constant 512 : i32
// CHECK:       dynamic_shared_memory_size %[[BYTES]]
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @one_after_another(%v: f32) kernel {
      %t = gpu.thread_id x
      %a = memref.alloc() : memref<64xf32, #wg>
      memref.store %v, %a[%t] : memref<64xf32, #wg>
      gpu.barrier
      %x = memref.load %a[%t] : memref<64xf32, #wg>
      memref.dealloc %a : memref<64xf32, #wg>
      %b = memref.alloc() : memref<128xf32, #wg>
      memref.store %x, %b[%t] : memref<128xf32, #wg>
      memref.dealloc %b : memref<128xf32, #wg>
      gpu.return
    }
  }
  func.func @host(%v: f32) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @kernels::@one_after_another blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%v : f32)
    return
  }
}

// -----

#wg = #gpu.address_space<workgroup>

gpu.module @kernels {
  // The program's own barrier is enough.
  // CHECK-LABEL: gpu.func @separated_already(
  // CHECK:       memref.store
  // CHECK-NEXT:  gpu.barrier
  // CHECK-NEXT:  memref.store
  // CHECK-NEXT:  gpu.return
  gpu.func @separated_already(%v: f32) kernel {
    %t = gpu.thread_id x
    %a = memref.alloc() : memref<64xf32, #wg>
    %b = memref.alloc() : memref<64xf32, #wg>
    memref.store %v, %a[%t] : memref<64xf32, #wg>
    gpu.barrier
    memref.store %v, %b[%t] : memref<64xf32, #wg>
    gpu.return
  }

  // In use together: 256 bytes each.
  // CHECK-LABEL: gpu.func @together(
  // CHECK:       arith.constant 0 : index
  // CHECK:       arith.constant 256 : index
  // CHECK-NOT:   gpu.barrier
  // CHECK:       gpu.return
  gpu.func @together(%v: f32) kernel {
    %t = gpu.thread_id x
    %a = memref.alloc() : memref<64xf32, #wg>
    %b = memref.alloc() : memref<64xf32, #wg>
    memref.store %v, %a[%t] : memref<64xf32, #wg>
    memref.store %v, %b[%t] : memref<64xf32, #wg>
    %x = memref.load %a[%t] : memref<64xf32, #wg>
    gpu.return
  }

  // A view's use is a use.
  // CHECK-LABEL: gpu.func @through_views(
  // CHECK:       arith.constant 0 : index
  // CHECK:       arith.constant 256 : index
  // CHECK-NOT:   gpu.barrier
  // CHECK:       gpu.return
  gpu.func @through_views(%v: f32) kernel {
    %t = gpu.thread_id x
    %a = memref.alloc() : memref<64xf32, #wg>
    %b = memref.alloc() : memref<64xf32, #wg>
    %part = memref.subview %a[%t] [8] [1] : memref<64xf32, #wg> to memref<8xf32, strided<[1], offset: ?>, #wg>
    %any = memref.cast %part : memref<8xf32, strided<[1], offset: ?>, #wg> to memref<?xf32, strided<[1], offset: ?>, #wg>
    memref.store %v, %a[%t] : memref<64xf32, #wg>
    memref.store %v, %b[%t] : memref<64xf32, #wg>
    memref.store %v, %any[%t] : memref<?xf32, strided<[1], offset: ?>, #wg>
    gpu.return
  }

  // The largest is placed first; the small ones, which are in use one after another, share a place behind it.
  // CHECK-LABEL: gpu.func @packed(
  // CHECK:       %[[O0:.*]] = arith.constant 4096 : index
  // CHECK-NEXT:  memref.view %{{.*}}[%[[O0]]][] : {{.*}} to memref<8xf32
  // CHECK:       %[[O1:.*]] = arith.constant 0 : index
  // CHECK-NEXT:  memref.view %{{.*}}[%[[O1]]][] : {{.*}} to memref<1024xf32
  // CHECK:       %[[O2:.*]] = arith.constant 4096 : index
  // CHECK-NEXT:  memref.view %{{.*}}[%[[O2]]][] : {{.*}} to memref<16xf32
  gpu.func @packed(%v: f32) kernel {
    %t = gpu.thread_id x
    %small = memref.alloc() : memref<8xf32, #wg>
    %large = memref.alloc() : memref<1024xf32, #wg>
    %medium = memref.alloc() : memref<16xf32, #wg>
    memref.store %v, %large[%t] : memref<1024xf32, #wg>
    memref.store %v, %small[%t] : memref<8xf32, #wg>
    memref.store %v, %medium[%t] : memref<16xf32, #wg>
    memref.store %v, %large[%t] : memref<1024xf32, #wg>
    gpu.return
  }

  // An attribution has a life as well.
  // CHECK-LABEL: gpu.func @attribution(
  // CHECK-SAME:    %{{.*}}: f32) kernel
  // CHECK:       %[[O0:.*]] = arith.constant 0 : index
  // CHECK-NEXT:  memref.view %{{.*}}[%[[O0]]][]
  // CHECK:       %[[O1:.*]] = arith.constant 0 : index
  // CHECK-NEXT:  memref.view %{{.*}}[%[[O1]]][]
  // CHECK:       memref.store
  // CHECK-NEXT:  gpu.barrier
  // CHECK-NEXT:  memref.store
  gpu.func @attribution(%v: f32) workgroup(%s: memref<64xf32, #wg>) kernel {
    %t = gpu.thread_id x
    memref.store %v, %s[%t] : memref<64xf32, #wg>
    %b = memref.alloc() : memref<64xf32, #wg>
    memref.store %v, %b[%t] : memref<64xf32, #wg>
    gpu.return
  }
}

// -----

#wg = #gpu.address_space<workgroup>

gpu.module @kernels {
  // In a loop a barrier stands on either side: between the two, and between turns. They are enough for each buffer's
  // own turns too.
  // CHECK-LABEL: gpu.func @in_a_loop(
  // CHECK:       arith.constant 0 : index
  // CHECK:       arith.constant 0 : index
  // CHECK:       scf.for
  // CHECK-NEXT:    gpu.barrier
  // CHECK-NEXT:    memref.store
  // CHECK-NEXT:    gpu.barrier
  // CHECK-NEXT:    memref.store
  // CHECK-NEXT:  }
  gpu.func @in_a_loop(%v: f32, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %t = gpu.thread_id x
    scf.for %k = %c0 to %n step %c1 {
      %a = memref.alloc() : memref<64xf32, #wg>
      memref.store %v, %a[%t] : memref<64xf32, #wg>
      %b = memref.alloc() : memref<64xf32, #wg>
      memref.store %v, %b[%t] : memref<64xf32, #wg>
    }
    gpu.return
  }

  // Buffers of two loops: the barrier stands between the loops. Each loop keeps its own turns apart.
  // CHECK-LABEL: gpu.func @two_loops(
  // CHECK:       arith.constant 0 : index
  // CHECK:       arith.constant 0 : index
  // CHECK:       scf.for
  // CHECK-NEXT:    memref.store
  // CHECK-NEXT:    gpu.barrier
  // CHECK-NEXT:  }
  // CHECK-NEXT:  gpu.barrier
  // CHECK-NEXT:  scf.for
  // CHECK-NEXT:    gpu.barrier
  // CHECK-NEXT:    memref.store
  // CHECK-NEXT:  }
  gpu.func @two_loops(%v: f32, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %t = gpu.thread_id x
    scf.for %k = %c0 to %n step %c1 {
      %a = memref.alloc() : memref<64xf32, #wg>
      memref.store %v, %a[%t] : memref<64xf32, #wg>
      gpu.barrier
    }
    scf.for %k = %c0 to %n step %c1 {
      %b = memref.alloc() : memref<64xf32, #wg>
      memref.store %v, %b[%t] : memref<64xf32, #wg>
    }
    gpu.return
  }

  // Threads may go different ways: no barrier can be placed, so nothing is shared.
  // CHECK-LABEL: gpu.func @divergent(
  // CHECK:       arith.constant 0 : index
  // CHECK:       arith.constant 256 : index
  // CHECK-NOT:   gpu.barrier
  // CHECK:       gpu.return
  gpu.func @divergent(%v: f32, %n: index) kernel {
    %t = gpu.thread_id x
    %first = arith.cmpi ult, %t, %n : index
    scf.if %first {
      %a = memref.alloc() : memref<64xf32, #wg>
      memref.store %v, %a[%t] : memref<64xf32, #wg>
      %b = memref.alloc() : memref<64xf32, #wg>
      memref.store %v, %b[%t] : memref<64xf32, #wg>
    }
    gpu.return
  }

  // The same where the condition is one of the block, and where a barrier says that all threads come by.
  // CHECK-LABEL: gpu.func @uniform(
  // CHECK:       arith.constant 0 : index
  // CHECK:       arith.constant 0 : index
  // CHECK:       scf.if
  // CHECK-NEXT:    memref.store
  // CHECK-NEXT:    gpu.barrier
  // CHECK-NEXT:    memref.store
  gpu.func @uniform(%v: f32, %n: index) kernel {
    %t = gpu.thread_id x
    %block = gpu.block_id x
    %first = arith.cmpi ult, %block, %n : index
    scf.if %first {
      %a = memref.alloc() : memref<64xf32, #wg>
      memref.store %v, %a[%t] : memref<64xf32, #wg>
      %b = memref.alloc() : memref<64xf32, #wg>
      memref.store %v, %b[%t] : memref<64xf32, #wg>
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @a_barrier_says_so(
  // CHECK:       arith.constant 0 : index
  // CHECK:       arith.constant 0 : index
  // CHECK:       scf.if
  // CHECK-NEXT:    memref.store
  // CHECK-NEXT:    gpu.barrier
  // CHECK-NEXT:    memref.load
  // CHECK-NEXT:    gpu.barrier
  // CHECK-NEXT:    memref.store
  gpu.func @a_barrier_says_so(%v: f32, %flags: memref<1xi1>) kernel {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %flag = memref.load %flags[%c0] : memref<1xi1>
    scf.if %flag {
      %a = memref.alloc() : memref<64xf32, #wg>
      memref.store %v, %a[%t] : memref<64xf32, #wg>
      gpu.barrier
      %x = memref.load %a[%c0] : memref<64xf32, #wg>
      %b = memref.alloc() : memref<64xf32, #wg>
      memref.store %x, %b[%t] : memref<64xf32, #wg>
    }
    gpu.return
  }

  // What becomes another value, or is written behind the program's back, shares with no other.
  // CHECK-LABEL: gpu.func @selected(
  // CHECK:       arith.constant 0 : index
  // CHECK:       arith.constant 256 : index
  // CHECK:       arith.constant 512 : index
  // CHECK-NOT:   gpu.barrier
  // CHECK:       gpu.return
  gpu.func @selected(%v: f32, %c: i1) kernel {
    %t = gpu.thread_id x
    %a = memref.alloc() : memref<64xf32, #wg>
    %b = memref.alloc() : memref<64xf32, #wg>
    %d = memref.alloc() : memref<64xf32, #wg>
    %either = arith.select %c, %a, %b : memref<64xf32, #wg>
    memref.store %v, %d[%t] : memref<64xf32, #wg>
    memref.store %v, %either[%t] : memref<64xf32, #wg>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @copied_to(
  // CHECK:       arith.constant 0 : index
  // CHECK:       arith.constant 256 : index
  // CHECK-NOT:   gpu.barrier
  // CHECK:       gpu.return
  gpu.func @copied_to(%v: f32, %from: memref<64xf32>) kernel {
    %t = gpu.thread_id x
    %a = memref.alloc() : memref<64xf32, #wg>
    %b = memref.alloc() : memref<64xf32, #wg>
    %token = nvgpu.device_async_copy %from[%t], %a[%t], 1 : memref<64xf32> to memref<64xf32, #wg>
    memref.store %v, %b[%t] : memref<64xf32, #wg>
    gpu.return
  }
}

// -----

#wg = #gpu.address_space<workgroup>

gpu.module @kernels {
  // In a nested loop, and in a loop of blocks, a turn's barrier stands at the allocation.
  // CHECK-LABEL: gpu.func @nested(
  // CHECK:       scf.for
  // CHECK-NEXT:    scf.if
  // CHECK-NEXT:      gpu.barrier
  // CHECK-NEXT:      memref.store
  gpu.func @nested(%v: f32, %n: index, %c: i1) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %t = gpu.thread_id x
    scf.for %k = %c0 to %n step %c1 {
      scf.if %c {
        %a = memref.alloc() : memref<64xf32, #wg>
        memref.store %v, %a[%t] : memref<64xf32, #wg>
      }
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @blocks(
  // CHECK:       ^bb1(%{{.*}}: index):
  // CHECK-NEXT:    gpu.barrier
  // CHECK-NEXT:    memref.store
  // CHECK-NEXT:    gpu.barrier
  // CHECK-NEXT:    memref.load
  gpu.func @blocks(%v: f32, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %t = gpu.thread_id x
    cf.br ^bb1(%c0 : index)
  ^bb1(%i: index):
    %a = memref.alloc() : memref<64xf32, #wg>
    memref.store %v, %a[%t] : memref<64xf32, #wg>
    gpu.barrier
    %x = memref.load %a[%c0] : memref<64xf32, #wg>
    %next = arith.addi %i, %c1 : index
    %more = arith.cmpi ult, %next, %n : index
    cf.cond_br %more, ^bb1(%next : index), ^bb2
  ^bb2:
    gpu.return
  }

  // Offsets are multiples of what an allocation or attribution asks for, up to 1024; the smallest fits in between.
  // CHECK-LABEL: gpu.func @alignment(
  // CHECK:       %[[O0:.*]] = arith.constant 1024 : index
  // CHECK-NEXT:  memref.view %{{.*}}[%[[O0]]][] : {{.*}} to memref<3xf64
  // CHECK:       %[[O1:.*]] = arith.constant 0 : index
  // CHECK-NEXT:  memref.view %{{.*}}[%[[O1]]][] : {{.*}} to memref<8xf32
  // CHECK:       %[[O2:.*]] = arith.constant 512 : index
  // CHECK-NEXT:  memref.view %{{.*}}[%[[O2]]][] : {{.*}} to memref<4xf32
  gpu.func @alignment(%v: f32, %w: f64) workgroup(%c: memref<3xf64, #wg> {llvm.align = 1024 : i64}) kernel {
    %c0 = arith.constant 0 : index
    %a = memref.alloc() : memref<8xf32, #wg>
    %b = memref.alloc() {alignment = 512 : i64} : memref<4xf32, #wg>
    memref.store %w, %c[%c0] : memref<3xf64, #wg>
    memref.store %v, %a[%c0] : memref<8xf32, #wg>
    memref.store %v, %b[%c0] : memref<4xf32, #wg>
    memref.store %v, %a[%c0] : memref<8xf32, #wg>
    memref.store %w, %c[%c0] : memref<3xf64, #wg>
    gpu.return
  }
}
