// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The problem as the command line names it.
#pragma once

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "proto/types/matmul_problem.h"

namespace mmtune {

struct ProblemOptions {
  std::string shape;          ///< "MxNxK".
  std::string dtype = "f32";  ///< Of A and B; "tf32" is f32 with that math.
  std::string out = {};       ///< Of C: "f32", or the type of A and B (of s8, s32); empty is the latter.
  std::string math = {};      ///< As ParseMathMode takes it; empty is what `dtype` says.
  int64_t batch = 1;
  bool transpose_a = false;
  bool transpose_b = false;
  std::string epilogue = {};  ///< As ParseEpilogue takes it.
};

/// A valid problem; errors are InvalidArgument, one line.
absl::StatusOr<MatmulProblem> MakeProblem(const ProblemOptions& options);

/// Whether anything but the shape and the type is given.
bool DescribesVariant(const ProblemOptions& options);

}  // namespace mmtune
