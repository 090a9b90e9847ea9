// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One instruction of inline PTX, taken apart.
#pragma once

#include <optional>

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace mmtune {

/// An operand as it is written: registers in braces are several.
struct PtxOperand {
  llvm::SmallVector<llvm::StringRef> items;
  bool braces = false;
};

struct PtxInstruction {
  /// Number of the placeholder that guards it: 2 of "@$2"; nothing without a guard.
  std::optional<unsigned> guard;
  llvm::StringRef mnemonic;  ///< "mbarrier.init.shared.b64".
  llvm::SmallVector<PtxOperand> operands;
};

/// The number of a placeholder "$7", "%7" or "{$r7}"; nothing for other text.
std::optional<unsigned> placeholderNumber(llvm::StringRef item);

/// The instructions of a text, without labels, declarations and scopes.
llvm::SmallVector<PtxInstruction> parsePtx(llvm::StringRef text);

}  // namespace mmtune
