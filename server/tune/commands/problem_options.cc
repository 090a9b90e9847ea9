// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/commands/problem_options.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

/// The name of f32 operands with TF32 math.
constexpr char kTf32[] = "tf32";

/// Returns the valid types of A and B: "f32, f16, …".
std::string TypesOfOperands() {
  std::vector<absl::string_view> names;
  for (size_t i = 0; i <= static_cast<size_t>(DataType::kS32); ++i) {
    MatmulProblem problem;
    problem.dtype = static_cast<DataType>(i);
    if (problem.Validate().ok()) names.push_back(ToAbsl(DataTypeName(problem.dtype)));
  }
  return absl::StrJoin(names, ", ");
}

absl::Status ReadTypes(const ProblemOptions& options, MatmulProblem& problem) {
  const bool tf32 = options.dtype == kTf32;
  absl::StatusOr<DataType> dtype = ParseDataType(tf32 ? "f32" : options.dtype);
  if (!dtype.ok()) {
    return InvalidArgument(absl::StrCat("unknown data type '", options.dtype, "'; known: ", TypesOfOperands(),
                                        ", and tf32, which is f32 with that math"));
  }
  problem.dtype = *dtype;
  ASSIGN_OR_RETURN(problem.math, ParseMathMode(options.math.empty() ? (tf32 ? kTf32 : "ieee") : options.math));
  if (tf32 && problem.math != MathMode::kTf32) {
    return InvalidArgument(absl::StrCat("--dtype tf32 and --math ", options.math, " contradict one another"));
  }
  if (options.out.empty() || options.out == DataTypeName(problem.TypeOfC()) || (tf32 && options.out == kTf32)) {
    return absl::OkStatus();
  }
  ASSIGN_OR_RETURN(const DataType out, ParseDataType(options.out));
  if (out != DataType::kF32 || problem.AccumulatorType() != DataType::kF32) {
    const bool may_be_f32 = problem.AccumulatorType() == DataType::kF32 && problem.dtype != DataType::kF32;
    return InvalidArgument(absl::StrCat("--out ", options.out, " of ", options.dtype,
                                        " elements is not possible; C is ", ToAbsl(DataTypeName(problem.TypeOfC())),
                                        may_be_f32 ? ", or f32" : ""));
  }
  problem.out = OutputType::kF32;
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<MatmulProblem> MakeProblem(const ProblemOptions& options) {
  ASSIGN_OR_RETURN(MatmulProblem problem, ParseMatmulShape(options.shape, DataType::kF32));
  RETURN_IF_ERROR(ReadTypes(options, problem));
  problem.batch = options.batch;
  problem.transpose_a = options.transpose_a;
  problem.transpose_b = options.transpose_b;
  ASSIGN_OR_RETURN(problem.epilogue, ParseEpilogue(options.epilogue));
  RETURN_IF_ERROR(problem.Validate());
  return problem;
}

bool DescribesVariant(const ProblemOptions& options) {
  return options.batch != 1 || options.transpose_a || options.transpose_b || !options.epilogue.empty() ||
         !options.out.empty() || !options.math.empty();
}

}  // namespace mmtune
