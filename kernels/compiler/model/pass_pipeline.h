// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The passes that a user asks for before mmtune's.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "kernels/compiler/model/model_compiler.h"

namespace mmtune {

/// Whether a text names a pipeline of passes on a module, as mmtune-opt's --pass-pipeline takes it: "canonicalize,cse",
/// maybe in "builtin.module(…)", of the passes of MLIR and mmtune. InvalidArgument says in one line what is wrong, and
/// at which column.
absl::Status CheckPassPipeline(std::string_view pipeline);

/// The module after such a pipeline, as bytecode. It may have operations of any dialect of MLIR before, and only those
/// that ModelCompiler takes behind it. InvalidArgument when it is not valid MLIR or a pass fails; the sink got the
/// diagnostics.
absl::StatusOr<std::string> RunPassPipeline(std::string_view text, std::string_view name, std::string_view pipeline,
                                            const CompileObserver& observer, const ModelCompiler::DiagnosticSink& sink);

}  // namespace mmtune
