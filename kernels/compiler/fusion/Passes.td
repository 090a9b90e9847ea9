// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "mlir/Pass/PassBase.td"

def ConvertConvToMatmulPass : Pass<"convolutions-to-matmuls", "::mlir::ModuleOp"> {
  let summary = "Make matrix matmuls of convolutions";
  let description = [{
    Works on linalg operations on tensors. A convolution, known by its maps and body and not by its name, of any number
    of dimensions, with strides, dilations and groups, becomes a matmul of its filter and of a copy of its input: for
    each pixel of the output the elements that the filter meets there (im2col). A filter of one element that meets every
    pixel needs no copy. The matmul starts from zeros; what the output held is added behind it, so that it can be an
    epilogue (of sums in 16 bits it starts from what the output held). Where kernels would need the output in another
    order (several images, channels before pixels), it is transposed behind the matmul. A matmul that sums over a batch, too
    (`linalg.batch_reduce_matmul`), becomes one of a copy of A that has all that is summed in each row.

    A convolution stays what it is, with a remark that says why: on buffers; with a filter for each channel, or no
    channels of output that share an input; zero points; channels or a filter of dynamic size; a body that uses the
    numbers of its loops; a copy of more than 2^28 elements, or of more than 2^22 for each of what is counted at run time
    only; and if its matmul is none that kernels compute (`schedule-matmul`): factors or sums of other types, a filter
    with its dimensions in an order that no kernel reads.
  }];
  let options = [
    Option<"sumsAsWritten", "sums-as-written", "bool", "false",
           "Leave convolutions with sums in 16 bits: widen-accumulators does not run">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def FoldConstantsPass : Pass<"fold-constants", "::mlir::ModuleOp"> {
  let summary = "Compute what depends on no input, once";
  let description = [{
    Works on linalg operations on tensors. Elementwise operations whose inputs are constants, numbers of loops, and others of
    their kind become a constant, as far as something else reads them: tables of sines and cosines, the statistics of a
    batch norm. Each operation of a body rounds to its own type; functions of `math` are right to the last place of it, or
    nearly.

    What costs nothing where it is read stays there: extensions, copies along further dimensions, numbers that are made of
    their place with little work, constants in another order. So does what is not defined (an assertion that fails, a
    division by 0), what has more than 1 MiB beyond the constants that it takes the place of (16 MiB in a module), and
    what would take the compiler long.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def FoldMatmulOperandsPass : Pass<"fold-matmul-operands", "::mlir::ModuleOp"> {
  let summary = "Let matmuls read transposed and broadcast operands, and store results, where they lie";
  let description = [{
    Works on linalg operations on tensors. Where an operand of a matrix matmul is another tensor with its dimensions in
    another order, or repeated along some (`linalg.transpose`, `linalg.broadcast`, or a `linalg.generic` that does no
    more), and the matmul of that other tensor is one that kernels compute (transposed operands, one matrix for a
    whole batch, or, of static shapes, heads between rows and columns), it reads the other tensor. An extension to a
    wider type in between is made of the other tensor then. A result of a static shape whose dimensions are put into
    another order, and that nobody else reads, is stored in that order. Where a reshape stands in between, the matmul
    gets the dimensions that there are behind it, also where such a reshape joins what is repeated with what is not (heads of
    queries that share one of keys), and what is not repeated can be read for all of them. Elsewhere operand and result stay operations of their own.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def NarrowF64Pass : Pass<"narrow-f64", "::mlir::ModuleOp"> {
  let summary = "Do f64 arithmetic between values of f32 in f32";
  let description = [{
    Exporters write some operations of f32 by way of f64, as torch's layer norm. Where all values of f64 that are computed
    with one another come from values of f32, f16 or bf16 (`arith.extf`) and constants that f32 has room for, by additions
    and the like and by reductions over at most 65536 elements each, and end in `arith.truncf` to f32, f16 or bf16, they
    become values of f32, with a remark at the end of each such chain. Where anything else sees one of them or makes one
    (comparisons, integers, memory, calls, results of functions, sines, exponentials, logarithms), the whole chain stays as it is.
    Works on linalg operations on tensors and what is in bodies of operations, outside of kernels.
  }];
  let options = [
    Option<"onlyTell", "only-tell", "bool", "false", "Change nothing; a remark at the first chain of the module">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def FuseElementwisePass : Pass<"fuse-elementwise", "::mlir::ModuleOp"> {
  let summary = "Make one operation of elementwise operations that follow one another";
  let description = [{
    Works on linalg operations on tensors, outside of launches. An elementwise operation is computed in the body of the
    operation that reads its result, if that is the only one and stands in the same block: an elementwise one, or a
    reduction that reads each element once, for which it is little work. Broadcasts, constants and extensions to a
    wider type are computed wherever they are read. Every operation in a body stays what it is, so results do not change by a bit.

    Where a body reads a tensor by index (a padding, a concatenation), it reads what the tensor was cut or transposed from,
    and computes what is little work and read by nobody else. Numbers that are made of their place, as those of rows, are
    made where they are read. A tensor in another order that several read is read where it lay before, if each can.

    Of two elements of one tensor, of which one is chosen (a tensor that is rolled), the chosen one is read. A reduction with
    several results becomes several with one where these have nothing to do with one another, or are a maximum or minimum
    along memory and its place.

    A matmul is never fused into, nor what prepares its operand (a change of order, an extension): `schedule-matmul`
    matches those. What reads a matmul stays elementwise over it. Reshapes of a matmul's result come behind the elementwise
    operations on it.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect",
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect"];
}

def SplitEpiloguesPass : Pass<"split-epilogues", "::mlir::ModuleOp"> {
  let summary = "Take what a matmul's kernel can do out of elementwise operations";
  let description = [{
    After `fuse-elementwise`: where the body of an operation on a matmul's result begins with steps that are an epilogue
    (`schedule-matmul`) and goes on with others, the former become an operation of their own, so that they are fused into
    the matmul's kernel. Where only a reshape that joins dimensions reads the others, they go over the joined ones.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def SeparateOutputsPass : Pass<"separate-outputs", "::mlir::ModuleOp"> {
  let summary = "Give each operation on tensors an output of its own";
  let description = [{
    Exporters write one `tensor.empty`, and one `linalg.fill` of it, as the output of all operations of a shape. Where a
    linalg operation on tensors has such an output that others use, it gets a copy of the `tensor.empty`, and where it
    reads what it is filled with, of the `linalg.fill`. So a matmul starts from zeros that were filled in for it.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def FuseRowsPass : Pass<"fuse-rows", "::mlir::ModuleOp"> {
  let summary = "Launch reductions and what is elementwise around them as one kernel";
  let description = [{
    Linalg operations on buffers that go over the same rows: reductions over the innermost dimensions, and elementwise
    operations on the rows or their elements, as those of a softmax or a layer norm; or reductions over other
    dimensions, and operations on the rows. Each group becomes one `gpu.launch`, which gives a row to threads of its
    own (a part of a warp, a warp, a block; of other dimensions one), in the place of its last operation. No thread
    reads from memory what another one writes: what a reduction gives stays in registers, and an element is the same
    thread's in all operations. A sum has its terms in another order, but fixed; so sums of 16 bits are left alone, as
    are matmuls, short reductions that have no others to go with, and whatever could see or be seen by operations in
    between.
  }];
  let dependentDialects = [
    "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect", "::mlir::arith::ArithDialect",
    "::mlir::affine::AffineDialect", "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"
  ];
}
