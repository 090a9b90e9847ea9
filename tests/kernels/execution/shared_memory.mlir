// Kernels whose shared buffers take the same space one after another: right only with the barriers in between.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    // data[i] = data[63 - i] + 3 * data[i + 1 mod 64], by way of two buffers.
    gpu.func @two_steps(%data: memref<64xi32>) kernel {
      %i = gpu.thread_id x
      %one = arith.constant 1 : index
      %last = arith.constant 63 : index
      %three = arith.constant 3 : i32
      %mirrored = arith.subi %last, %i : index
      %plus = arith.addi %i, %one : index
      %next = arith.andi %plus, %last : index
      %v = memref.load %data[%i] : memref<64xi32>
      %a = memref.alloc() : memref<64xi32, 3>
      memref.store %v, %a[%i] : memref<64xi32, 3>
      gpu.barrier
      %x = memref.load %a[%mirrored] : memref<64xi32, 3>
      memref.dealloc %a : memref<64xi32, 3>
      %b = memref.alloc() : memref<64xi32, 3>
      %scaled = arith.muli %v, %three : i32
      memref.store %scaled, %b[%i] : memref<64xi32, 3>
      gpu.barrier
      %y = memref.load %b[%next] : memref<64xi32, 3>
      %sum = arith.addi %x, %y : i32
      memref.store %sum, %data[%i] : memref<64xi32>
      gpu.return
    }

    // The same for %turns turns, the value kept in a register; the barrier between turns is the pass's too.
    gpu.func @many_turns(%data: memref<64xi32>, %turns: index) kernel {
      %i = gpu.thread_id x
      %zero = arith.constant 0 : index
      %one = arith.constant 1 : index
      %last = arith.constant 63 : index
      %three = arith.constant 3 : i32
      %mirrored = arith.subi %last, %i : index
      %plus = arith.addi %i, %one : index
      %next = arith.andi %plus, %last : index
      %first = memref.load %data[%i] : memref<64xi32>
      %result = scf.for %turn = %zero to %turns step %one iter_args(%v = %first) -> (i32) {
        %a = memref.alloc() : memref<64xi32, 3>
        memref.store %v, %a[%i] : memref<64xi32, 3>
        gpu.barrier
        %x = memref.load %a[%mirrored] : memref<64xi32, 3>
        memref.dealloc %a : memref<64xi32, 3>
        %b = memref.alloc() : memref<64xi32, 3>
        %scaled = arith.muli %v, %three : i32
        memref.store %scaled, %b[%i] : memref<64xi32, 3>
        gpu.barrier
        %y = memref.load %b[%next] : memref<64xi32, 3>
        memref.dealloc %b : memref<64xi32, 3>
        %sum = arith.addi %x, %y : i32
        scf.yield %sum : i32
      }
      memref.store %result, %data[%i] : memref<64xi32>
      gpu.return
    }
  }

  func.func @two_steps(%data: memref<64xi32>) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    gpu.launch_func @kernels::@two_steps blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%data : memref<64xi32>)
    return
  }

  func.func @many_turns(%data: memref<64xi32>, %turns: index) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    gpu.launch_func @kernels::@many_turns blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
        args(%data : memref<64xi32>, %turns : index)
    return
  }
}
