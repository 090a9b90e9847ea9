// What every call passes a private function, and nothing may write, is a constant there: its device copy is kept.
// RUN: mmtune-opt %s --convert-memcpy-to-gpu -verify-diagnostics | FileCheck %s

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @copy(%in: memref<64xf32>, %out: memref<64xf32>) kernel {
      %i = gpu.thread_id x
      %x = memref.load %in[%i] : memref<64xf32>
      memref.store %x, %out[%i] : memref<64xf32>
      gpu.return
    }
  }
  memref.global "private" constant @weight : memref<64xf32> = dense<1.0>
  memref.global "private" constant @other : memref<64xf32> = dense<2.0>
  memref.global "private" @state : memref<64xf32> = dense<3.0>

  // The weight goes through two functions, one of which calls itself.
  // CHECK-LABEL: func.func private @layer(
  // CHECK-SAME:    %{{[^:]*}}: memref<64xf32>, %{{[^:]*}}: i1)
  // CHECK:         %[[W:.*]] = memref.get_global @weight : memref<64xf32> {mmtune.device_constant}
  // CHECK:         gpu.launch_func @kernels::@copy {{.*}} args(%[[W]] : memref<64xf32>
  // CHECK:         call @layer(
  func.func private @layer(%w: memref<64xf32>, %out: memref<64xf32>, %again: i1) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @kernels::@copy blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%w : memref<64xf32>, %out : memref<64xf32>)
    cf.cond_br %again, ^more, ^done
  ^more:
    %no = arith.constant false
    call @layer(%w, %out, %no) : (memref<64xf32>, memref<64xf32>, i1) -> ()
    cf.br ^done
  ^done:
    return
  }
  func.func private @through(%w: memref<64xf32>, %out: memref<64xf32>, %again: i1) {
    call @layer(%w, %out, %again) : (memref<64xf32>, memref<64xf32>, i1) -> ()
    return
  }
  func.func @calls(%out: memref<64xf32>, %again: i1) {
    %w = memref.get_global @weight : memref<64xf32>
    call @through(%w, %out, %again) : (memref<64xf32>, memref<64xf32>, i1) -> ()
    %v = memref.get_global @weight : memref<64xf32>
    call @through(%v, %out, %again) : (memref<64xf32>, memref<64xf32>, i1) -> ()
    return
  }

  // Two constants: which one it is, only the call knows.
  // CHECK-LABEL: func.func private @either(
  // CHECK-SAME:    %[[W:[^:]*]]: memref<64xf32>
  // CHECK:         gpu.memcpy {{.*}}, %[[W]]
  func.func private @either(%w: memref<64xf32>, %out: memref<64xf32>) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @kernels::@copy blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%w : memref<64xf32>, %out : memref<64xf32>)
    return
  }
  func.func @calls_with_both(%out: memref<64xf32>) {
    %w = memref.get_global @weight : memref<64xf32>
    // expected-remark @below {{argument 0 is a constant that is copied to the device in each call: @either is not inlined, and may write it or is passed other memory elsewhere}}
    call @either(%w, %out) : (memref<64xf32>, memref<64xf32>) -> ()
    %v = memref.get_global @other : memref<64xf32>
    // expected-remark @below {{argument 0 is a constant that is copied}}
    call @either(%v, %out) : (memref<64xf32>, memref<64xf32>) -> ()
    return
  }

  // A global that may be written is none.
  // CHECK-LABEL: func.func private @of_state(
  // CHECK-SAME:    %[[W:[^:]*]]: memref<64xf32>
  // CHECK:         gpu.memcpy {{.*}}, %[[W]]
  func.func private @of_state(%w: memref<64xf32>, %out: memref<64xf32>) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @kernels::@copy blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%w : memref<64xf32>, %out : memref<64xf32>)
    return
  }
  func.func @calls_with_state(%out: memref<64xf32>) {
    %w = memref.get_global @state : memref<64xf32>
    call @of_state(%w, %out) : (memref<64xf32>, memref<64xf32>) -> ()
    return
  }

  // What others may call is given anything.
  // CHECK-LABEL: func.func @public(
  // CHECK-SAME:    %[[W:[^:]*]]: memref<64xf32>
  // CHECK:         gpu.memcpy {{.*}}, %[[W]]
  func.func @public(%w: memref<64xf32>, %out: memref<64xf32>) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @kernels::@copy blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%w : memref<64xf32>, %out : memref<64xf32>)
    return
  }
  func.func @calls_public(%out: memref<64xf32>) {
    %w = memref.get_global @weight : memref<64xf32>
    call @public(%w, %out) : (memref<64xf32>, memref<64xf32>) -> ()
    return
  }

  // The attributes of the call go with the argument.
  // CHECK-LABEL: func.func private @with_attributes(
  // CHECK-SAME:    %{{[^:]*}}: memref<64xf32> {llvm.noundef})
  // CHECK-LABEL: func.func @calls_with_attributes(
  // CHECK:         call @with_attributes(%{{[^:,]*}}) {arg_attrs = [{llvm.noundef}]} : (memref<64xf32>) -> ()
  func.func private @with_attributes(%w: memref<64xf32> {llvm.noalias}, %out: memref<64xf32> {llvm.noundef}) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @kernels::@copy blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%w : memref<64xf32>, %out : memref<64xf32>)
    return
  }
  func.func @calls_with_attributes(%out: memref<64xf32>) {
    %w = memref.get_global @weight : memref<64xf32>
    call @with_attributes(%w, %out) {arg_attrs = [{llvm.noalias}, {llvm.noundef}]} : (memref<64xf32>, memref<64xf32>) -> ()
    return
  }
  func.func private @with_too_few(%out: memref<64xf32>, %w: memref<64xf32>) {
    return
  }
  func.func @calls_with_too_few(%out: memref<64xf32>) {
    %w = memref.get_global @weight : memref<64xf32>
    call @with_too_few(%out, %w) {arg_attrs = [{}]} : (memref<64xf32>, memref<64xf32>) -> ()
    return
  }

  // What a function may write stays its argument, and is copied back; so does it in one that passes it there.
  // CHECK-LABEL: func.func private @writes(
  // CHECK-SAME:    %[[IN:[^:]*]]: memref<64xf32>, %[[W:[^:]*]]: memref<64xf32>)
  // CHECK:         gpu.launch_func @kernels::@copy {{.*}} args(%{{[^:]*}} : memref<64xf32>, %[[D:[^:]*]] : memref<64xf32>)
  // CHECK:         gpu.memcpy %[[W]], %[[D]]
  // CHECK-LABEL: func.func private @passes_on(
  // CHECK-SAME:    %[[IN:[^:]*]]: memref<64xf32>, %[[W:[^:]*]]: memref<64xf32>)
  // CHECK:         call @writes(%[[IN]], %[[W]])
  func.func private @writes(%in: memref<64xf32>, %w: memref<64xf32>) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @kernels::@copy blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%in : memref<64xf32>, %w : memref<64xf32>)
    return
  }
  func.func private @passes_on(%in: memref<64xf32>, %w: memref<64xf32>) {
    call @writes(%in, %w) : (memref<64xf32>, memref<64xf32>) -> ()
    return
  }
  // CHECK-LABEL: func.func @calls_what_writes(
  // CHECK:         call @passes_on(%{{.*}}, %{{.*}}) : (memref<64xf32>, memref<64xf32>) -> ()
  func.func @calls_what_writes(%in: memref<64xf32>) {
    %w = memref.get_global @weight : memref<64xf32>
    call @passes_on(%in, %w) : (memref<64xf32>, memref<64xf32>) -> ()
    return
  }

  // The host writes it, returns it, or hands it to what is not known here.
  // CHECK-LABEL: func.func private @stores(
  // CHECK-SAME:    %{{[^:]*}}: memref<64xf32>)
  func.func private @stores(%w: memref<64xf32>) {
    %c0 = arith.constant 0 : index
    %x = memref.load %w[%c0] : memref<64xf32>
    memref.store %x, %w[%c0] : memref<64xf32>
    return
  }
  // CHECK-LABEL: func.func private @returns(
  // CHECK-SAME:    %{{[^:]*}}: memref<64xf32>) -> memref<64xf32>
  func.func private @returns(%w: memref<64xf32>) -> memref<64xf32> {
    return %w : memref<64xf32>
  }
  // CHECK-LABEL: func.func private @hands_over(
  // CHECK-SAME:    %{{[^:]*}}: memref<64xf32>)
  func.func private @hands_over(%w: memref<64xf32>) {
    call @elsewhere(%w) : (memref<64xf32>) -> ()
    return
  }
  func.func private @elsewhere(memref<64xf32>)
  // What only loads it knows it.
  // CHECK-LABEL: func.func private @loads() -> f32
  func.func private @loads(%w: memref<64xf32>) -> f32 {
    %c0 = arith.constant 0 : index
    %x = memref.load %w[%c0] : memref<64xf32>
    return %x : f32
  }
  func.func @calls_hosts() -> f32 {
    %w = memref.get_global @weight : memref<64xf32>
    call @stores(%w) : (memref<64xf32>) -> ()
    %r = call @returns(%w) : (memref<64xf32>) -> memref<64xf32>
    call @hands_over(%w) : (memref<64xf32>) -> ()
    %x = call @loads(%w) : (memref<64xf32>) -> f32
    return %x : f32
  }
}
