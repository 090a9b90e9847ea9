// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tables that an object with checks exports for the runtime.
#pragma once

#include "llvm/ADT/StringMap.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/SymbolTable.h"

namespace mmtune {

/// Writes one table: a constant array of structs, an entry of zeros at its end.
class SimtTable {
 public:
  SimtTable(mlir::gpu::GPUModuleOp module, mlir::SymbolTable& symbols, llvm::StringRef symbol,
            llvm::ArrayRef<mlir::Type> fields, size_t size);

  /// A pointer to a private constant with the text and a zero at its end.
  mlir::Value text(llvm::StringRef text);
  mlir::Value addressOf(mlir::LLVM::GlobalOp global);
  mlir::Value i64(uint64_t value);
  /// The next entry.
  void add(llvm::ArrayRef<mlir::Value> fields);
  /// Once, behind the last entry.
  void finish();

 private:
  mlir::SymbolTable& symbols;
  mlir::ImplicitLocOpBuilder builder;  ///< In the initializer of the table.
  mlir::LLVM::GlobalOp table;
  mlir::Value entries;  ///< What is in the table so far.
  int64_t size = 0;
  llvm::StringMap<mlir::LLVM::GlobalOp> texts;
};

}  // namespace mmtune
