// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/tools/compile_command.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "kernels/compiler/model/model_runner.h"
#include "kernels/compiler/verify/function_verification.h"
#include "kernels/compiler/verify/verifiable_module.h"
#include "kernels/runtime/device/device.h"
#include "kernels/tools/compile_options.h"
#include "kernels/tools/values.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

constexpr char kDefaultArgument[] = "random:1";

/// Parses "128", "16,16" or "8,8,2"; nullopt for an empty text.
absl::StatusOr<std::optional<std::array<int64_t, 3>>> ParseSizes(const char* option, const std::string& text) {
  if (text.empty()) return std::optional<std::array<int64_t, 3>>();
  std::array<int64_t, 3> sizes = {1, 1, 1};
  const std::vector<std::string> words = absl::StrSplit(text, ',');
  bool good = words.size() <= sizes.size();
  for (size_t i = 0; i < words.size() && good; ++i) {
    good = absl::SimpleAtoi(words[i], &sizes[i]) && sizes[i] >= 1 && sizes[i] <= std::numeric_limits<int32_t>::max();
  }
  if (good) return std::optional(sizes);
  return InvalidArgument(absl::StrCat(option, " ", text, " is not X,Y,Z with numbers from 1 to 2147483647"));
}

/// Returns an error for sizes that no kernel can be launched with.
absl::Status CheckSizes(const LaunchSizes& sizes, const DeviceInfo& device) {
  LaunchShape shape;
  if (sizes.grid) std::copy(sizes.grid->begin(), sizes.grid->end(), shape.grid);
  if (sizes.block) std::copy(sizes.block->begin(), sizes.block->end(), shape.block);
  shape.dynamic_shared_bytes = sizes.shared_bytes.value_or(0);
  return WithContext(CheckLaunchShape(shape, device, /*static_shared_bytes=*/0), "--grid, --block, --shared-bytes");
}

/// Returns the functions of the module to run.
absl::StatusOr<std::vector<std::string>> ChooseFunctions(const CompileOptions& options,
                                                         const VerifiableModule& module) {
  const std::string& wanted = options.run.function;
  if (!wanted.empty()) {
    if (std::find(module.functions.begin(), module.functions.end(), wanted) != module.functions.end()) {
      return std::vector<std::string>{wanted};
    }
    return InvalidArgument(absl::StrCat("the module has no public function or kernel ", wanted, "; it has ",
                                        absl::StrJoin(module.functions, ", ")));
  }
  if (module.launchers || module.functions.size() == 1) return module.functions;
  return InvalidArgument(absl::StrCat("the module has several public functions: give --run with one of ",
                                      absl::StrJoin(module.functions, ", ")));
}

absl::StatusOr<std::vector<ModelValue>> MakeArguments(const CompileOptions& options, const ModelFunction& function) {
  std::vector<std::string> texts = options.run.arguments;
  if (texts.empty() && !function.arguments.empty()) texts = {kDefaultArgument};
  absl::StatusOr<std::vector<ModelValue>> values = ParseArguments(texts, function);
  if (values.ok()) return values;
  return WithContext(values.status(), absl::StrCat("arguments of @", function.name, " (give --arg for each)"));
}

/// Calls the reference; returns its results, then its arguments.
absl::StatusOr<std::vector<ModelValue>> RunReference(const CompiledModel& reference, const std::string& function,
                                                     std::vector<ModelValue> arguments) {
  const auto found = std::find_if(reference.functions.begin(), reference.functions.end(),
                                  [&function](const ModelFunction& of) { return of.name == function; });
  if (found == reference.functions.end())
    return Internal(absl::StrCat("--check: the reference, compiled for the CPU, has no function ", function,
                                 ", which the module has; report this as a bug of mmtune, with the module; without "
                                 "--check, the other checks still run"));
  ASSIGN_OR_RETURN(std::unique_ptr<ModelRunner> runner, ModelRunner::Load(reference));
  ASSIGN_OR_RETURN(std::vector<ModelValue> values, runner->Run(*found, &arguments));
  std::move(arguments.begin(), arguments.end(), std::back_inserter(values));
  return values;
}

absl::Status CompareValues(const std::vector<ModelValue>& references, std::optional<double> said, MathMode math,
                           FunctionVerification* result) {
  result->values_right = false;
  result->comparison = "not equal to the reference: there is no result";
  if (result->values.size() != references.size()) return absl::OkStatus();
  double widest = 0;
  for (size_t i = 0; i < references.size(); ++i) {
    ASSIGN_OR_RETURN(Difference difference, Compare(result->values[i], references[i]));
    const double tolerance = said.value_or(DefaultTolerance(references[i].type, math));
    widest = std::max(widest, tolerance);
    if (Accepts(difference, references[i].type, tolerance)) continue;
    result->comparison =
        absl::StrCat("not equal to the reference within ", tolerance, " (element ", difference.worst, " of ",
                     references[i].type.text, " is ", difference.value, ", not ", difference.expected, ")");
    return absl::OkStatus();
  }
  result->values_right = true;
  result->comparison = absl::StrCat("equal to the reference within ", widest);
  return absl::OkStatus();
}

absl::Status CheckTarget(const DeviceInfo& target) {
  if (target.kind == DeviceKind::kSimt) return absl::OkStatus();
  return InvalidArgument(
      "--verify runs on the SIMT device: give --device simt, and the architecture whose limits it should have by "
      "--arch");
}

/// One verification, step by step, on the SIMT device unless the options name another one.
class Verification {
 public:
  explicit Verification(const CompileOptions& options) : options_(options) {
    if (options_.device.empty()) options_.device = "simt";
  }

  absl::Status Prepare() {
    ASSIGN_OR_RETURN(request_, ReadRequest(options_));
    RETURN_IF_ERROR(CheckTarget(request_.options.target.device));
    request_.options.target.race_detection = true;
    ASSIGN_OR_RETURN(sizes_.grid, ParseSizes("--grid", options_.verify.grid));
    ASSIGN_OR_RETURN(sizes_.block, ParseSizes("--block", options_.verify.block));
    sizes_.shared_bytes = options_.verify.shared_bytes;
    return CheckSizes(sizes_, request_.options.target.device);
  }

  /// Sets reported() if the errors are on standard error already.
  absl::Status Compile() {
    RETURN_IF_ERROR(RunUserPasses(&request_, &reported_));
    ASSIGN_OR_RETURN(VerifiableModule module,
                     MakeVerifiable(request_.text, request_.name, sizes_, [this](std::string_view text) {
                       reported_ |= absl::StrContains(ToAbsl(text), "error:");
                       PrintDiagnostic(text);
                     }));
    ASSIGN_OR_RETURN(functions_, ChooseFunctions(options_, module));
    ASSIGN_OR_RETURN(std::unique_ptr<ModelCompiler> compiler, ModelCompiler::Create());
    if (options_.run.check) {
      ASSIGN_OR_RETURN(reference_, CompileReference(/*zero_activation_limits=*/false));
    }
    ModelRequest compiled = request_;
    compiled.text = std::move(module.text);
    if (module.launchers) compiled.name += " with launchers";  // diagnostics quote the file, not the bytecode
    compiled.options.check_functions = [this](const std::vector<ModelFunction>& functions) {
      for (const ModelFunction& function : functions) {
        if (IsChosen(function)) RETURN_IF_ERROR(MakeArguments(options_, function).status());
      }
      return absl::OkStatus();
    };
    ASSIGN_OR_RETURN(model_, CompileRequest(*compiler, compiled, ModelStage::kObject, &reported_));
    if (model_.kernels.empty()) {
      return InvalidArgument(absl::StrCat(request_.name, ": the module has no kernel to verify"));
    }
    request_.debug_outputs.reset();  // A crash of the kernels needs no reproducer.
    compiled.debug_outputs.reset();
    compiled.options.observer = {};
    compiled.options.shared_apart = true;
    auto silent = [](std::string_view) {};  // Diagnostics were printed by the first compilation.
    ASSIGN_OR_RETURN(apart_,
                     compiler->Compile(compiled.text, compiled.name, compiled.options, ModelStage::kObject, silent));
    return absl::OkStatus();
  }

  /// True when every function is verified.
  absl::StatusOr<bool> Run() {
    bool passed = true;
    for (const ModelFunction& function : model_.functions) {
      if (!IsChosen(function)) continue;
      ASSIGN_OR_RETURN(std::vector<ModelValue> arguments, MakeArguments(options_, function));
      ASSIGN_OR_RETURN(FunctionVerification result, VerifyFunction(model_, apart_, function, arguments, MakeOptions()));
      if (options_.run.check) {
        ASSIGN_OR_RETURN(std::vector<ModelValue> references, RunReference(reference_, function.name, arguments));
        auto limited = [&]() -> absl::StatusOr<std::vector<ModelValue>> {
          ASSIGN_OR_RETURN(CompiledModel reference, CompileReference(/*zero_activation_limits=*/true));
          return RunReference(reference, function.name, arguments);
        };
        RETURN_IF_ERROR(ReplaceNans(result.values, limited, &references));
        RETURN_IF_ERROR(CompareValues(references, options_.run.tolerance, request_.options.math, &result));
      }
      Print(result);
      passed &= result.passed();
    }
    std::fflush(stdout);
    return passed;
  }

  bool reported() const { return reported_; }

 private:
  absl::StatusOr<CompiledModel> CompileReference(bool zero_activation_limits) const {
    ASSIGN_OR_RETURN(std::unique_ptr<ModelCompiler> compiler, ModelCompiler::Create());
    absl::StatusOr<CompiledModel> reference = compiler->CompileReference(
        request_.text, request_.name, request_.options.sums_as_written, PrintDiagnostic, zero_activation_limits);
    if (!reference.ok()) return WithContext(reference.status(), "--check: compiling the reference");
    return reference;
  }

  bool IsChosen(const ModelFunction& function) const {
    return std::find(functions_.begin(), functions_.end(), function.name) != functions_.end();
  }

  VerificationOptions MakeOptions() const {
    VerificationOptions verification;
    verification.arch = request_.options.target.device.arch;
    verification.fuzzing_runs = options_.verify.fuzzing_runs;
    verification.accept_differing = options_.verify.allow_nondeterministic;
    verification.time_limit = std::chrono::seconds(options_.verify.time_limit);
    verification.on_time_limit = [this](const FunctionVerification& unfinished) {
      Print(unfinished);
      std::fflush(stdout);
      _exit(kExitFailed);
    };
    return verification;
  }

  void Print(const FunctionVerification& result) const {
    const std::string text = options_.json ? FunctionVerificationJson(result) : FunctionVerificationText(result);
    std::printf("%s\n", text.c_str());
  }

  CompileOptions options_;
  ModelRequest request_;
  LaunchSizes sizes_;
  std::vector<std::string> functions_;
  CompiledModel model_, apart_;
  CompiledModel reference_;  ///< With --check.
  bool reported_ = false;
};

}  // namespace

int RunVerifyCommand(const CompileOptions& options) {
  Verification verification(options);
  if (absl::Status status = verification.Prepare(); !status.ok()) return PrintError(status, kExitUsage);
  if (absl::Status status = verification.Compile(); !status.ok()) {
    return verification.reported() ? FailedCompilation(status, /*reported=*/true) : PrintError(status, kExitUsage);
  }
  absl::StatusOr<bool> passed = verification.Run();
  if (!passed.ok()) return PrintError(passed.status(), kExitUsage);
  return *passed ? kExitOk : kExitFailed;
}

}  // namespace mmtune
