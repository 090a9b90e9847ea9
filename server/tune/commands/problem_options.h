// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A matmul problem as the command line describes it.
#pragma once

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "proto/types/matmul_problem.h"

namespace mmtune {

struct ProblemOptions {
  std::string shape;          ///< "MxNxK".
  std::string dtype = "f32";  ///< Type of A and B; "tf32" is f32 with that math.
  std::string out = {};       ///< Type of C: "f32", or that of A and B (s32 for s8); empty is the latter.
  std::string math = {};      ///< Text for ParseMathMode(); empty is what `dtype` implies.
  int64_t batch = 1;
  bool transpose_a = false;
  bool transpose_b = false;
  std::string epilogue = {};  ///< Text for ParseEpilogue().
};

/// Returns a valid problem. Errors are InvalidArgument, one line.
absl::StatusOr<MatmulProblem> MakeProblem(const ProblemOptions& options);

/// True if anything but the shape and the type is given.
bool DescribesVariant(const ProblemOptions& options);

}  // namespace mmtune
