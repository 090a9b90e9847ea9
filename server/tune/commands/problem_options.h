// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A matmul problem as the command line describes it: by one word, by options, or by both.
//
// The word is MxNxK, and behind colons, as far as they are not the default: the type, what the options --batch, --out,
// --math, --transpose-a and --transpose-b say, and last the epilogue: 512x512x64:f16:batch=16:transpose-b:scale:0.125.
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
  std::string dtype = {};  ///< Type of A and B; "tf32" is f32 with that math; empty is f32.
  std::string out = {};    ///< Type of C: "f32", or that of A and B (s32 for s8); empty is the latter.
  std::string math = {};   ///< Text for ParseMathMode(); empty is what `dtype` implies.
  int64_t batch = 1;
  bool transpose_a = false;
  bool transpose_b = false;
  std::string epilogue = {};  ///< Text for ParseEpilogue().
};

/// Returns the names of types that --dtype lists: "f32", "f16", ..., "tf32".
std::vector<std::string> OperandTypes();

/// Returns our name of a type that other programs name differently: "f16" for "FP16", "float16" and "half". Other texts
/// are returned in lower case.
std::string TypeName(std::string_view text);

/// Returns a valid problem. Errors are InvalidArgument, one line. It is an error to say something in the word and
/// differently by an option.
absl::StatusOr<MatmulProblem> MakeProblem(const ProblemOptions& options);

/// True if anything but the shape is given.
bool DescribesVariant(const ProblemOptions& options);

}  // namespace mmtune
