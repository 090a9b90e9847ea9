// RUN: mmtune-opt %s --assert-sizes --decompose-tensors --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @softmax
// CHECK-NOT:     linalg.softmax
// CHECK:         arith.maxnumf
// CHECK:         math.exp
// CHECK:         arith.divf
func.func @softmax(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %y = linalg.softmax dimension(1) ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// One operation, which never reads past the source. The first dimension is not padded: any size will do.
// CHECK-LABEL: func.func @pad(
// CHECK-SAME:    %[[X:.*]]: tensor<?x4xf32>
// CHECK:         %[[SIZE:.*]] = tensor.dim %[[X]], %{{.*}}
// CHECK:         %[[EMPTY:.*]] = tensor.empty(%[[SIZE]]) : tensor<?x7xf32>
// CHECK:         linalg.generic {{.*}} outs(%[[EMPTY]]
// CHECK:           %[[I:.*]] = linalg.index 0
// CHECK:           %[[J:.*]] = linalg.index 1
// CHECK:           %[[AT:.*]] = arith.subi %[[J]], %{{.*}}
// CHECK:           %[[INSIDE:.*]] = arith.cmpi ult, %[[AT]], %{{.*}}
// CHECK:           %[[LOW:.*]] = arith.maxsi %[[AT]]
// CHECK:           %[[HIGH:.*]] = arith.minsi %[[LOW]]
// CHECK:           %[[VALUE:.*]] = tensor.extract %[[X]][%[[I]], %[[HIGH]]]
// CHECK:           arith.select %[[INSIDE]], %[[VALUE]], %{{.*}}
func.func @pad(%x: tensor<?x4xf32>) -> tensor<?x7xf32> {
  %c = arith.constant 1.0 : f32
  %y = tensor.pad %x low[0, 2] high[0, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %c : f32
  } : tensor<?x4xf32> to tensor<?x7xf32>
  return %y : tensor<?x7xf32>
}

// -----

// Of a size that is not known there may be nothing to read: a fill and a copy.
// CHECK-LABEL: func.func @pad_unknown(
// CHECK-NOT:     tensor.pad
// CHECK:         linalg.fill
// CHECK:         tensor.insert_slice
func.func @pad_unknown(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c = arith.constant 1.0 : f32
  %y = tensor.pad %x low[2] high[1] {
  ^bb0(%i: index):
    tensor.yield %c : f32
  } : tensor<?xf32> to tensor<?xf32>
  return %y : tensor<?xf32>
}

// -----

// One operation, which never reads past a part. The other dimension may have any size.
// CHECK-LABEL: func.func @concat(
// CHECK-SAME:    %[[X:.*]]: tensor<?x3xf32>, %[[Y:.*]]: tensor<?x4xf32>
// CHECK:         %[[ALIKE:.*]] = arith.cmpi eq
// CHECK:         cf.assert %[[ALIKE]], "tensor.concat: sizes at run time do not fit"
// CHECK:         %[[ROWS:.*]] = arith.select %[[ALIKE]], %{{.*}}, %c0
// CHECK:         %[[X2:.*]] = tensor.extract_slice %[[X]][0, 0] [%[[ROWS]], 3]
// CHECK:         %[[Y2:.*]] = tensor.extract_slice %[[Y]][0, 0]
// CHECK:         %[[EMPTY:.*]] = tensor.empty(%[[ROWS]]) : tensor<?x7xf32>
// CHECK:         linalg.generic {{.*}} outs(%[[EMPTY]]
// CHECK:           %[[I:.*]] = linalg.index 0
// CHECK:           %[[J:.*]] = linalg.index 1
// CHECK:           %[[A:.*]] = tensor.extract %[[X2]][%[[I]], %{{.*}}]
// CHECK:           %[[AT:.*]] = arith.subi %[[J]], %c3
// CHECK:           %[[LOW:.*]] = arith.maxsi %[[AT]], %c0
// CHECK:           %[[HIGH:.*]] = arith.minsi %[[LOW]], %c3
// CHECK:           %[[B:.*]] = tensor.extract %[[Y2]][%[[I]], %[[HIGH]]]
// CHECK:           %[[SECOND:.*]] = arith.cmpi sge, %[[J]], %c3
// CHECK:           arith.select %[[SECOND]], %[[B]], %[[A]]
func.func @concat(%x: tensor<?x3xf32>, %y: tensor<?x4xf32>) -> tensor<?x7xf32> {
  %z = tensor.concat dim(1) %x, %y : (tensor<?x3xf32>, tensor<?x4xf32>) -> tensor<?x7xf32>
  return %z : tensor<?x7xf32>
}

// -----

// Sizes that are not known, a part without elements (which goes), many parts: a copy of each.
// CHECK-LABEL: func.func @concat_copies(
// CHECK-NOT:     linalg.generic
// CHECK-NOT:     tensor.concat
// CHECK-COUNT-7: tensor.insert_slice
func.func @concat_copies(%x: tensor<?xf32>, %y: tensor<4xf32>, %none: tensor<0xf32>) -> (tensor<?xf32>, tensor<4xf32>, tensor<20xf32>) {
  %a = tensor.concat dim(0) %x, %y : (tensor<?xf32>, tensor<4xf32>) -> tensor<?xf32>
  %b = tensor.concat dim(0) %none, %y : (tensor<0xf32>, tensor<4xf32>) -> tensor<4xf32>
  %c = tensor.concat dim(0) %y, %y, %y, %y, %y : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<20xf32>
  return %a, %b, %c : tensor<?xf32>, tensor<4xf32>, tensor<20xf32>
}

// -----

// What torch-mlir writes in every module, and nothing uses. What is loaded stays what it was.
// CHECK-NOT:   global_seed
// CHECK:       memref.global "private" @count : memref<i64> = dense<0>
// CHECK-LABEL: func.func @state(
// CHECK:         %[[MEMORY:.*]] = memref.get_global @count : memref<i64>
// CHECK:         %[[NOW:.*]] = memref.alloc() : memref<i64>
// CHECK:         memref.copy %[[MEMORY]], %[[NOW]]
// CHECK:         %[[LOADED:.*]] = bufferization.to_tensor %[[NOW]] restrict
// CHECK:         %[[TO:.*]] = memref.get_global @count : memref<i64>
// CHECK:         %[[VALUE:.*]] = bufferization.to_buffer %{{.*}} read_only
// CHECK:         memref.copy %[[VALUE]], %[[TO]]
// CHECK:         return %[[LOADED]]
ml_program.global private mutable @global_seed(dense<0> : tensor<i64>) : tensor<i64>
ml_program.global private mutable @count(dense<0> : tensor<i64>) : tensor<i64>
func.func @state(%new: tensor<i64>) -> tensor<i64> {
  %old = ml_program.global_load @count : tensor<i64>
  ml_program.global_store @count = %new : tensor<i64>
  return %old : tensor<i64>
}

// -----

// What a cast says of sizes is asked of what has them; where they are known, nothing is.
// CHECK-LABEL: func.func @casts(
// CHECK-SAME:    %[[X:.*]]: tensor<?x?xf32>, %[[N:.*]]: index
// CHECK:         %[[SIZE:.*]] = tensor.dim %[[X]], %c1
// CHECK:         %[[ALIKE:.*]] = arith.cmpi eq, %[[SIZE]], %c4
// CHECK:         cf.assert %[[ALIKE]], "tensor.cast: sizes at run time do not fit"
// CHECK:         arith.cmpi eq, %[[N]], %c8
// CHECK:         cf.assert
// CHECK-NOT:     cf.assert
func.func @casts(%x: tensor<?x?xf32>, %n: index, %y: tensor<?xf32>) -> (tensor<?x4xf32>, tensor<8xf32>, tensor<?xf32>) {
  %a = tensor.cast %x : tensor<?x?xf32> to tensor<?x4xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %exp = linalg.exp ins(%y : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %b = tensor.cast %exp : tensor<?xf32> to tensor<8xf32>
  %four = tensor.empty() : tensor<4xf32>
  %c = tensor.cast %four : tensor<4xf32> to tensor<?xf32>
  return %a, %b, %c : tensor<?x4xf32>, tensor<8xf32>, tensor<?xf32>
}

// -----

// Of a result with static sizes the parts' dynamic ones are asserted, together along the dimension.
// CHECK-LABEL: func.func @concat_static(
// CHECK:         %[[SUM:.*]] = arith.addi
// CHECK:         %[[ALL:.*]] = arith.cmpi eq, %[[SUM]], %c9
// CHECK:         cf.assert %[[ALL]], "tensor.concat: sizes at run time do not fit"
func.func @concat_static(%x: tensor<2x?xf32>, %y: tensor<2x?xf32>) -> tensor<2x9xf32> {
  %z = tensor.concat dim(1) %x, %y : (tensor<2x?xf32>, tensor<2x?xf32>) -> tensor<2x9xf32>
  return %z : tensor<2x9xf32>
}

// -----

// Elements two apart among zeros, as a transposed convolution reads them: one operation.
// CHECK-LABEL: func.func @spread(
// CHECK-SAME:    %[[X:.*]]: tensor<3x4xf32>
// CHECK:         linalg.generic {{.*}} outs(%{{.*}} : tensor<3x9xf32>)
// CHECK:           %[[I:.*]] = linalg.index 0
// CHECK:           %[[J:.*]] = linalg.index 1
// CHECK:           %[[AT:.*]] = arith.subi %[[J]], %c1
// CHECK:           %[[WITHIN:.*]] = arith.cmpi ult, %[[AT]], %c7
// CHECK:           %[[REST:.*]] = arith.remui %[[AT]], %c2
// CHECK:           %[[EVEN:.*]] = arith.cmpi eq, %[[REST]], %c0
// CHECK:           %[[INSIDE:.*]] = arith.andi %[[WITHIN]], %[[EVEN]]
// CHECK:           %[[NUMBER:.*]] = arith.divsi %[[AT]], %c2
// CHECK:           %[[LOW:.*]] = arith.maxsi %[[NUMBER]]
// CHECK:           %[[HIGH:.*]] = arith.minsi %[[LOW]]
// CHECK:           %[[VALUE:.*]] = tensor.extract %[[X]][%[[I]], %[[HIGH]]]
// CHECK:           arith.select %[[INSIDE]], %[[VALUE]], %cst
func.func @spread(%x: tensor<3x4xf32>) -> tensor<3x9xf32> {
  %c = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<3x9xf32>
  %f = linalg.fill ins(%c : f32) outs(%e : tensor<3x9xf32>) -> tensor<3x9xf32>
  %y = tensor.insert_slice %x into %f[0, 1] [3, 4] [1, 2] : tensor<3x4xf32> into tensor<3x9xf32>
  return %y : tensor<3x9xf32>
}

// -----

// At a place that is not known, and into what holds something: a copy.
// CHECK-LABEL: func.func @inserted(
// CHECK-NOT:     linalg.generic
// CHECK-COUNT-2: tensor.insert_slice
func.func @inserted(%x: tensor<4xf32>, %y: tensor<9xf32>, %n: index) -> (tensor<9xf32>, tensor<9xf32>) {
  %c = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<9xf32>
  %f = linalg.fill ins(%c : f32) outs(%e : tensor<9xf32>) -> tensor<9xf32>
  %a = tensor.insert_slice %x into %f[%n] [4] [1] : tensor<4xf32> into tensor<9xf32>
  %b = tensor.insert_slice %x into %y[2] [4] [1] : tensor<4xf32> into tensor<9xf32>
  return %a, %b : tensor<9xf32>, tensor<9xf32>
}
