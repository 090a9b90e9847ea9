// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The flags of a problem, but for its shape, of programs that print tables.
#pragma once

#include <CLI/CLI.hpp>

#include "server/tune/commands/problem_options.h"

namespace mmtune {

inline void AddProblemFlags(CLI::App& app, ProblemOptions& options) {
  app.add_option("--batch", options.batch, "Matrices of a batch");
  app.add_option("--dtype", options.dtype, "Elements of A and B: f32, tf32, f16, bf16, s8, f64");
  app.add_option("--math", options.math, "How f32 is multiplied: ieee, tf32, tf32x3, bf16x6");
  app.add_option("--out", options.out, "Elements of C: f32, or those of A and B; of s8 s32");
  app.add_flag("--transpose-a", options.transpose_a, "A is stored as KxM");
  app.add_flag("--transpose-b", options.transpose_b, "B is stored as NxK");
  app.add_option("--epilogue", options.epilogue, "Steps of the epilogue: bias,add,relu,scale:0.5");
}

}  // namespace mmtune
