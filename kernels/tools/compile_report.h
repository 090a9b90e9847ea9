// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes the report of a compilation, which mmtune-compile prints: the kernels of the model, and the times of the
// stages.
#pragma once

#include <cstddef>
#include <string>

#include "kernels/compiler/model/model_compiler.h"
#include "kernels/tools/compile_flags.h"

namespace mmtune {

/// Returns a table with one row per kernel module, if there are any, then the compile times; a note comes between if
/// PTX is embedded because no ptxas was found. The columns are the module, the problem, where the schedule is from, the
/// first 12 digits of the SHA-256 of the code, whether that is the code that was measured, and the schedule. A schedule
/// is from "spec" (the tuning spec has the problem), "nearest" (it has a similar problem), or "default" (not measured).
/// Lines have at most `width` characters (0: no limit): if the table would be wider, the schedule and the digest are
/// left out, and a line says so. A table in Markdown has all columns. With --csv, returns only the rows, as CSV; with
/// --json, one JSON object; with --quiet, an empty text.
std::string CompileReport(const CompileOptions& options, const CompiledModel& model, size_t width);

}  // namespace mmtune
