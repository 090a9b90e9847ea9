// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/simulator/ptx/swap_guesses.h"

#include <string>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace mmtune::ptx {
namespace {

using Words = SmallVector<StringRef>;

Words wordsOf(const Instruction& instruction) {
  Words words;
  StringRef(instruction.opcode).split(words, '.');
  return words;
}

bool isSwap(const Instruction& instruction) {
  const Words words = wordsOf(instruction);
  return words[0] == "atom" && is_contained(words, "cas") && instruction.operands.size() >= 4;
}

bool isOrdinaryLoad(const Instruction& instruction) {
  const Words words = wordsOf(instruction);
  static constexpr StringRef kOthers[] = {"volatile", "relaxed", "acquire", "param", "const", "local",
                                          "nc",       "v2",      "v4",      "v8",    "b128"};
  return words[0] == "ld" && none_of(words, [](StringRef word) { return is_contained(kOthers, word); }) &&
         instruction.operands.size() >= 2 && instruction.operands[0].kind == Operand::Kind::kName &&
         instruction.operands[1].kind == Operand::Kind::kAddress;
}

/// True if the instruction computes its first operand from the others, and does nothing else.
bool isArithmetic(const Instruction& instruction) {
  return StringSwitch<bool>(wordsOf(instruction)[0])
      .Cases({"add", "sub", "mul", "mad", "fma", "div", "rcp", "abs", "neg", "min", "max", "and", "or", "xor"}, true)
      .Cases({"not", "lop3", "shl", "shr", "shf", "bfe", "bfi", "prmt", "mov", "cvt", "selp", "setp", "set"}, true)
      .Default(false);
}

bool names(const Operand& operand, const std::set<std::string>& registers) {
  return registers.count(operand.name) != 0 ||
         any_of(operand.items, [&](const Operand& item) { return names(item, registers); });
}

void addNames(const Operand& operand, std::set<std::string>& registers) {
  if (!operand.name.empty()) registers.insert(operand.name);
  for (const Operand& item : operand.items) addNames(item, registers);
}

/// Follows the value of one load. Registers of the same name in different scopes count as one.
class Guess {
 public:
  Guess(const Function& function, const Instruction& load) : function(function), load(load) {}

  bool isHarmless() {
    if (definitions(load.operands[1].name) > 1 || !findResults()) return false;
    reached = {load.operands[0].name};
    for (size_t before = 0; before != reached.size();) {
      before = reached.size();
      for (const Instruction& instruction : function.instructions)
        if (!follow(instruction)) return false;
    }
    return true;
  }

 private:
  size_t definitions(const std::string& name) const {
    return count_if(function.instructions, [&](const Instruction& instruction) {
      const auto& operands = instruction.operands;
      return !operands.empty() && operands[0].kind != Operand::Kind::kAddress && names(operands[0], {name});
    });
  }
  bool isSwapHere(const Instruction& instruction) const {
    return isSwap(instruction) && instruction.operands[1].name == load.operands[1].name &&
           instruction.operands[1].offset == load.operands[1].offset;
  }
  /// Collects what swaps of the address return. False if there is none, or other instructions write these registers.
  bool findResults() {
    for (const Instruction& instruction : function.instructions)
      if (isSwapHere(instruction)) addNames(instruction.operands[0], results);
    return !results.empty() && all_of(function.instructions, [&](const Instruction& instruction) {
      return isSwapHere(instruction) || instruction.operands.empty() || !names(instruction.operands[0], results) ||
             instruction.operands[0].kind == Operand::Kind::kAddress;
    });
  }

  /// Adds what an instruction writes from the value. False if it does anything else with it.
  bool follow(const Instruction& instruction) {
    if (instruction.guard && reached.count(instruction.guard->predicate) != 0) return false;
    ArrayRef<Operand> operands = instruction.operands;
    const bool writes = !operands.empty() && operands[0].kind != Operand::Kind::kAddress;
    ArrayRef<Operand> sources = writes ? operands.drop_front() : operands;
    if (none_of(sources, [&](const Operand& operand) { return names(operand, reached); })) return true;
    if (isSwapHere(instruction)) return !names(operands[1], reached);
    if (!writes || !isArithmetic(instruction)) return false;
    const Words words = wordsOf(instruction);
    const bool compares = words[0] == "setp" && (words[1] == "eq" || words[1] == "ne") && operands.size() == 3;
    if (compares && (names(operands[1], results) || names(operands[2], results))) return true;
    addNames(operands[0], reached);
    return true;
  }

  const Function& function;
  const Instruction& load;
  std::set<std::string> results;  ///< Registers with what swaps of the address return.
  std::set<std::string> reached;  ///< Registers that may hold the value, or what is computed from it.
};

}  // namespace

std::set<size_t> findSwapGuesses(const Function& function) {
  std::set<size_t> guesses;
  if (none_of(function.instructions, isSwap)) return guesses;
  for (size_t i = 0; i < function.instructions.size(); ++i) {
    const Instruction& instruction = function.instructions[i];
    if (isOrdinaryLoad(instruction) && Guess(function, instruction).isHarmless()) guesses.insert(i);
  }
  return guesses;
}

}  // namespace mmtune::ptx
