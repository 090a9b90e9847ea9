// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/simulator/ptx/declarations.h"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "absl/strings/str_cat.h"

namespace mmtune::ptx {
namespace {

constexpr unsigned kMaxVectorBits = 128;

/// The types that registers and variables can have. Instructions have more (types.h), such as .bf16.
struct DeclaredType {
  std::string_view name;
  unsigned bits;
};
constexpr DeclaredType kTypes[] = {
    {"pred", 1}, {"b8", 8},   {"b16", 16}, {"b32", 32}, {"b64", 64}, {"b128", 128},
    {"u8", 8},   {"u16", 16}, {"u32", 32}, {"u64", 64}, {"s8", 8},   {"s16", 16},
    {"s32", 32}, {"s64", 64}, {"f16", 16}, {"f32", 32}, {"f64", 64}, {"f16x2", 32},
};

const DeclaredType* findDeclaredType(std::string_view name) {
  const auto* type =
      std::find_if(std::begin(kTypes), std::end(kTypes), [&](const DeclaredType& entry) { return entry.name == name; });
  return type == std::end(kTypes) ? nullptr : type;
}

/// True if `name` is `prefix` and a number below `count`.
bool isAmong(std::string_view name, std::string_view prefix, uint64_t count) {
  if (!name.starts_with(prefix)) return false;
  name.remove_prefix(prefix.size());
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (error != std::errc() || end != name.data() + name.size()) return false;
  return number < count && (name.size() == 1 || name.front() != '0');
}

}  // namespace

std::string registerTypeError(const std::string& type) {
  return findDeclaredType(type) ? "" : absl::StrCat("there are no registers or variables of type .", type);
}

std::string declarationError(const Variable& variable) {
  if (std::string error = registerTypeError(variable.type); !error.empty()) return error;
  if (variable.type == "pred") return "only registers are predicates";
  if (findDeclaredType(variable.type)->bits * variable.vector > kMaxVectorBits) return "a vector has at most 128 bits";
  if (variable.space == Space::kParameter && (variable.vector > 1 || variable.type == "f16x2"))
    return "a parameter is no vector";
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
