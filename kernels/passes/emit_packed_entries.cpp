// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entries that take their arguments as an array of pointers.
#include "kernels/passes/passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace mmtune {
#define GEN_PASS_DEF_EMITPACKEDENTRIESPASS
#include "kernels/passes/Passes.h.inc"
}  // namespace mmtune

using namespace mlir;

namespace mmtune {
namespace {

constexpr llvm::StringLiteral kCInterfacePrefix = "_mlir_ciface_";
constexpr llvm::StringLiteral kPackedPrefix = "_mlir_packed_";

void emitPackedEntry(OpBuilder& builder, LLVM::LLVMFuncOp function) {
  Location loc = function.getLoc();
  MLIRContext* context = builder.getContext();
  auto pointer = LLVM::LLVMPointerType::get(context);
  auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(context), {pointer});
  std::string name = (kPackedPrefix + function.getName().drop_front(kCInterfacePrefix.size())).str();
  auto packed = LLVM::LLVMFuncOp::create(builder, loc, name, type);

  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(packed.addEntryBlock(builder));
  auto slot = [&](int32_t index) -> Value {
    Value address =
        LLVM::GEPOp::create(builder, loc, pointer, pointer, packed.getArgument(0), ArrayRef<LLVM::GEPArg>{index});
    return LLVM::LoadOp::create(builder, loc, pointer, address);
  };
  SmallVector<Value> arguments;
  int32_t count = 0;
  for (Type argument : function.getArgumentTypes())
    arguments.push_back(LLVM::LoadOp::create(builder, loc, argument, slot(count++)));
  auto call = LLVM::CallOp::create(builder, loc, function, arguments);
  if (call.getNumResults() != 0) LLVM::StoreOp::create(builder, loc, call.getResult(), slot(count));
  LLVM::ReturnOp::create(builder, loc, ValueRange());
}

struct EmitPackedEntries : impl::EmitPackedEntriesPassBase<EmitPackedEntries> {
  void runOnOperation() override {
    OpBuilder builder = OpBuilder::atBlockEnd(getOperation().getBody());
    auto functions = llvm::to_vector(getOperation().getOps<LLVM::LLVMFuncOp>());
    for (LLVM::LLVMFuncOp function : functions)
      if (!function.isExternal() && function.getName().starts_with(kCInterfacePrefix))
        emitPackedEntry(builder, function);
  }
};

}  // namespace
}  // namespace mmtune
