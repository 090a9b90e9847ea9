// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations that torch-mlir writes beside linalg, in its textual form.
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
  let summary = "Combine the elements along a dimension, and keep each step";
  let description = [{
    The input is combined along `dimension` by the region, which gets what came of the elements before and the next
    element. Inclusive: the first element of the first output is the first of the input. Exclusive: it is that of the
    second output, the accumulator, and the last element of the input is not used. The accumulator gets the last element
    of the first output.
  }];
  let arguments = (ins Variadic<TmTensor_Shaped>:$inputs, Variadic<TmTensor_Shaped>:$outputs,
                       I64Attr:$dimension, BoolAttr:$inclusive);
  let assemblyFormat = [{
    `dimension` `(` $dimension `)` `inclusive` `(` $inclusive `)` attr-dict
    `ins` `(` $inputs `:` type($inputs) `)` `outs` `(` $outputs `:` type($outputs) `)` $region (`->` type($results)^)?
  }];
}

def TmTensor_ScatterOp : TmTensor_Op<"scatter"> {
  let summary = "Combine slices with those of a tensor at places that are numbers at run time";
  let description = [{
    Inputs are updates, whose first dimension counts them, and their places: for each a row of integers, of which number
    i belongs to the dimension `dimension_map[i]` of the output. The other dimensions of an update are the last of the
    output's; a place is added to them. The region gets an element of an update and the element that is there, and gives
    what will be there. Updates at one place come in their order; with `unique_indices` there are none. Elements beyond
    the output are left out.
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
    The region says whether two elements stand in the right order; it gets two of each operand. Elements that may stand
    in either order keep theirs. What is sorted are the inputs or, where there are none, what the outputs hold.
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
  let summary = "What a region gives";
  let arguments = (ins Variadic<AnyType>:$operands);
  let assemblyFormat = "attr-dict ($operands^ `:` type($operands))?";
}
