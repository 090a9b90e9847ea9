// Reductions over a block that is not made of whole warps, over parts of warps, and in a loop.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @reduce(%in: memref<72xf32>, %block: memref<72xf32>, %warp: memref<72xf32>, %least: memref<72xi32>)
        kernel attributes {known_block_size = array<i32: 12, 3, 2>} {
      %c12 = arith.constant 12 : index
      %c36 = arith.constant 36 : index
      %x = gpu.thread_id x
      %y = gpu.thread_id y
      %z = gpu.thread_id z
      %row = arith.muli %y, %c12 : index
      %plane = arith.muli %z, %c36 : index
      %xy = arith.addi %x, %row : index
      %t = arith.addi %xy, %plane : index
      %v = memref.load %in[%t] : memref<72xf32>
      %sum = gpu.all_reduce add %v uniform {} : (f32) -> (f32)
      memref.store %sum, %block[%t] : memref<72xf32>
      %largest = gpu.subgroup_reduce maximumf %v cluster(size = 8) : (f32) -> f32
      memref.store %largest, %warp[%t] : memref<72xf32>
      %i = arith.fptosi %v : f32 to i32
      %smallest = gpu.all_reduce %i {
      ^bb(%a: i32, %b: i32):
        %min = arith.minsi %a, %b : i32
        gpu.yield %min : i32
      } : (i32) -> (i32)
      memref.store %smallest, %least[%t] : memref<72xi32>
      gpu.return
    }
    gpu.func @turns(%out: memref<72xf32>) kernel attributes {known_block_size = array<i32: 72, 1, 1>} {
      %zero = arith.constant 0 : index
      %one = arith.constant 1 : index
      %three = arith.constant 3 : index
      %x = gpu.thread_id x
      %v = memref.load %out[%x] : memref<72xf32>
      %sum = scf.for %i = %zero to %three step %one iter_args(%total = %v) -> f32 {
        %largest = gpu.all_reduce maximumf %total uniform {} : (f32) -> (f32)
        %next = arith.addf %total, %largest : f32
        scf.yield %next : f32
      }
      memref.store %sum, %out[%x] : memref<72xf32>
      gpu.return
    }
  }
  func.func @main(%in: memref<72xf32>, %block: memref<72xf32>, %warp: memref<72xf32>, %least: memref<72xi32>,
                  %turns: memref<72xf32>) {
    %one = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c12 = arith.constant 12 : index
    %c72 = arith.constant 72 : index
    gpu.launch_func @kernels::@reduce blocks in (%one, %one, %one) threads in (%c12, %c3, %c2)
        args(%in : memref<72xf32>, %block : memref<72xf32>, %warp : memref<72xf32>, %least : memref<72xi32>)
    gpu.launch_func @kernels::@turns blocks in (%one, %one, %one) threads in (%c72, %one, %one)
        args(%turns : memref<72xf32>)
    return
  }
}
