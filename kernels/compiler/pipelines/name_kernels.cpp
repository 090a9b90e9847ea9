// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/pipelines/passes.h"
#include "llvm/ADT/StringExtras.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;

namespace mmtune {

#define GEN_PASS_DEF_NAMEKERNELSPASS
#include "kernels/compiler/pipelines/Passes.h.inc"

namespace {

bool mayFollow(char c) { return llvm::isAlnum(c) || c == '_' || c == '$'; }

/// Whether PTX has such identifiers: a letter, or an underscore or dollar sign with something behind it, and no name of
/// its own.
bool isIdentifier(StringRef name) {
  if (name.empty() || llvm::isDigit(name[0]) || !llvm::all_of(name, mayFollow) || name == "WARP_SZ") return false;
  return name.size() > 1 || llvm::isAlpha(name[0]);
}

std::string identifierOf(StringRef name, const SymbolTable& taken) {
  std::string identifier = "k_";
  for (char c : name) identifier += mayFollow(c) ? c : '_';
  std::string unique = identifier;
  for (int i = 2; taken.lookup(unique); ++i) unique = identifier + "_" + std::to_string(i);
  return unique;
}

struct NameKernels : impl::NameKernelsPassBase<NameKernels> {
  void runOnOperation() override {
    for (auto kernels : getOperation().getOps<gpu::GPUModuleOp>()) {
      SmallVector<Operation*> renamed;
      for (Operation& op : *kernels.getBody())
        if (isa<SymbolOpInterface>(op) && !isIdentifier(SymbolTable::getSymbolName(&op))) renamed.push_back(&op);
      if (renamed.empty()) continue;
      SymbolTable symbols(kernels);
      for (Operation* op : renamed) {
        StringAttr name = StringAttr::get(&getContext(), identifierOf(SymbolTable::getSymbolName(op), symbols));
        if (failed(SymbolTable::replaceAllSymbolUses(op, name, getOperation()))) return signalPassFailure();
        symbols.remove(op);
        SymbolTable::setSymbolName(op, name);
        symbols.insert(op);
      }
    }
  }
};

}  // namespace
}  // namespace mmtune
