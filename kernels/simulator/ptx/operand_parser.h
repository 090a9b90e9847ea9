// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the operands of an instruction are read.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/simulator/ptx/module.h"
#include "kernels/simulator/ptx/token_cursor.h"

namespace mmtune::ptx {

/// Reads operands where a cursor stands. Refers to the cursor, which must outlive it.
class OperandParser {
 public:
  explicit OperandParser(TokenCursor& tokens) : tokens(tokens) {}

  absl::StatusOr<Operand> operand();

 private:
  absl::StatusOr<Operand> single();
  absl::Status offset(int64_t& bytes);
  absl::Status list(std::vector<Operand>& items);

  TokenCursor& tokens;
  int depth = 0;  ///< How many operands are around the place, with its own.
};

}  // namespace mmtune::ptx
