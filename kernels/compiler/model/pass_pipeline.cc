// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <regex>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "kernels/compiler/model/compilation.h"
#include "kernels/compiler/model/module_reader.h"
#include "kernels/compiler/pipelines/pipelines.h"
#include "mlir/Pass/PassRegistry.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

constexpr char kAnchor[] = "builtin.module(";

/// Returns the pipeline as one on a module.
std::string Anchored(std::string_view pipeline) {
  const absl::string_view text = absl::StripAsciiWhitespace(ToAbsl(pipeline));
  return absl::StartsWith(text, kAnchor) ? std::string(text) : absl::StrCat(kAnchor, text, ")");
}

/// Converts MLIR's message about an invalid pipeline ("name:1:COLUMN: error: what" and lines below it) to one line.
/// MLIR counts columns behind the anchor, of which `before` characters are the user's.
std::string OneLine(const std::string& errors, size_t before) {
  static const std::regex located("[^\n]*:1:([0-9]+): error: ([^\n]*)");
  std::smatch match;
  if (std::regex_search(errors, match, located)) {
    return absl::StrCat("column ", std::stoul(match[1].str()) + before, ": ", match[2].str());
  }
  return absl::StrReplaceAll(absl::StripAsciiWhitespace(errors), {{"\n", "; "}});
}

absl::StatusOr<mlir::OpPassManager> ParsePipeline(std::string_view pipeline) {
  static const bool registered = (registerEveryPass(), true);
  (void)registered;
  const std::string anchored = Anchored(pipeline);
  const bool given = absl::StartsWith(absl::StripLeadingAsciiWhitespace(ToAbsl(pipeline)), kAnchor);
  std::string errors;
  llvm::raw_string_ostream stream(errors);
  auto passes = mlir::parsePassPipeline(anchored, stream);
  if (mlir::failed(passes)) {
    return InvalidArgument(absl::StrCat("--pass-pipeline: ", OneLine(errors, given ? sizeof(kAnchor) - 1 : 0)));
  }
  if (passes->empty()) return InvalidArgument("--pass-pipeline: it names no pass");
  return *std::move(passes);
}

/// Refuses operations that the pipeline left in dialects that mmtune does not compile.
absl::Status CheckDialects(mlir::ModuleOp module, const mlir::DialectRegistry& known) {
  auto check = [&](mlir::Operation* op) {
    const llvm::StringRef dialect = op->getName().getDialectNamespace();
    if (dialect == mlir::BuiltinDialect::getDialectNamespace() || llvm::is_contained(known.getDialectNames(), dialect))
      return mlir::WalkResult::advance();
    op->emitError() << "--pass-pipeline leaves '" << op->getName() << "', of a dialect that mmtune does not compile; "
                    << "add the pass that lowers it";
    return mlir::WalkResult::interrupt();
  };
  if (!module->walk<mlir::WalkOrder::PreOrder>(check).wasInterrupted()) return absl::OkStatus();
  return InvalidArgument("--pass-pipeline does not lower the module");
}

}  // namespace

absl::Status CheckPassPipeline(std::string_view pipeline) { return ParsePipeline(pipeline).status(); }

absl::StatusOr<std::string> RunPassPipeline(std::string_view text, std::string_view name, std::string_view pipeline,
                                            const CompileObserver& observer,
                                            const ModelCompiler::DiagnosticSink& sink) {
  ASSIGN_OR_RETURN(mlir::OpPassManager passes, ParsePipeline(pipeline));
  Compilation compilation(everyDialect(), text, name, observer, sink);
  RETURN_IF_ERROR(compilation.Parse());
  RETURN_IF_ERROR(compilation.Run(
      {"--pass-pipeline", [&](mlir::OpPassManager& all) { all = passes; }, [&] { return Anchored(pipeline); }}));
  RETURN_IF_ERROR(CheckDialects(compilation.module(), CreateModelRegistry()));
  return compilation.PrintBytecode();
}

}  // namespace mmtune
