// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/kernels/mutation/mutant_run.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>

#include "absl/strings/str_cat.h"
#include "kernels/builder/host_builder.h"
#include "kernels/compiler/pipelines/compiler_context.h"
#include "kernels/compiler/pipelines/pipelines.h"
#include "kernels/simulator/simt_device.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

absl::StatusOr<std::string> Compile(const KernelCase& kernel, const std::optional<Mutation>& mutation,
                                    const DeviceInfo& device, bool race_detection) {
  CompilerContext context(createCompilerRegistry());
  mlir::OwningOpRef<mlir::ModuleOp> module = kernel.module(context.mlir());
  if (!module) return context.failure("the kernel");
  if (mutation) ApplyMutation(*module->getOps<mlir::gpu::GPUModuleOp>().begin(), *mutation);
  if (mlir::failed(mlir::verify(*module))) return context.failure("the mutant is invalid");
  CompileTarget target;
  target.device = device;
  target.race_detection = race_detection;
  std::vector<ModuleImage> images;
  mlir::PassManager passes(&context.mlir(), mlir::ModuleOp::getOperationName());
  buildGpuToBinaryPipeline(passes, {target, &images});
  if (mlir::failed(passes.run(*module))) return context.failure("lowering the mutant");
  return std::move(images.front().image.bytes);
}

/// The first difference from what is expected, or an empty text.
std::string Difference(const KernelCase& kernel, const std::vector<float>& got) {
  const std::vector<float>& expected = kernel.expected();
  for (size_t i = 0; i < expected.size(); ++i) {
    if (!kernel.IsRight(got[i], expected[i])) return absl::StrCat("element ", i, " is ", got[i], ", not ", expected[i]);
  }
  return "";
}

absl::StatusOr<std::string> RunOnce(const KernelCase& kernel, const std::string& image,
                                    const simt::SimtOptions& options) {
  ASSIGN_OR_RETURN(std::unique_ptr<Device> device, simt::SimtDevice::Create(options));
  ASSIGN_OR_RETURN(std::unique_ptr<DeviceModule> module, device->LoadModule(ImageFormat::kSimtObject, image));
  ASSIGN_OR_RETURN(std::vector<float> got, kernel.run(*device, *module));
  return Difference(kernel, got);
}

MutantResult Examine(const KernelCase& kernel, const std::optional<Mutation>& mutation, const RunBudget& budget) {
  simt::SimtOptions options;
  options.arch = "sm_90";
  options.threads = 1;
  const DeviceInfo device = (*simt::SimtDevice::Create(options))->info();
  absl::StatusOr<std::string> checked = Compile(kernel, mutation, device, /*race_detection=*/true);
  if (!checked.ok()) return {Verdict::kNotCompiled, std::string(checked.status().message())};

  options.race_detector = true;
  absl::StatusOr<std::string> wrong = RunOnce(kernel, *checked, options);
  if (!wrong.ok()) return {Verdict::kFinding, std::string(wrong.status().message())};
  if (!wrong->empty()) return {Verdict::kWrongInRaceDetection, *wrong};

  absl::StatusOr<std::string> image = Compile(kernel, mutation, device, /*race_detection=*/false);
  if (!image.ok()) return {Verdict::kNotCompiled, std::string(image.status().message())};
  options.race_detector = false;
  for (int seed = 1; seed <= budget.verification_seeds + budget.exhaustive_seeds; ++seed) {
    options.fuzzing_seed = seed;
    wrong = RunOnce(kernel, *image, options);
    if (wrong.ok() && wrong->empty()) continue;
    const std::string detail = wrong.ok() ? *wrong : std::string(wrong.status().message());
    return {seed <= budget.verification_seeds ? Verdict::kWrongWhenFuzzed : Verdict::kMissed,
            absl::StrCat("seed ", seed, ": ", detail)};
  }
  return {Verdict::kHarmless, ""};
}

std::string ReadAll(int fd) {
  std::string text;
  char buffer[4096];
  for (ssize_t got; (got = read(fd, buffer, sizeof(buffer))) > 0;) text.append(buffer, static_cast<size_t>(got));
  return text;
}

}  // namespace

std::string_view VerdictName(Verdict verdict) {
  constexpr std::string_view kNames[] = {"refused", "finding", "wrong values", "wrong under stress",
                                         "hung",    "missed:", "harmless"};
  return kNames[static_cast<size_t>(verdict)];
}

MutantResult RunMutant(const KernelCase& kernel, const std::optional<Mutation>& mutation, const RunBudget& budget) {
  int ends[2];
  if (pipe(ends) != 0) return {Verdict::kMissed, absl::StrCat("pipe: ", std::strerror(errno))};
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    alarm(static_cast<unsigned>(budget.seconds));
    const MutantResult result = Examine(kernel, mutation, budget);
    const std::string text = absl::StrCat(static_cast<int>(result.verdict), "\n", result.detail);
    _exit(write(ends[1], text.data(), text.size()) == static_cast<ssize_t>(text.size()) ? 0 : 1);
  }
  close(ends[1]);
  const std::string text = ReadAll(ends[0]);
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM) return {Verdict::kHung, "no end in time"};
  if (text.empty()) return {Verdict::kMissed, absl::StrCat("the process that ran it ended with status ", status)};
  const size_t line = text.find('\n');
  return {static_cast<Verdict>(std::stoi(text.substr(0, line))), text.substr(line + 1)};
}

}  // namespace mmtune
