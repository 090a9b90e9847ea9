// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parser of the operands of a PTX instruction.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/simulator/ptx/module.h"
#include "kernels/simulator/ptx/token_cursor.h"

namespace mmtune::ptx {

/// Parses operands at the position of a cursor, which must outlive the parser.
class OperandParser {
 public:
  explicit OperandParser(TokenCursor& tokens) : tokens(tokens) {}

  /// Parses one operand, and moves the cursor behind it. Returns InvalidArgument if there is none.
  absl::StatusOr<Operand> operand();

 private:
  absl::StatusOr<Operand> single();
  absl::Status offset(int64_t& bytes);
  absl::Status list(std::vector<Operand>& items);

  TokenCursor& tokens;
  int depth = 0;  ///< The nesting depth of the operand that is being parsed; 1 for an outermost one.
};

}  // namespace mmtune::ptx
