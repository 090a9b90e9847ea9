// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "mlir/Pass/PassBase.td"

def ConvertConvToMatmulPass : Pass<"convert-conv-to-matmul", "::mlir::ModuleOp"> {
  let summary = "Convert convolutions to matmuls (im2col)";
  let description = [{
    Works on linalg operations on tensors. A convolution, recognised by its maps and body, of any rank, with strides,
    dilations and groups, becomes a matmul of its filter and a copy of its input that has, for each pixel of the output,
    the input elements under the filter. A filter of one element that covers every pixel needs no copy. The matmul
    starts from zeros; what the output held is added behind it as an epilogue (16-bit accumulators start from it). Where
    kernels need the output in another order (several images, channels before pixels), it is transposed behind the
    matmul. A matmul that also sums over a batch (`linalg.batch_reduce_matmul`) becomes one of a copy of A whose rows
    have all that is summed.

    A convolution is left alone, with a remark that says why, if it is on buffers; has a filter per channel, or no
    output channels that share an input; has zero points, or channels or a filter of dynamic size; uses loop indices;
    needs a copy of more than 2^28 elements, or of more than 2^22 per unit of a dynamic size; or if no kernel computes
    its matmul (`schedule-matmul`).
  }];
  let options = [
    Option<"sumsAsWritten", "sums-as-written", "bool", "false",
           "Leave convolutions with 16-bit accumulators: widen-accumulators does not run">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def FoldConstantsPass : Pass<"fold-constants", "::mlir::ModuleOp"> {
  let summary = "Evaluate tensors that depend on no input";
  let description = [{
    Works on linalg operations on tensors. Elementwise operations on constants, loop indices and others of their kind
    become a constant if something else reads them: tables of sines and cosines, the statistics of a batch norm. Each
    operation of a body rounds to its own type; functions of `math` are accurate to about one unit in its last place.

    Left alone is what is cheap where it is read (extensions, broadcasts, index-computed values, transposed constants),
    undefined (a failed assertion, a division by 0), more than 1 MiB larger than the constants that it replaces (16 MiB
    in a module), or slow to evaluate.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def FoldMatmulOperandsPass : Pass<"fold-matmul-operands", "::mlir::ModuleOp"> {
  let summary = "Fold transposes and broadcasts into matmul operands and results";
  let description = [{
    Works on linalg operations on tensors. Where a matmul operand is a transposed or broadcast tensor
    (`linalg.transpose`, `linalg.broadcast`, or an equivalent `linalg.generic`), and kernels compute the matmul of the
    original tensor (transposed operands, one matrix for a batch or, with static shapes, heads between rows and
    columns), the matmul reads that tensor. An extension in between is applied to the original tensor. A static result
    that is transposed and has no other reader is stored transposed. If a reshape stands in between, the matmul gets the
    dimensions behind it, also if the reshape joins repeated dimensions with others (heads of queries that share one of
    keys).
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def NarrowF64Pass : Pass<"narrow-f64", "::mlir::ModuleOp"> {
  let summary = "Do f64 arithmetic between f32 values in f32";
  let description = [{
    Exporters write some f32 operations by way of f64, such as torch's layer norm. A set of connected f64 values becomes
    f32, with a remark at its ends, if all come from f32, f16 or bf16 (`arith.extf`) and constants that f32 represents,
    by additions and the like and by reductions over at most 65536 elements, and end in `arith.truncf` to f32, f16 or
    bf16. If anything else observes or makes one of the values (comparisons, integers, memory, calls, function results,
    sines, exponentials, logarithms), all stay as they are. Works on linalg operations on tensors and on operations in
    bodies, outside of kernels.
  }];
  let options = [
    Option<"onlyTell", "only-tell", "bool", "false", "Only emit a remark at the first such chain of the module">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def FuseElementwisePass : Pass<"fuse-elementwise", "::mlir::ModuleOp"> {
  let summary = "Fuse elementwise operations";
  let description = [{
    Works on linalg operations on tensors outside of launches. An elementwise operation is computed in the body of its
    only reader in the same block: an elementwise operation, or a reduction that reads each element once, for which it
    is little work. Broadcasts, constants, extensions and index-computed values are computed in every reader. Operations
    in bodies stay as they are, so results do not change by a bit.

    A body that reads a tensor by index (padding, concatenation) reads the source of slices and transposes instead, and
    computes elements that are little work and have no other reader. A transposed tensor with several readers is read in
    the original order if each reader can. A selection between two elements of one tensor (a rolled tensor) becomes one
    read. A reduction with several results becomes several with one if these are independent, or are a maximum or
    minimum along memory with its index.

    Nothing is fused into a matmul or into an operation that prepares its operand (a transpose, an extension), since
    `schedule-matmul` matches those. Readers of a matmul stay elementwise over its result. Reshapes of that result move
    behind the elementwise operations.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect",
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect"];
}

def SplitEpiloguesPass : Pass<"split-epilogues", "::mlir::ModuleOp"> {
  let summary = "Split matmul epilogues off elementwise operations";
  let description = [{
    Runs after `fuse-elementwise`. If a body on a matmul's result begins with steps of an epilogue (`schedule-matmul`)
    and continues with others, the former become an operation of their own, which will be fused into the matmul's
    kernel. If only a reshape that joins dimensions reads the rest, the rest goes over the joined ones.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def SeparateOutputsPass : Pass<"separate-outputs", "::mlir::ModuleOp"> {
  let summary = "Give each operation on tensors an output of its own";
  let description = [{
    Exporters write one `tensor.empty`, and one `linalg.fill` of it, as the output of all operations of a shape. A
    linalg operation that shares its output gets a copy of the `tensor.empty` and, if it reads the filled values, of the
    `linalg.fill`. So a matmul starts from a fill of its own.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def FuseRowsPass : Pass<"fuse-rows", "::mlir::ModuleOp"> {
  let summary = "Fuse reductions and elementwise operations around them into row kernels";
  let description = [{
    Works on linalg operations on buffers that go over the same rows: reductions over the innermost dimensions, and
    elementwise operations on rows or their elements, as in a softmax or a layer norm; or reductions over other
    dimensions, and operations on rows. Each group becomes one `gpu.launch` in the place of its last operation. A row
    has threads of its own (a part of a warp, a warp, a block; one thread for reductions over other dimensions). No
    thread reads from memory what another one writes: results of reductions stay in registers, and an element belongs to
    the same thread in all operations. Sums have another, but fixed order of terms. Left alone are 16-bit sums, matmuls,
    short reductions on their own, and operations between which others would observe the change.
  }];
  let dependentDialects = [
    "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect", "::mlir::arith::ArithDialect",
    "::mlir::affine::AffineDialect", "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"
  ];
}
