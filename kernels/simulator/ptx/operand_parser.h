// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parser of the operands of a PTX instruction. Operand::Kind (module.h) lists the kinds of operands.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/simulator/ptx/module.h"
#include "kernels/simulator/ptx/token_cursor.h"

namespace mmtune::ptx {

/// Parses operands, from the tokens of a cursor, which must outlive the parser.
class OperandParser {
 public:
  explicit OperandParser(TokenCursor& tokens) : tokens(tokens) {}

  /// Parses one operand, and moves the cursor past it. Returns InvalidArgument if the tokens are no operand.
  absl::StatusOr<Operand> operand();

 private:
  /// Parses an operand that is not a pair (`p|q`).
  absl::StatusOr<Operand> single();
  /// Parses `+8` or `+-8`, if there is one, behind a name.
  absl::Status offset(int64_t& bytes);
  /// Parses the items of `{a, b}` or `(a, b)`.
  absl::Status list(std::vector<Operand>& items);

  TokenCursor& tokens;
  int depth = 0;  ///< The nesting depth of the operand being parsed: 1 for an operand of the instruction, 2 for an item
                  ///< of its list.
};

}  // namespace mmtune::ptx
