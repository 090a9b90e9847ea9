// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mmtune-compile: builds a user's MLIR module with the best schedules of a tuning spec, runs it, or verifies its
// kernels.
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "kernels/tools/compile_command.h"
#include "kernels/tools/compile_flags.h"
#include "kernels/tools/debug_outputs.h"
#include "kernels/tools/messages.h"
#include "proto/base/log.h"
#include "proto/base/output_file.h"
#include "proto/base/process_guard.h"
#include "proto/command_line/program.h"
#include "proto/command_line/settings.h"

namespace mmtune {
namespace {

/// True if the text has only characters of C identifiers.
bool IsPrefix(const std::string& text) {
  return std::all_of(text.begin(), text.end(), [](unsigned char c) { return absl::ascii_isalnum(c) || c == '_'; });
}

bool WritesFiles(const CompileOptions& options) {
  return !options.output.empty() || !options.emit.empty() || !options.header.empty() || options.emit_bytecode;
}

/// Returns why options contradict each other; empty if they do not.
std::string Disagreement(const CompileOptions& options) {
  if (!IsPrefix(options.prefix)) {
    return absl::StrCat("--prefix ", options.prefix, " is not part of a C identifier: letters, digits and _");
  }
  if (!options.prefix.empty() && (options.verify.verify || !options.run.function.empty())) {
    return "--prefix is for outputs: --run and --verify use the module's own names";
  }
  if (!options.run.arguments.empty() && options.run.function.empty() && !options.verify.verify) {
    return "--arg requires --run or --verify";
  }
  if (options.verify.verify) {
    if (options.csv || options.markdown) return "--verify prints no table: give --json, or no format";
    if (!options.shared_libraries.empty() && options.run.function.empty()) return "--shared-libs requires --run or -o";
    return WritesFiles(options) ? "--verify writes no files: give no -o, --emit, --emit-bytecode or --header" : "";
  }
  if (options.run.function.empty() && options.output.empty()) return "give -o FILE, or --run FUNCTION";
  if (options.run.function.empty()) return "";
  const bool counts = options.emit == "matmuls" && !options.output.empty() && options.output != "-";
  if (WritesFiles(options) && (!counts || !options.header.empty() || options.emit_bytecode)) {
    return "--run writes no files: give no -o, --emit, --emit-bytecode or --header; --emit matmuls -o FILE alone is "
           "for the matmuls that it counts";
  }
  if (options.csv || options.json) return "--run prints values, too: give --markdown, or no format";
  if (options.device_arguments) return "--run has no device memory for arguments: leave out --device-arguments";
  return "";
}

int Usage(const std::string& program, const std::string& text) {
  ReportFatal(MessageName(), absl::StrCat(text, "; see ", program, " --help"));
  return kExitUsage;
}

int RunCommand(const CompileOptions& options) {
  if (options.verify.verify) return RunVerifyCommand(options);
  return options.run.function.empty() ? RunCompileCommand(options) : RunModelCommand(options);
}

/// `tune compile` runs this program with --as-tune first: its own options, settings included, and --log, which it has
/// read already.
int Main(int argc, char** argv) {
  const bool as_tune = argc > 1 && std::string_view(argv[1]) == "--as-tune";
  if (as_tune) ++argv, --argc;
  const std::string name = as_tune ? "tune compile" : "mmtune-compile";
  if (as_tune) SetMessageName("tune");
  CompileOptions options;
  Program program(
      "Builds an MLIR module for a device with the best measured schedules, or runs it.\n"
      "The module is linalg on tensors or memrefs, or gpu kernels; the output is a shared library with a C header, an "
      "object, or what comes before it.",
      name);
  AddCompileOptions(program, options);
  std::string log;
  if (as_tune) program.add_option("--log", log)->group("");
  program.footer(CompileExamples(name, "--spec spec.json"));
  MakeFailedWritesErrors();
  InstallCrashHandler();
  if (std::optional<int> end = program.ParseMain(argc, argv, as_tune ? Settings() : Settings::ReadUserSettings()))
    return *end;
  if (const std::string text = Disagreement(options); !text.empty()) return Usage(name, text);
  return ExitAfterOutput(MessageName(), RunCommand(options), kExitFailed);
}

}  // namespace
}  // namespace mmtune

int main(int argc, char** argv) { return mmtune::Main(argc, argv); }
