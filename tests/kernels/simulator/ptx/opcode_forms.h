// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The opcodes that a form of the operation table has.
#pragma once

#include <functional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "tests/kernels/simulator/ptx/operation_case.h"

namespace mmtune::ptx {

/// A form of the operation table: for each place of the opcode behind the name, the words that it may have. An empty
/// word stands for a place that may be left out.
struct OpcodeForm {
  std::string text, name;
  std::vector<std::vector<std::string>> places;
};

OpcodeForm parseForm(std::string_view text);

/// Returns the word of each place if the opcode has the form; else no words. A star in a word stands for digits.
std::vector<std::string> matchForm(const OpcodeForm& form, const Opcode& opcode);

/// Words of a form by place, such as those that cases have.
class WordCoverage {
 public:
  explicit WordCoverage(const OpcodeForm& form) : form_(form), seen_(form.places.size()) {}

  /// Adds the word of each place; returns true if one of them is new.
  bool add(const std::vector<std::string>& words);
  /// Returns the words that no opcode had, as "place 2: .ftz"; empty if there are none.
  std::string missing() const;

 private:
  const OpcodeForm& form_;
  std::vector<std::vector<std::string>> seen_;
};

/// Calls `accept` with opcodes of the form: all of them if there are at most `most`, else random ones until it has
/// returned true `most` times, and each word was in one of these. Returns the words that were in none.
std::string sampleForm(const OpcodeForm& form, size_t most, std::mt19937_64& random,
                       const std::function<bool(const Opcode&)>& accept);

}  // namespace mmtune::ptx
