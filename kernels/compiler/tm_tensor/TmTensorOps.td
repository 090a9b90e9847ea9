// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations that torch-mlir writes in addition to linalg, in its textual form.
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def TmTensor_Dialect : Dialect {
  let name = "tm_tensor";
  let cppNamespace = "::mmtune::tm_tensor";
}

def TmTensor_Shaped : AnyTypeOf<[AnyRankedTensor, AnyMemRef]>;

class TmTensor_Op<string mnemonic> : Op<TmTensor_Dialect, mnemonic, [
    AttrSizedOperandSegments, SingleBlock, DestinationStyleOpInterface,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region SizedRegion<1>:$region);
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getOutputsMutable(); }
  }];
}

def TmTensor_ScanOp : TmTensor_Op<"scan"> {
  let summary = "Combine the elements along a dimension, and keep the intermediate results";
  let description = [{
    The region combines the elements of the input along `dimension`; it takes the result for the previous elements and
    the next element. Inclusive: the first element of the first output is the first of the input. Exclusive: it is that
    of the second output, the accumulator, and the last element of the input is not used. The last element of the first
    output is stored in the accumulator.
  }];
  let arguments = (ins Variadic<TmTensor_Shaped>:$inputs, Variadic<TmTensor_Shaped>:$outputs,
                       I64Attr:$dimension, BoolAttr:$inclusive);
  let assemblyFormat = [{
    `dimension` `(` $dimension `)` `inclusive` `(` $inclusive `)` attr-dict
    `ins` `(` $inputs `:` type($inputs) `)` `outs` `(` $outputs `:` type($outputs) `)` $region (`->` type($results)^)?
  }];
}

def TmTensor_ScatterOp : TmTensor_Op<"scatter"> {
  let summary = "Combine slices with those of a tensor at indices known at run time";
  let description = [{
    The inputs are the updates, counted by their first dimension, and their indices: a row of integers for each update,
    of which number i is an index of dimension `dimension_map[i]` of the output. The other dimensions of an update are
    the last of the output's, shifted by the indices. The region takes an element of an update and the current element,
    and yields the new element. Updates of one element apply in order; `unique_indices` says that there are none.
    Elements outside of the output are ignored.
  }];
  let arguments = (ins Variadic<TmTensor_Shaped>:$inputs, Variadic<TmTensor_Shaped>:$outputs,
                       DenseI64ArrayAttr:$dimension_map, DefaultValuedAttr<BoolAttr, "true">:$unique_indices);
  let assemblyFormat = [{
    attr-dict `unique_indices` `(` $unique_indices `)` (`ins` `(` $inputs^ `:` type($inputs) `)`)?
    `outs` `(` $outputs `:` type($outputs) `)` $region (`->` type($results)^)?
  }];
}

def TmTensor_SortOp : TmTensor_Op<"sort"> {
  let summary = "Sort along a dimension";
  let description = [{
    The region returns whether two elements are in the right order; it takes two of each operand. Elements that may be
    in either order keep theirs. Sorts the inputs or, without inputs, the contents of the outputs.
  }];
  let arguments = (ins Variadic<TmTensor_Shaped>:$inputs, Variadic<TmTensor_Shaped>:$outputs,
                       I64Attr:$dimension);
  let assemblyFormat = [{
    attr-dict `dimension` `(` $dimension `)` (`ins` `(` $inputs^ `:` type($inputs) `)`)?
    `outs` `(` $outputs `:` type($outputs) `)` $region (`->` type($results)^)?
  }];
}

def TmTensor_YieldOp : Op<TmTensor_Dialect, "yield", [
    Pure, ReturnLike, Terminator, ParentOneOf<["ScanOp", "ScatterOp", "SortOp"]>]> {
  let summary = "Yield the results of a region";
  let arguments = (ins Variadic<AnyType>:$operands);
  let assemblyFormat = "attr-dict ($operands^ `:` type($operands))?";
}
