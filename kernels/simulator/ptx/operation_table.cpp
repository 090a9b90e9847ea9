// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/simulator/ptx/operation_table.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;

namespace mmtune::ptx {
namespace {

using Entries = SmallVector<const Operation*, 4>;

StringRef nameOf(StringRef form) {
  return form.take_until([](char c) { return c == '.' || c == '['; });
}

const llvm::StringMap<Entries>& entriesByName() {
  static const auto* entries = [] {
    auto* all = new llvm::StringMap<Entries>;
    for (const Operation* operation : allOperations()) (*all)[nameOf(operation->form)].push_back(operation);
    return all;
  }();
  return *entries;
}

/// True if the word is `pattern`, in which a star stands for digits.
bool matchesWord(StringRef pattern, StringRef word) {
  const auto [begin, end] = pattern.split('*');
  if (begin.size() == pattern.size()) return word == pattern;
  if (!word.consume_front(begin) || !word.consume_back(end) || word.empty()) return false;
  return llvm::all_of(word, llvm::isDigit);
}

/// Matches the rest of a form, which is empty or begins with ".", ".{" or "[".
bool matchesRest(StringRef form, ArrayRef<StringRef> parts) {
  if (form.empty()) return parts.empty();
  if (form.consume_front("[")) {
    const auto [inner, rest] = form.split(']');
    // One optional word: there, or not.
    SmallVector<StringRef> words;
    StringRef choice = inner.drop_front();
    if (choice.consume_front("{")) choice = choice.drop_back();
    choice.split(words, ',');
    if (!parts.empty() && llvm::is_contained(words, parts.front()) && matchesRest(rest, parts.drop_front()))
      return true;
    return matchesRest(rest, parts);
  }
  if (parts.empty()) return false;
  form = form.drop_front();  // The dot.
  if (form.consume_front("{")) {
    const auto [inner, rest] = form.split('}');
    SmallVector<StringRef> words;
    inner.split(words, ',');
    return llvm::is_contained(words, parts.front()) && matchesRest(rest, parts.drop_front());
  }
  const StringRef word = form.take_until([](char c) { return c == '.' || c == '['; });
  return matchesWord(word, parts.front()) && matchesRest(form.drop_front(word.size()), parts.drop_front());
}

/// True if the opcode, split at its dots, has the form.
bool matchesForm(StringRef form, ArrayRef<StringRef> parts) {
  const StringRef name = nameOf(form);
  return !parts.empty() && parts.front() == name && matchesRest(form.drop_front(name.size()), parts.drop_front());
}

}  // namespace

ArrayRef<const Operation*> allOperations() {
  static const auto* all = [] {
    auto* operations = new SmallVector<const Operation*, 0>;
    for (auto part : {controlOperations, integerOperations, bitOperations, comparisonOperations, floatOperations,
                      conversionOperations, memoryOperations, warpOperations, wmmaOperations, asyncOperations})
      for (const Operation& operation : part()) operations->push_back(&operation);
    return operations;
  }();
  return *all;
}

const Operation* findOperation(ArrayRef<StringRef> parts, std::string& why) {
  const auto& all = entriesByName();
  const auto found = all.find(parts.front());
  if (found == all.end()) {
    why = ("the SIMT device has no instruction '" + parts.front() + "'").str();
    if (parts.front() == "tcgen05") why += ": the tensor memory of sm_100 is not there yet";
    return nullptr;
  }
  for (const Operation* operation : found->second)
    if (matchesForm(operation->form, parts)) return operation;
  why = ("the SIMT device has no such form of '" + parts.front() + "'; it has").str();
  constexpr size_t kShown = 4;
  for (const auto& [i, operation] : llvm::enumerate(found->second)) {
    if (i == kShown) {
      why += " …";
      break;
    }
    why += (i == 0 ? " " : ", ") + operation->form.str();
  }
  return nullptr;
}

}  // namespace mmtune::ptx
