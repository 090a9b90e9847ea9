// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/families/schedule_geometry.h"

namespace mmtune {

double operandBytesRead(const MatmulProblem& problem, int64_t gridM, int64_t gridN) {
  double elements = static_cast<double>(gridN) * static_cast<double>(problem.ElementsA()) +
                    static_cast<double>(gridM) * static_cast<double>(problem.ElementsB());
  auto epilogue = static_cast<double>(problem.ElementsBias() + problem.ElementsAddend());
  return elements * static_cast<double>(DataTypeBytes(problem.dtype)) +
         epilogue * static_cast<double>(DataTypeBytes(problem.TypeOfC()));
}

}  // namespace mmtune
