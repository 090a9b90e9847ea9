// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/simulator/ptx/wgmma_registers.h"

#include <algorithm>
#include <deque>
#include <functional>
#include <optional>
#include <string_view>

namespace mmtune::ptx {
namespace {

bool starts(const Instruction& instruction, std::string_view name) { return instruction.opcode.starts_with(name); }
bool isWgmma(const Instruction& instruction) { return starts(instruction, "wgmma.mma_async."); }
bool isMove(const Instruction& instruction) {
  return starts(instruction, "mov.") && instruction.operands.size() == 2 &&
         instruction.operands[0].kind == Operand::Kind::kName && instruction.operands[1].kind == Operand::Kind::kName;
}

void forEachName(const Operand& operand, const std::function<void(const std::string&)>& visit) {
  if (!operand.name.empty()) visit(operand.name);
  for (const Operand& item : operand.items) forEachName(item, visit);
}

/// The state of a register at a point of the function.
struct RegisterState {
  uint32_t age = 0;       ///< 0: not in flight; else 1 + the number of commit_group since the wgmma.
  uint32_t wgmma = 0;     ///< If in flight: the index of the wgmma.
  uint32_t accessed = 0;  ///< The line of an access since the last wgmma.fence; 0: none.

  /// Merges the state on another path. Of two operations in flight, keeps the newer one, which completes last. Returns
  /// true if the state has changed.
  bool join(const RegisterState& other) {
    const RegisterState before = *this;
    if (other.age != 0 && (age == 0 || other.age < age)) age = other.age, wgmma = other.wgmma;
    if (accessed == 0) accessed = other.accessed;
    return before.age != age || before.accessed != accessed;
  }
};
using State = std::vector<RegisterState>;

class WgmmaRegisters {
 public:
  explicit WgmmaRegisters(const Function& function) : function(function), states(function.instructions.size()) {}

  std::map<size_t, WgmmaMisuse> run() {
    numberRegisters();
    if (numbers.empty()) return {};
    reach(0, State(numbers.size()));
    while (!work.empty()) {
      const size_t index = work.front();
      work.pop_front();
      State state = *states[index];
      apply(index, state);
      for (size_t next : successors(index)) reach(next, state);
    }
    return misuses;
  }

 private:
  /// Numbers the registers of D and A, and the registers to which moves copy them.
  void numberRegisters() {
    auto add = [&](const std::string& name) { numbers.emplace(name, numbers.size()); };
    for (const Instruction& instruction : function.instructions) {
      if (!isWgmma(instruction) || instruction.operands.size() < 2) continue;
      forEachName(instruction.operands[0], add);
      if (instruction.operands[1].kind == Operand::Kind::kList) forEachName(instruction.operands[1], add);
    }
    if (numbers.empty()) return;
    for (size_t before = 0; before != numbers.size();) {
      before = numbers.size();
      for (const Instruction& instruction : function.instructions)
        if (isMove(instruction) && numbers.contains(instruction.operands[1].name)) add(instruction.operands[0].name);
    }
  }

  void reach(size_t index, const State& state) {
    if (index >= states.size()) return;
    bool changed = !states[index];
    if (changed) {
      states[index] = state;
    } else {
      for (size_t i = 0; i < state.size(); ++i) changed |= (*states[index])[i].join(state[i]);
    }
    if (changed) work.push_back(index);
  }

  std::vector<size_t> successors(size_t index) const {
    const Instruction& instruction = function.instructions[index];
    std::vector<size_t> next;
    if (starts(instruction, "bra") && !instruction.operands.empty()) {
      addTarget(instruction.operands[0].name, instruction.scope, next);
    } else if (starts(instruction, "brx") && instruction.operands.size() == 2) {
      for (std::optional<size_t> at = instruction.scope; at; at = function.scopes[*at].parent) {
        auto found = function.scopes[*at].branchTargets.find(instruction.operands[1].name);
        if (found == function.scopes[*at].branchTargets.end()) continue;
        for (const std::string& label : found->second) addTarget(label, instruction.scope, next);
        break;
      }
    } else if (instruction.opcode != "ret" && instruction.opcode != "ret.uni" && instruction.opcode != "exit" &&
               instruction.opcode != "trap") {
      return {index + 1};
    }
    if (instruction.guard) next.push_back(index + 1);
    return next;
  }

  void addTarget(const std::string& label, size_t scope, std::vector<size_t>& next) const {
    for (std::optional<size_t> at = scope; at; at = function.scopes[*at].parent) {
      auto found = function.scopes[*at].labels.find(label);
      if (found != function.scopes[*at].labels.end()) return next.push_back(found->second);
    }
  }

  void apply(size_t index, State& state) {
    const Instruction& instruction = function.instructions[index];
    if (isWgmma(instruction)) return issue(index, state);
    if (starts(instruction, "wgmma.fence")) {
      for (RegisterState& reg : state) reg.accessed = 0;
    } else if (starts(instruction, "wgmma.commit_group")) {
      for (RegisterState& reg : state)
        if (reg.age != 0) reg.age = std::min(reg.age + 1, kOldest);
    } else if (starts(instruction, "wgmma.wait_group") && instruction.operands.size() == 1) {
      for (RegisterState& reg : state)
        if (reg.age > instruction.operands[0].bits + 1) reg.age = 0;
    } else if (isMove(instruction) && numbers.contains(instruction.operands[1].name)) {
      state[numbers.at(instruction.operands[0].name)] = state[numbers.at(instruction.operands[1].name)];
    } else {
      for (const Operand& operand : instruction.operands)
        forEachName(operand, [&](const std::string& name) { access(name, instruction.at.line, state); });
    }
  }

  void issue(size_t index, State& state) {
    const Instruction& instruction = function.instructions[index];
    auto use = [&](const std::string& name) {
      RegisterState& reg = state[numbers.at(name)];
      if (reg.accessed != 0) misuses[index].unfencedAccess = reg.accessed;
      reg = {1, static_cast<uint32_t>(index), 0};
    };
    forEachName(instruction.operands[0], use);
    if (instruction.operands[1].kind == Operand::Kind::kList) forEachName(instruction.operands[1], use);
  }

  void access(const std::string& name, uint32_t line, State& state) {
    auto found = numbers.find(name);
    if (found == numbers.end()) return;
    RegisterState& reg = state[found->second];
    if (reg.age != 0) misuses[reg.wgmma].earlyAccess = line;
    reg.accessed = line;
  }

  static constexpr uint32_t kOldest = 16;

  const Function& function;
  std::map<std::string, size_t> numbers;
  std::vector<std::optional<State>> states;  ///< Before each instruction; nothing where it was not reached.
  std::deque<size_t> work;
  std::map<size_t, WgmmaMisuse> misuses;
};

}  // namespace

std::map<size_t, WgmmaMisuse> findWgmmaMisuses(const Function& function) { return WgmmaRegisters(function).run(); }

}  // namespace mmtune::ptx
