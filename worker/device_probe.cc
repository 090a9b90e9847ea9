// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/device_probe.h"

#include <chrono>
#include <utility>

#include "absl/strings/str_cat.h"
#include "kernels/compiler/codegen/ptxas.h"
#include "kernels/compiler/compiler.h"
#include "kernels/families/common/registry.h"
#include "kernels/perf_model/profile/kernel_bounds.h"
#include "kernels/perf_model/schedule_geometry.h"
#include "kernels/runtime/open_device.h"
#include "proto/base/folders.h"
#include "proto/base/log.h"
#include "proto/base/status.h"
#include "proto/base/subprocess.h"
#include "proto/base/whole_file.h"
#include "proto/wire/convert.h"
#include "worker/agent/device_selection.h"
#include "worker/children/child.h"
#include "worker/children/timing_gate.h"
#include "worker/measure/device_measurer.h"
#include "worker/verify/schedule_verifier.h"

namespace mmtune {
namespace {

// As CompilerToolchain() names it.
constexpr std::string_view kDriverAssembles = "driver";
// More than what an assembler reads and writes for a kernel.
constexpr size_t kImageBytes = size_t{1} << 20;
/// Timings take less.
constexpr Duration kLongestWaitToCount = std::chrono::seconds(1);

worker::ProbedDevice& AddDevice(worker::Probe& probe, const DeviceInfo& info, int index) {
  worker::ProbedDevice* probed = probe.add_devices();
  *probed->mutable_device()->mutable_device() = ToWire(info);
  *probed->mutable_device()->mutable_toolchain() = ToWire(CompilerToolchain(info.kind));
  probed->mutable_device()->set_index(index);
  return *probed;
}

/// Counts the active clusters of a device that has clusters, unless another worker times kernels on it all the while:
/// opening the device would disturb that.
void CountActiveClustersOf(CudaDeviceEntry& entry) {
  if (!HasClusters(entry.info.ComputeCapability())) return;
  TimingGate gate(DeviceLockPath(entry.info.uuid), kLongestWaitToCount);
  if (const TimingGate::Pass pass = gate.EnterShared(); !pass.given_up()) {
    CountActiveClusters(entry.ordinal, entry.info);
  }
}

/// Returns Unavailable, with the reason, if this host cannot compile for the target at all: ptxas is gone, or no file
/// can be written.
absl::Status CheckHost(const CompileTarget& target) {
  absl::Status works;
  if (target.device.kind == DeviceKind::kCuda && target.assemble) {
    works = checkPtxas();
    if (works.ok() && !findPtxas().empty() && !IsProgram(findPtxas())) {
      works = NotFound(absl::StrCat("the assembler ", findPtxas(), " is gone: install it again"));
    }
  }
  if (works.ok()) {
    absl::StatusOr<OwnedFolder> folder = OwnedFolder::Temporary(kScratchPrefix);
    works = folder.ok() ? WriteWholeFile(folder->path() + "/image", std::string(kImageBytes, 'x')) : folder.status();
  }
  return works.ok() ? works : Unavailable(absl::StrCat("the host cannot compile: ", works.message()));
}

/// A compiler that checks the host after each failure, because a full disk looks like any other error of the compiler.
class HostCheckingCompiler : public Compiler {
 public:
  explicit HostCheckingCompiler(std::unique_ptr<Compiler> compiler) : compiler_(std::move(compiler)) {}

  absl::StatusOr<CompiledKernel> Compile(const MatmulProblem& problem, const Schedule& schedule,
                                         const CompileTarget& target) override {
    absl::StatusOr<CompiledKernel> kernel = compiler_->Compile(problem, schedule, target);
    if (absl::IsInternal(kernel.status())) RETURN_IF_ERROR(CheckHost(target));
    return kernel;
  }

 private:
  const std::unique_ptr<Compiler> compiler_;
};

}  // namespace

void AddCudaDevices(const std::vector<CudaDeviceEntry>& devices, std::string why, worker::Probe& probe) {
  for (const CudaDeviceEntry& entry : devices) {
    absl::StatusOr<std::string> arch = GeneratedArchitecture(entry.info.arch);
    if (!arch.ok()) {
      absl::StrAppend(&why, why.empty() ? "" : "; ", "CUDA device ", entry.ordinal, " (", entry.info.name,
                      "): ", arch.status().message());
      continue;
    }
    DeviceInfo info = entry.info;
    info.arch = *arch;
    worker::ProbedDevice& probed = AddDevice(probe, info, entry.ordinal);
    probed.set_native_arch(entry.info.arch);
    if (!RunsCubin(entry.info.arch, info.arch)) {
      probed.mutable_device()->mutable_toolchain()->set_assembler(std::string(kDriverAssembles));
    }
  }
  if (probe.devices().empty() && why.empty()) why = "no CUDA device";
  probe.set_no_cuda_reason(why);
}

worker::Probe ProbeDevices(const std::string& arch) {
  worker::Probe probe;
  std::string why;
  std::vector<CudaDeviceEntry> cuda = ListCudaDevices(&why);
  if (absl::Status assembler = checkPtxas(); !cuda.empty() && !assembler.ok()) {
    LogError("no_cuda_device", {{"error", ToStd(assembler.message())}});
    cuda.clear();
    why = ToStd(assembler.message());
  }
  for (CudaDeviceEntry& entry : cuda) CountActiveClustersOf(entry);
  AddCudaDevices(cuda, std::move(why), probe);
  absl::StatusOr<std::unique_ptr<Device>> simt = CreateSimtDevice(arch);
  if (simt.ok()) {
    AddDevice(probe, (*simt)->info(), 0);
  } else {
    LogError("no_simt_device", {{"error", ToStd(simt.status().message())}});
  }
  return probe;
}

ChildParts RealChildParts() {
  ChildParts parts;
  parts.make_compiler = []() -> absl::StatusOr<std::unique_ptr<Compiler>> {
    ASSIGN_OR_RETURN(std::unique_ptr<Compiler> compiler, Compiler::Create());
    return std::make_unique<HostCheckingCompiler>(std::move(compiler));
  };
  parts.make_verifier = [](Compiler* compiler, const std::string& folder) {
    return std::make_unique<ScheduleVerifier>(compiler, folder);
  };
  parts.model_share = [](const MatmulProblem& problem, const Schedule& schedule, const DeviceInfo& device,
                         const CompiledKernel& kernel) -> absl::StatusOr<double> {
    ASSIGN_OR_RETURN(const ScheduleGeometry geometry, DescribeSchedule(problem, schedule));
    return PredictedPeakFraction(problem, WithCompiledResources(geometry, kernel.resources), device, kernel);
  };
  parts.make_measurer = [](const DeviceSelector& selector) { return DeviceMeasurer::Create(selector); };
  parts.probe = ProbeDevices;
  return parts;
}

}  // namespace mmtune
