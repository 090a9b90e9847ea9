// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/simulator/ptx/operand_parser.h"

#include <utility>

#include "proto/base/status.h"

namespace mmtune::ptx {
namespace {

constexpr int kDeepest = 8;  ///< Operands in operands.

}  // namespace

absl::StatusOr<Operand> OperandParser::operand() {
  if (++depth > kDeepest) return tokens.error(tokens.here().at, "operands are nested too deeply");
  ASSIGN_OR_RETURN(Operand operand, single());
  if (tokens.accept('|')) {
    ASSIGN_OR_RETURN(Operand second, single());
    Operand pair;
    pair.kind = Operand::Kind::kPair;
    pair.at = operand.at;
    pair.items = {std::move(operand), std::move(second)};
    operand = std::move(pair);
  }
  --depth;
  return operand;
}

absl::StatusOr<Operand> OperandParser::single() {
  Operand operand;
  operand.at = tokens.here().at;
  if (tokens.here().is('{') || tokens.here().is('(')) {
    operand.kind = Operand::Kind::kList;
    RETURN_IF_ERROR(list(operand.items));
    return operand;
  }
  if (tokens.accept('[')) {
    operand.kind = Operand::Kind::kAddress;
    if (tokens.here().kind == TokenKind::kInteger) {
      operand.offset = static_cast<int64_t>(tokens.take().bits);
    } else {
      ASSIGN_OR_RETURN(operand.name, tokens.word("an address"));
      RETURN_IF_ERROR(offset(operand.offset));
    }
    if (tokens.accept(',')) {
      if (!tokens.here().is('{')) return tokens.unexpected("'{' and coordinates");
      RETURN_IF_ERROR(list(operand.items));
    }
    RETURN_IF_ERROR(tokens.expect(']'));
    return operand;
  }
  operand.negated = tokens.accept('!');
  const bool negative = tokens.accept('-');
  if (tokens.here().kind == TokenKind::kInteger || tokens.here().kind == TokenKind::kFloat) {
    const Token number = tokens.take();
    const bool isInteger = number.kind == TokenKind::kInteger;
    if (negative && (number.text.starts_with("0f") || number.text.starts_with("0F") || number.text.starts_with("0d") ||
                     number.text.starts_with("0D")))
      return tokens.error(number.at, "a minus sign before the bits of a floating-point number");
    operand.kind = isInteger ? Operand::Kind::kInteger : Operand::Kind::kFloat;
    operand.bits = negative ? number.negatedBits() : number.bits;
    operand.isDouble = number.isDouble;
    return operand;
  }
  if (negative) return tokens.unexpected("a number");
  ASSIGN_OR_RETURN(operand.name, tokens.word("an operand"));
  if (operand.name == "_") operand.kind = Operand::Kind::kSink;
  RETURN_IF_ERROR(offset(operand.offset));
  return operand;
}

absl::Status OperandParser::offset(int64_t& bytes) {
  if (tokens.here().is('-')) return tokens.unexpected("'+' before an offset, as in [%rd1+-4]");
  if (!tokens.accept('+')) return absl::OkStatus();
  const bool negated = tokens.accept('-');
  ASSIGN_OR_RETURN(const uint64_t value, tokens.integer("an offset"));
  bytes = static_cast<int64_t>(negated ? -value : value);
  return absl::OkStatus();
}

absl::Status OperandParser::list(std::vector<Operand>& items) {
  const char close = tokens.take().is('{') ? '}' : ')';
  if (tokens.accept(close)) return absl::OkStatus();
  do {
    ASSIGN_OR_RETURN(Operand item, operand());
    items.push_back(std::move(item));
  } while (tokens.accept(','));
  return tokens.expect(close);
}

}  // namespace mmtune::ptx
