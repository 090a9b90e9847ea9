// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/passes/simt/ptx_text.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace mmtune {
namespace {

constexpr StringLiteral kSpace = " \t\n\r";

/// Splits at commas outside of braces and brackets.
SmallVector<PtxOperand> parseOperands(StringRef text) {
  SmallVector<PtxOperand> operands;
  while (!(text = text.trim(kSpace)).empty()) {
    int depth = 0;
    size_t end = 0;
    for (; end < text.size() && (depth > 0 || text[end] != ','); ++end)
      depth += StringRef("{[").contains(text[end]) ? 1 : StringRef("}]").contains(text[end]) ? -1 : 0;
    StringRef piece = text.take_front(end).trim(kSpace);
    text = text.drop_front(std::min(end + 1, text.size()));
    PtxOperand operand;
    operand.braces = piece.starts_with("{") && !placeholderNumber(piece);
    if (operand.braces) piece = piece.drop_front().drop_back();
    SmallVector<StringRef> items;
    piece.split(items, ',');
    for (StringRef item : items) operand.items.push_back(item.trim(kSpace));
    operands.push_back(std::move(operand));
  }
  return operands;
}

}  // namespace

std::optional<unsigned> placeholderNumber(StringRef item) {
  item = item.trim(kSpace);
  if (item.consume_front("{") && !item.consume_back("}")) return std::nullopt;
  if (!item.consume_front("$") && !item.consume_front("%")) return std::nullopt;
  item.consume_front("r");
  unsigned number = 0;
  if (item.getAsInteger(10, number)) return std::nullopt;
  return number;
}

SmallVector<PtxInstruction> parsePtx(StringRef text) {
  SmallVector<PtxInstruction> instructions;
  SmallVector<StringRef> statements;
  text.split(statements, ';');
  for (StringRef statement : statements) {
    // A statement may follow the end or the beginning of a scope, or labels.
    statement = statement.trim(kSpace);
    while (statement.starts_with("}") || (statement.starts_with("{") && !statement.contains('}')))
      statement = statement.drop_front().trim(kSpace);
    PtxInstruction instruction;
    if (statement.consume_front("@")) {
      StringRef guard = statement.take_until([](char c) { return isSpace(c); });
      instruction.guard = placeholderNumber(guard);
      statement = statement.drop_front(guard.size()).trim(kSpace);
    }
    instruction.mnemonic = statement.take_until([](char c) { return isSpace(c); });
    while (instruction.mnemonic.ends_with(":")) {
      statement = statement.drop_front(instruction.mnemonic.size()).trim(kSpace);
      instruction.mnemonic = statement.take_until([](char c) { return isSpace(c); });
    }
    if (instruction.mnemonic.empty() || instruction.mnemonic.starts_with(".")) continue;
    instruction.operands = parseOperands(statement.drop_front(instruction.mnemonic.size()));
    instructions.push_back(std::move(instruction));
  }
  return instructions;
}

}  // namespace mmtune
