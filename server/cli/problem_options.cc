// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/cli/problem_options.h"

#include "proto/base/status.h"

namespace mmtune {

absl::StatusOr<MatmulProblem> MakeProblem(const ProblemOptions& options) {
  ASSIGN_OR_RETURN(DataType dtype, ParseDataType(options.dtype));
  ASSIGN_OR_RETURN(MatmulProblem problem, ParseMatmulShape(options.shape, dtype));
  problem.batch = options.batch;
  problem.transpose_b = options.transpose_b;
  ASSIGN_OR_RETURN(problem.epilogue, ParseEpilogue(options.epilogue));
  RETURN_IF_ERROR(problem.Validate());
  return problem;
}

bool DescribesVariant(const ProblemOptions& options) {
  return options.batch != 1 || options.transpose_b || !options.epilogue.empty();
}

}  // namespace mmtune
