// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/tools/compile_command.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <new>
#include <optional>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "kernels/compiler/compiler.h"
#include "kernels/compiler/model/model_runner.h"
#include "kernels/runtime/mgpu.h"
#include "kernels/runtime/open_device.h"
#include "kernels/simulator/ptx/ptx_compiler.h"
#include "kernels/tools/compile_report.h"
#include "kernels/tools/values.h"
#include "proto/base/clock.h"
#include "proto/base/status.h"
#include "proto/command_line/help.h"

namespace mmtune {
namespace {

/// The results of one call, and its arguments afterwards.
struct Outcome {
  std::vector<ModelValue> results, arguments;
  std::vector<double> ms;             ///< Time of each call.
  std::vector<int64_t> matmul_calls;  ///< The first call's, if the model counts them (GetMgpuMatmulCalls()).
};

void Print(const std::string& line) { std::printf("%s\n", line.c_str()); }

absl::StatusOr<std::unique_ptr<Device>> MakeDevice(const CompileOptions& options, const DeviceInfo& target) {
  if (target.kind == DeviceKind::kSimt) return CreateSimtDevice(target.arch);
  ASSIGN_OR_RETURN(DeviceSelector selector, ParseDeviceSelector(options.device.empty() ? "cuda" : options.device));
  return CreateCudaDevice(std::max(selector.index, 0));
}

absl::StatusOr<const ModelFunction*> FindFunction(const std::vector<ModelFunction>& functions,
                                                  const std::string& name) {
  for (const ModelFunction& function : functions) {
    if (function.name == name) return &function;
  }
  auto names = [](std::string* out, const ModelFunction& function) { absl::StrAppend(out, function.name); };
  return InvalidArgument(
      absl::StrCat("the module has no public function ", name, "; it has ", absl::StrJoin(functions, ", ", names)));
}

/// Calls the function `repeat` times, each time with a copy of the arguments.
absl::StatusOr<Outcome> Call(const CompiledModel& model, const ModelFunction& function,
                             const std::vector<ModelValue>& arguments, int repeat) {
  CrashSubject subject("run of @" + function.name);
  ASSIGN_OR_RETURN(std::unique_ptr<ModelRunner> runner, ModelRunner::Load(model));
  Outcome outcome;
  for (int i = 0; i < repeat; ++i) {
    std::vector<ModelValue> own = arguments;
    const auto start = std::chrono::steady_clock::now();
    ASSIGN_OR_RETURN(std::vector<ModelValue> results, runner->Run(function, &own));
    outcome.ms.push_back(Milliseconds(std::chrono::steady_clock::now() - start));
    if (i > 0) continue;
    outcome.matmul_calls = GetMgpuMatmulCalls();
    outcome.results = std::move(results);
    outcome.arguments = std::move(own);
  }
  return outcome;
}

/// Returns the median of the calls after the first, or the time of the only one.
double MedianMs(const std::vector<double>& ms) {
  if (ms.size() == 1) return ms.front();
  std::vector<double> sorted(ms.begin() + 1, ms.end());
  std::nth_element(sorted.begin(), sorted.begin() + static_cast<ptrdiff_t>(sorted.size() / 2), sorted.end());
  return sorted[sorted.size() / 2];
}

std::string CallTimesText(const std::vector<double>& ms) {
  std::string text = absl::StrFormat("run       %.3f ms", ms.front());
  if (ms.size() == 1) return text;
  return absl::StrCat(text, " the first call, ",
                      absl::StrFormat("median %.3f ms of %d more", MedianMs(ms), ms.size() - 1));
}

/// Writes the file of --emit matmuls: the model's matmuls as the run computed them.
absl::Status WriteCountedMatmuls(const CompileOptions& options, ModelMatmuls matmuls, const Outcome& outcome) {
  for (size_t i = 0; i < matmuls.matmuls.size(); ++i) {
    matmuls.matmuls[i].calls = i < outcome.matmul_calls.size() ? outcome.matmul_calls[i] : 0;
  }
  matmuls.run_ns = 1e6 * MedianMs(outcome.ms);
  return WriteMatmuls(options, matmuls);
}

/// Prints results, and the arguments that the function changed.
absl::Status PrintValues(const Outcome& outcome, const std::vector<ModelValue>& before, bool full) {
  for (size_t i = 0; i < outcome.results.size(); ++i) {
    ASSIGN_OR_RETURN(std::string text, ValueText(outcome.results[i], full));
    Print(absl::StrCat("result ", i, "  ", text));
  }
  for (size_t i = 0; i < outcome.arguments.size(); ++i) {
    if (outcome.arguments[i].data == before[i].data) continue;
    ASSIGN_OR_RETURN(std::string text, ValueText(outcome.arguments[i], full));
    Print(absl::StrCat("argument ", i, " now  ", text));
  }
  return absl::OkStatus();
}

/// Compares values with the reference. For arguments, `before` are their former values: unchanged ones are not printed,
/// nor are writable tensors, whose contents are undefined.
absl::Status CheckValues(std::string_view what, const std::vector<ModelValue>& values,
                         const std::vector<ModelValue>& references, const std::vector<ModelValue>* before,
                         std::optional<double> said, MathMode math) {
  if (values.size() != references.size())
    return Internal(absl::StrCat("the reference has ", references.size(), " results, but the run has ", values.size()));
  for (size_t i = 0; i < values.size(); ++i) {
    if (before != nullptr && values[i].type.is_writable_tensor) continue;
    if (before != nullptr && values[i].data == (*before)[i].data && references[i].data == (*before)[i].data) continue;
    ASSIGN_OR_RETURN(Difference difference, Compare(values[i], references[i]));
    const double tolerance = said.value_or(DefaultTolerance(values[i].type, math));
    const bool accepted = Accepts(difference, values[i].type, tolerance);
    const std::string text = absl::StrFormat("%s %d: max abs error %.3g, %.3g of the largest magnitude",
                                             std::string(what), i, difference.max_abs, difference.relative);
    if (!accepted) {
      return FailedPrecondition(absl::StrFormat("%s, over %g; element %d is %s, the reference has %s", text, tolerance,
                                                difference.worst, difference.value, difference.expected));
    }
    Print(absl::StrCat("check     ", text));
  }
  return absl::OkStatus();
}

/// Makes the same call as a GPU of the target's architecture would get it: the SIMT device runs its PTX.
absl::StatusOr<Outcome> CallShippedPtx(const CompileOptions& options, ModelCompiler& compiler,
                                       const ModelRequest& request, const ModelFunction& function,
                                       const std::vector<ModelValue>& arguments) {
  ModelOptions shipped = request.options;
  shipped.target.shipped_ptx = true;
  shipped.check_functions = nullptr;
  shipped.observer = {};
  std::string diagnostics;  // Remarks are on standard error already.
  absl::StatusOr<CompiledModel> model = compiler.Compile(request.text, request.name, shipped, ModelStage::kObject,
                                                         [&](std::string_view text) { diagnostics += text; });
  if (!model.ok()) {
    PrintDiagnostic(diagnostics);
    return WithContext(model.status(), "--check: compiling to PTX");
  }
  simt::SimtOptions device_options;
  device_options.arch = shipped.target.device.arch;
  ASSIGN_OR_RETURN(std::unique_ptr<Device> device, ptx::createPtxDevice(device_options));
  SetMgpuDevice(device.get());
  absl::StatusOr<Outcome> outcome = Call(*model, function, arguments, 1);
  SetMgpuDevice(nullptr);
  if (!outcome.ok()) return WithContext(outcome.status(), "--check: running the PTX");
  Print(absl::StrCat("checked   the PTX for ", device_options.arch,
                     options.arch.empty() ? ", for which the SIMT device stands unless --arch names another" : ""));
  return outcome;
}

/// Makes the same call of the module compiled for the CPU alone.
absl::StatusOr<Outcome> CallReference(ModelCompiler& compiler, const ModelRequest& request,
                                      const std::vector<ModelValue>& arguments, const ModelRunOptions& options,
                                      bool zero_activation_limits) {
  absl::StatusOr<CompiledModel> model = compiler.CompileReference(
      request.text, request.name, request.options.sums_as_written, PrintDiagnostic, zero_activation_limits);
  if (!model.ok()) return WithContext(model.status(), "--check: compiling the reference");
  ASSIGN_OR_RETURN(const ModelFunction* function, FindFunction(model->functions, options.function));
  return Call(*model, *function, arguments, 1);
}

/// Compares with the module as it is written. Where that gives NaN, an element may also be the result with gelu and
/// silu that are 0 at minus infinity, as in kernels.
absl::Status CheckAgainstReference(ModelCompiler& compiler, const ModelRequest& request, const Outcome& outcome,
                                   const std::vector<ModelValue>& arguments, const ModelRunOptions& options) {
  ASSIGN_OR_RETURN(Outcome reference,
                   CallReference(compiler, request, arguments, options, /*zero_activation_limits=*/false));
  auto limited = [&] { return CallReference(compiler, request, arguments, options, /*zero_activation_limits=*/true); };
  auto results = [&]() -> absl::StatusOr<std::vector<ModelValue>> {
    ASSIGN_OR_RETURN(Outcome call, limited());
    return std::move(call.results);
  };
  auto changed = [&]() -> absl::StatusOr<std::vector<ModelValue>> {
    ASSIGN_OR_RETURN(Outcome call, limited());
    return std::move(call.arguments);
  };
  RETURN_IF_ERROR(ReplaceNans(outcome.results, results, &reference.results));
  RETURN_IF_ERROR(ReplaceNans(outcome.arguments, changed, &reference.arguments));
  const MathMode math = request.options.math;
  RETURN_IF_ERROR(CheckValues("result", outcome.results, reference.results, nullptr, options.tolerance, math));
  return CheckValues("argument", outcome.arguments, reference.arguments, &arguments, options.tolerance, math);
}

absl::Status CheckCounters(const MgpuCounters& counters) {
  const std::string text =
      absl::StrCat("counters  ", counters.allocations, " allocations, ", counters.frees, " frees, ",
                   counters.streams_created, " streams, ", counters.streams_destroyed, " destroyed, ",
                   counters.events_created, " events, ", counters.events_destroyed, " destroyed, ",
                   counters.modules_loaded, " modules, ", counters.modules_unloaded, " unloaded, ", counters.launches,
                   " launches, ", counters.uploads, " uploads, ", counters.downloads, " downloads");
  Print(text);
  if (counters.allocations == counters.frees && counters.streams_created == counters.streams_destroyed &&
      counters.events_created == counters.events_destroyed && counters.modules_loaded == counters.modules_unloaded) {
    return absl::OkStatus();
  }
  return Internal("the run leaked memory, streams or events of the device: more were created than released");
}

absl::Status RunAndCheck(const CompileOptions& options, ModelCompiler& compiler, const ModelRequest& request,
                         const CompiledModel& model, const ModelFunction& function,
                         const std::vector<ModelValue>& arguments) {
  ASSIGN_OR_RETURN(Outcome outcome, Call(model, function, arguments, options.run.repeat));
  const MgpuCounters counters = GetMgpuCounters();
  if (!options.quiet) Print(CallTimesText(outcome.ms));
  if (!options.emit.empty()) RETURN_IF_ERROR(WriteCountedMatmuls(options, model.matmuls, outcome));
  if (options.run.check && !model.kernels.empty() && request.options.target.IsSimtObject()) {
    ASSIGN_OR_RETURN(outcome, CallShippedPtx(options, compiler, request, function, arguments));
  }
  RETURN_IF_ERROR(PrintValues(outcome, arguments, options.run.print_full));
  if (options.run.check) RETURN_IF_ERROR(CheckAgainstReference(compiler, request, outcome, arguments, options.run));
  return CheckCounters(counters);
}

/// Adds advice to the error of an undefined function or global.
absl::Status WithAdvice(const absl::Status& status) {
  if (!absl::StrContains(status.message(), "Symbols not found")) return status;
  return absl::Status(status.code(),
                      absl::StrCat(status.message(),
                                   ": a func.func without a body and a memref.global without a value are declarations: "
                                   "name the library that has it by --shared-libs, or give a global a "
                                   "value, or = uninitialized"));
}

/// Calls RunAndCheck() and turns exhausted memory into an error.
absl::Status RunInMemory(const CompileOptions& options, ModelCompiler& compiler, const ModelRequest& request,
                         const CompiledModel& model, const ModelFunction& function,
                         const std::vector<ModelValue>& arguments) {
  try {
    return WithAdvice(RunAndCheck(options, compiler, request, model, function, arguments));
  } catch (const std::bad_alloc&) {
    size_t bytes = 0;
    for (const ModelValue& argument : arguments) bytes += argument.data.size();
    return ResourceExhausted(
        absl::StrCat("no memory to run @", function.name, " with arguments of ", bytes, " bytes in all"));
  }
}

}  // namespace

int RunModelCommand(const CompileOptions& options) {
  absl::StatusOr<ModelRequest> request = ReadRequest(options);
  if (!request.ok()) return PrintError(request.status(), kExitUsage);
  if (!options.emit.empty()) {
    const absl::Status status = CheckOutputs(options, EmitKind::kMatmuls, request->options.target.device);
    if (!status.ok()) return PrintError(status, absl::IsInvalidArgument(status) ? kExitUsage : kExitFailed);
    request->options.count_matmuls = true;
  }
  absl::StatusOr<std::unique_ptr<Device>> device = MakeDevice(options, request->options.target.device);
  if (!device.ok()) return PrintError(WithContext(device.status(), "--run"), kExitUsage);
  SetMgpuDevice(device->get());
  absl::StatusOr<std::unique_ptr<ModelCompiler>> compiler = ModelCompiler::Create();
  if (!compiler.ok()) return PrintError(compiler.status(), kExitFailed);
  // Arguments are checked before anything is compiled.
  absl::StatusOr<std::vector<ModelValue>> arguments = std::vector<ModelValue>();
  request->options.check_functions = [&](const std::vector<ModelFunction>& functions) {
    absl::StatusOr<const ModelFunction*> function = FindFunction(functions, options.run.function);
    arguments = function.ok() ? ParseArguments(options.run.arguments, **function) : function.status();
    return arguments.status();
  };
  bool reported = false;
  absl::StatusOr<CompiledModel> model =
      RunPassesAndCompile(options, **compiler, &*request, ModelStage::kObject, &reported);
  request->debug_outputs.reset();  // A crash of the model's code needs no reproducer.
  if (!arguments.ok()) return PrintError(arguments.status(), kExitUsage);
  if (!model.ok()) return FailedCompilation(model.status(), reported);
  absl::StatusOr<const ModelFunction*> function = FindFunction(model->functions, options.run.function);
  if (!function.ok()) return PrintError(function.status(), kExitUsage);
  std::printf("%s", CompileReport(options, *model, OutputColumns()).c_str());
  absl::Status status = RunInMemory(options, **compiler, *request, *model, **function, *arguments);
  std::fflush(stdout);
  SetMgpuDevice(nullptr);
  return status.ok() ? kExitOk : PrintError(status, kExitFailed);
}

}  // namespace mmtune
