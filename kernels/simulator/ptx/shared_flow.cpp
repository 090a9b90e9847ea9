// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/simulator/ptx/shared_flow.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace mmtune::ptx {
namespace {

/// Follows values from shared memory through the registers of one function, and from there to other memory.
class SharedFlow {
 public:
  /// With `startsEscaped`, memory other than shared memory may hold such values at the start of the function.
  SharedFlow(const Function& function, bool startsEscaped) : function(function), startsEscaped(startsEscaped) {}

  /// True if the function may store such a value in memory other than shared memory. Call decides() first.
  bool stores() const { return hasStored; }

  /// True if such a value may decide something (see sharedMayDecide()). Visits all instructions in their order, and
  /// repeats this until no branch adds anything to the state at its target.
  bool decides() {
    std::map<size_t, State> incoming;  // State at each label, by the index of the instruction behind it.
    for (const Scope& scope : function.scopes)
      for (const auto& [name, index] : scope.labels) incoming[index];
    for (bool isNew = true; isNew;) {
      isNew = false;
      state = {};
      state.valueEscapes = startsEscaped;
      for (size_t i = 0; i < function.instructions.size(); ++i) {
        const Instruction& instruction = function.instructions[i];
        if (auto label = incoming.find(i); label != incoming.end()) state.add(label->second);
        if (visit(instruction)) return true;
        if (!StringRef(instruction.opcode).starts_with("br")) continue;
        for (auto& [index, there] : incoming)
          if (mayReach(instruction, index)) isNew |= there.add(state);
      }
    }
    return false;
  }

 private:
  using Operands = ArrayRef<Operand>;
  using Names = std::set<std::string>;  ///< Names of registers, each with the scope that declares it.

  struct State {
    Names reached;                ///< Registers that may hold a value from shared memory.
    Names addresses;              ///< Registers that may hold a generic address of shared memory.
    bool addressEscapes = false;  ///< Such an address is in memory, or given to a function.
    bool valueEscapes = false;    ///< A value from shared memory is in global memory, or may be.

    /// Adds the other state, and returns true if that changed this one.
    bool add(const State& other) {
      const size_t before = size();
      reached.insert(other.reached.begin(), other.reached.end());
      addresses.insert(other.addresses.begin(), other.addresses.end());
      addressEscapes |= other.addressEscapes;
      valueEscapes |= other.valueEscapes;
      return before != size();
    }
    size_t size() const { return reached.size() + addresses.size() + addressEscapes + valueEscapes; }
  };

  /// True if a branch may lead to the instruction `index`, which has a label: to its target, or by a list to any label.
  bool mayReach(const Instruction& branch, size_t index) const {
    if (branch.operands.size() != 1) return true;
    for (std::optional<size_t> at = branch.scope; at; at = function.scopes[*at].parent) {
      auto found = function.scopes[*at].labels.find(branch.operands[0].name);
      if (found != function.scopes[*at].labels.end()) return found->second == index;
    }
    return true;
  }

  /// Returns the name of a register with the scope that declares it, as inner scopes have registers of the same names.
  std::string keyOf(const std::string& name) const {
    const std::string prefix = name.substr(0, name.find_last_not_of("0123456789") + 1);
    for (std::optional<size_t> at = scope; at; at = function.scopes[*at].parent) {
      const Scope& names = function.scopes[*at];
      if (names.registers.count(name) != 0 || names.numbered.count(prefix) != 0)
        return name + "#" + std::to_string(*at);
    }
    return name;
  }
  bool hasOne(const Names& names, const Operand& operand) const {
    return (!operand.name.empty() && names.count(keyOf(operand.name)) != 0) || hasAny(names, operand.items);
  }
  bool hasAny(const Names& names, Operands operands) const {
    return any_of(operands, [&](const Operand& operand) { return hasOne(names, operand); });
  }
  void add(Names& names, const Operand& operand) const {
    if (operand.kind == Operand::Kind::kName) names.insert(keyOf(operand.name));
    for (const Operand& item : operand.items) add(names, item);
  }
  void remove(Names& names, const Operand& operand) const {
    if (operand.kind == Operand::Kind::kName) names.erase(keyOf(operand.name));
    for (const Operand& item : operand.items) remove(names, item);
  }
  bool holds(const Operand& operand) const { return hasOne(state.reached, operand); }
  bool holdsAny(Operands operands) const { return hasAny(state.reached, operands); }

  /// Follows generic addresses of shared memory, which only cvta and mapa make.
  void followAddresses(ArrayRef<StringRef> words, Operands operands, bool replaces) {
    if (operands.size() < 2) return;
    const bool makes = words[0] == "mapa" || (words[0] == "cvta" && words[1].starts_with("shared"));
    if (words[0] != "ld" && (makes || hasAny(state.addresses, operands.drop_front()))) {
      if (operands[0].kind == Operand::Kind::kAddress || words[0] == "call") state.addressEscapes = true;
      add(state.addresses, operands[0]);
    } else if (replaces) {
      remove(state.addresses, operands[0]);
    }
  }

  /// True if the instruction stores a value that is reached, or copies a part of shared memory, to memory that may not
  /// be shared.
  bool storesElsewhere(ArrayRef<StringRef> words, Operands operands) const {
    if (words[0] == "st") {
      return holdsAny(operands.drop_front()) &&
             none_of(words, [](StringRef word) { return word.starts_with("shared") || word == "local"; });
    }
    // Copies name their destination first, and then what they copy.
    const auto* space = find_if(words, [](StringRef word) { return word.starts_with("shared") || word == "global"; });
    return words[0] == "cp" && space != words.end() && *space == "global" &&
           any_of(words, [](StringRef word) { return word.starts_with("shared"); });
  }

  /// True if the instruction may load from shared or local memory, or from where a value was stored.
  bool loads(ArrayRef<StringRef> words, Operands operands) const {
    if (words[0] == "ldmatrix" || (words[0] == "wgmma" && is_contained(words, "mma_async"))) return true;
    if ((words[0] != "ld" && words[0] != "atom") || operands.size() < 2) return false;
    for (StringRef word : words) {
      if (word.starts_with("shared") || word == "local") return true;
      if (word.starts_with("param") || word == "const") return false;
      if (word == "global") return state.valueEscapes;
    }
    return !function.isKernel || state.valueEscapes || state.addressEscapes || hasOne(state.addresses, operands[1]);
  }

  /// True if the instruction writes its first operand from the others, and does nothing else: arithmetic, moves, loads,
  /// matrices. A new instruction is none of these until it is added here.
  static bool isArithmetic(StringRef name) {
    return StringSwitch<bool>(name)
        .Cases({"add", "sub", "mul", "mad", "fma", "div", "rem", "abs", "neg", "min", "max", "mul24", "mad24"}, true)
        .Cases({"addc", "subc", "madc", "sad", "dp2a", "dp4a", "copysign", "tanh", "ex2", "lg2", "sin", "cos"}, true)
        .Cases({"rcp", "sqrt", "rsqrt", "and", "or", "xor", "not", "cnot", "lop3", "shl", "shr", "shf", "bfe"}, true)
        .Cases({"bfi", "bfind", "brev", "clz", "popc", "prmt", "fns", "bmsk", "szext", "mov", "cvt", "selp"}, true)
        .Cases({"slct", "set", "shfl", "redux", "mma", "ldmatrix", "movmatrix"}, true)
        .Default(false);
  }

  /// Updates the state by one instruction. Returns true if the instruction uses a value from shared memory for more
  /// than computing.
  bool visit(const Instruction& instruction) {
    scope = instruction.scope;
    SmallVector<StringRef> words;
    StringRef(instruction.opcode).split(words, '.');
    const Operands operands = instruction.operands;
    if (instruction.guard && state.reached.count(keyOf(instruction.guard->predicate)) != 0) return true;
    for (const Operand& operand : operands)
      if (operand.kind == Operand::Kind::kAddress && holds(operand)) return true;
    if (operands.size() < 2) return false;

    const StringRef name = words.front();
    const bool replaces = !instruction.guard && (isArithmetic(name) || name == "ld");
    followAddresses(words, operands, replaces);
    if (storesElsewhere(words, operands)) state.valueEscapes = hasStored = true;
    const bool isMoved = name != "ld" && holdsAny(operands.drop_front());
    if (loads(words, operands) || (isMoved && name == "shfl"))
      add(state.reached, operands[0].kind == Operand::Kind::kPair ? operands[0].items.front() : operands[0]);
    else if (!isMoved && replaces)
      remove(state.reached, operands[0]);
    if (!isMoved) return false;
    if (name == "st" || name == "stmatrix") return is_contained(words, "param");
    // Only the first operand of a shuffle is a value; lanes and masks are decisions.
    if (name == "shfl") return holdsAny(operands.drop_front(2));
    // Its operands behind the sums are fragments of A, and descriptors, which are addresses.
    if (name == "wgmma")
      return any_of(operands.drop_front(),
                    [this](const Operand& operand) { return operand.kind == Operand::Kind::kName && holds(operand); });
    if (!isArithmetic(name) || is_contained(words, "pred")) return true;
    add(state.reached, operands.front());
    return false;
  }

  const Function& function;
  const bool startsEscaped;
  bool hasStored = false;
  State state;       ///< Before the instruction that is visited.
  size_t scope = 0;  ///< The scope of that instruction.
};

}  // namespace

bool sharedMayDecide(const Module& module, const Function& kernel) {
  // A function may load what another one stored, and so each starts with that: again, if there is something new.
  std::set<const Function*> storing;
  for (size_t before = 0;; before = storing.size()) {
    for (const Function& function : module.functions) {
      if (function.name != kernel.name && function.isKernel) continue;
      const size_t own = function.isKernel ? storing.count(&function) : 0;  // Others are called again.
      SharedFlow flow(function, /*startsEscaped=*/storing.size() > own);
      if (flow.decides()) return true;
      if (flow.stores()) storing.insert(&function);
    }
    if (storing.size() == before) return false;
  }
}

}  // namespace mmtune::ptx
