// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads a matmul problem from the command line, which describes it by one word, by options, or by both.
//
// The word is MxNxK, followed by properties that are not the default, each after a colon: first the type, then batch=,
// out=, math=, transpose-a and transpose-b (named as the options), and last the epilogue. Example:
// 512x512x64:f16:batch=16:transpose-b:scale:0.125.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/types/matmul_problem.h"

namespace mmtune {

struct ProblemOptions {
  std::string shape;       ///< "MxNxK", or the whole word: "1024x1024x1024:bf16:bias,relu".
  std::string dtype = {};  ///< The type of A and B; empty: f32. "tf32" means f32 with the math mode tf32.
  std::string out = {};    ///< The type of C: "f32" or the type of A and B. Empty: the type of A and B, or s32 for s8.
  std::string math = {};   ///< Parsed by ParseMathMode(). Empty: the mode that `dtype` implies.
  int64_t batch = 1;
  bool transpose_a = false;
  bool transpose_b = false;
  std::string epilogue = {};  ///< Parsed by ParseEpilogue().
};

/// Returns the names of types that --dtype accepts: "f32", "f16", ..., "tf32".
std::vector<std::string> OperandTypes();

/// True for OperandTypes() and for the names that other programs have for them.
bool IsOperandType(std::string_view text);
/// Returns the error for a text that is no type: "unknown data type 'bf17'; known: ...; did you mean 'bf16'?"; empty
/// for a type, also for one that operands cannot have.
std::string WhyNoType(const std::string& text);

/// Converts other programs' names of types into those of mmtune: "FP16", "float16" and "half" into "f16". Any other
/// text is returned in lower case.
std::string TypeName(std::string_view text);

/// Returns the problem, which is valid. Errors are InvalidArgument with one line of text. It is an error if the word
/// and an option contradict each other.
absl::StatusOr<MatmulProblem> MakeProblem(const ProblemOptions& options);

/// Returns the long names of the options that can be settings (settings.h) and that a problem in one word gives:
/// {"dtype"} for 1024x1024x1024:bf16; none for any other word.
std::vector<std::string> SettingsInWord(const std::string& word);

}  // namespace mmtune
