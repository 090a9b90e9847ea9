// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/simulator/ptx/declarations.h"

#include "absl/strings/str_cat.h"
#include "kernels/simulator/ptx/types.h"

namespace mmtune::ptx {
namespace {

constexpr unsigned kMaxVectorBits = 128;

/// True if `name` is `prefix` and a number below `count`.
bool isAmong(llvm::StringRef name, llvm::StringRef prefix, uint64_t count) {
  uint64_t number = 0;
  if (!name.consume_front(prefix) || name.getAsInteger(10, number)) return false;
  return number < count && (name.size() == 1 || name.front() != '0');
}

}  // namespace

std::string registerTypeError(const std::string& type) {
  const std::optional<ScalarType> known = findType(type);
  if (!known) return absl::StrCat("there is no type .", type);
  const bool isOfRegisters = known->isPredicate() || (known->isInteger() && known->lanes == 1) ||
                             (known->kind == TypeClass::kFloat && type != "f32x2");
  return isOfRegisters ? "" : absl::StrCat(".", type, " is a type of instructions, not of registers and variables");
}

std::string declarationError(const Variable& variable) {
  if (std::string error = registerTypeError(variable.type); !error.empty()) return error;
  const ScalarType type = *findType(variable.type);
  if (type.isPredicate()) return "only registers are predicates";
  if (type.bits() * variable.vector > kMaxVectorBits) return "a vector has at most 128 bits";
  if (variable.space == Space::kParameter && (variable.vector > 1 || type.lanes > 1)) return "a parameter is no vector";
  const bool hasValue = !variable.initializer.empty();
  if (hasValue && variable.space == Space::kShared) return "shared memory has no initial value";
  if (hasValue && variable.space != Space::kGlobal && variable.space != Space::kConstant)
    return "only variables in .global and .const have an initial value";
  if (variable.elements == 0 && !variable.isExternal && variable.space != Space::kParameter)
    return "the variable has no size";
  return "";
}

const std::string* numberedRegister(const Scope& scope, const std::string& name) {
  // Digits may belong to the prefix: "%r1<4>" declares %r10 to %r13.
  for (size_t length = name.find_last_not_of("0123456789") + 1; length < name.size(); ++length) {
    const auto numbered = scope.numbered.find(name.substr(0, length));
    if (numbered != scope.numbered.end() && isAmong(name, numbered->first, numbered->second.second))
      return &numbered->second.first;
  }
  return nullptr;
}

bool isDeclared(const Scope& scope, const std::string& name) {
  return scope.registers.count(name) + scope.variables.count(name) + scope.labels.count(name) != 0 ||
         numberedRegister(scope, name);
}

const std::string* nameAmongNumbered(const Scope& scope, const std::string& prefix, uint64_t count) {
  auto search = [&](const auto& names) -> const std::string* {
    for (auto at = names.lower_bound(prefix); at != names.end() && at->first.starts_with(prefix); ++at)
      if (isAmong(at->first, prefix, count)) return &at->first;
    return nullptr;
  };
  if (const std::string* name = search(scope.registers)) return name;
  if (const std::string* name = search(scope.variables)) return name;
  return search(scope.labels);
}

}  // namespace mmtune::ptx
