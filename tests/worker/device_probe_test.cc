// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the probe makes of the CUDA devices of a host.
#include "worker/device_probe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include "absl/strings/str_cat.h"
#include "kernels/families/common/registry.h"
#include "tests/kernels/perf_model/fake_disassembler.h"
#include "worker/agent/device_selection.h"

namespace mmtune {
namespace {

using testing::AllOf;
using testing::HasSubstr;

CudaDeviceEntry Entry(int ordinal, const std::string& name, const std::string& arch) {
  CudaDeviceEntry entry;
  entry.ordinal = ordinal;
  entry.info.kind = DeviceKind::kCuda;
  entry.info.name = name;
  entry.info.uuid = "GPU-" + name;
  entry.info.arch = arch;
  entry.info.multiprocessors = 100;
  entry.info.shared_bytes_per_block = 101376;
  entry.info.memory_bytes = 1 << 30;
  return entry;
}

TEST(AddCudaDevices, ANewerDeviceGetsTheCodeOfTheNewestKnownOne) {
  worker::Probe probe;
  AddCudaDevices({Entry(0, "Hopper", "sm_90"), Entry(1, "Rubin", "sm_130")}, "", probe);
  const std::vector<WorkerDevice> devices = ProbedDevices(probe).value();
  ASSERT_EQ(devices.size(), 2u);
  EXPECT_EQ(devices[0].info.arch, "sm_90");
  EXPECT_EQ(devices[0].native_arch, "sm_90");
  EXPECT_EQ(devices[1].info.arch, "sm_120");
  EXPECT_EQ(devices[1].native_arch, "sm_130");
  EXPECT_EQ(devices[1].info.name, "Rubin");
  EXPECT_EQ(devices[1].info.shared_bytes_per_block, 101376);
  EXPECT_EQ(devices[1].toolchain.assembler, "driver");
  EXPECT_EQ(probe.no_cuda_reason(), "");
}

TEST(AddCudaDevices, DevicesKeepTheDriversOrdinals) {
  worker::Probe probe;
  AddCudaDevices({Entry(1, "Ampere", "sm_80"), Entry(3, "Ada", "sm_89")}, "CUDA device 0: lost", probe);
  const std::vector<WorkerDevice> devices = ProbedDevices(probe).value();
  ASSERT_EQ(devices.size(), 2u);
  EXPECT_EQ(devices[0].selector, "cuda:1");
  EXPECT_EQ(devices[1].selector, "cuda:3");

  auto third = SelectDevices({ParseDeviceSelector("cuda:3").value()}, devices, probe.no_cuda_reason());
  ASSERT_TRUE(third.ok()) << third.status();
  EXPECT_EQ(third->at(0).info.name, "Ada");
  absl::Status lost = SelectDevices({ParseDeviceSelector("cuda:0").value()}, devices, probe.no_cuda_reason()).status();
  EXPECT_THAT(std::string(lost.message()), HasSubstr("CUDA device 0: lost"));
}

TEST(AddCudaDevices, AnOlderDeviceIsNotOfferedAndTheReasonSaysWhy) {
  worker::Probe probe;
  AddCudaDevices({Entry(0, "Volta", "sm_70")}, "", probe);
  EXPECT_EQ(probe.devices_size(), 0);
  EXPECT_THAT(probe.no_cuda_reason(), AllOf(HasSubstr("CUDA device 0 (Volta)"), HasSubstr("older than sm_75")));
  EXPECT_EQ(probe.no_cuda_reason().find('\n'), std::string::npos);
}

TEST(AddCudaDevices, NoDeviceHasAReason) {
  worker::Probe probe;
  AddCudaDevices({}, "libcuda.so.1 is not here", probe);
  EXPECT_EQ(probe.no_cuda_reason(), "libcuda.so.1 is not here");
}

TEST(RealChildParts, CompileVerifyMeasureAndProbe) {
  const ChildParts parts = RealChildParts();
  absl::StatusOr<std::unique_ptr<Compiler>> compiler = parts.make_compiler();
  ASSERT_TRUE(compiler.ok()) << compiler.status();
  EXPECT_NE(parts.make_verifier(compiler->get(), ""), nullptr);
  const auto measurer = parts.make_measurer(ParseDeviceSelector("simt").value());
  EXPECT_TRUE(measurer.ok()) << measurer.status();
  const worker::Probe probe = parts.probe("sm_86");
  const std::vector<WorkerDevice> devices = ProbedDevices(probe).value();
  ASSERT_FALSE(devices.empty());
  EXPECT_EQ(devices.back().info.kind, DeviceKind::kSimt);
  EXPECT_EQ(devices.back().info.arch, "sm_86");
}

TEST(RealChildParts, TheModelReadsWhatTheDisassemblerPrints) {
  const ChildParts parts = RealChildParts();
  const MatmulProblem problem{128, 128, 256};
  const Schedule schedule = *ParseSchedule(
      "fma async=1 bk=4 bm=32 bn=32 fragments=1 group_m=1 kmajor_a=0 lm=4 min_blocks=1 order=1 pad_a=4 pad_b=0 "
      "reduction=0 slice_k=1 split_k=1 "
      "stages=2 stream_k=1 tm=4 tn=4 unroll_k=4");
  DeviceInfo device = *ArchitectureLimits("sm_90");
  device.multiprocessors = 1;
  CompiledKernel kernel;
  kernel.format = ImageFormat::kCubin;
  kernel.plan.steps.resize(1);
  kernel.plan.steps[0].kernel = "gemm_simt";
  const auto share = [&](int64_t registers) {
    kernel.resources.threads = 64;
    kernel.resources.registers = registers;
    return parts.model_share(problem, schedule, device, kernel);
  };
  {
    const FakeDisassembler disassembler(absl::StrCat("cat ", LISTINGS, "/fma_sm_90.sass"));
    const absl::StatusOr<double> few = share(64), many = share(255);
    ASSERT_TRUE(few.ok() && many.ok()) << few.status() << many.status();
    EXPECT_LT(*many, *few) << "what the kernel really needs decides how many blocks are resident";
    EXPECT_GT(*many, 0);
    EXPECT_LE(*few, 1);
  }
  setenv("MMTUNE_NVDISASM", "none", 1);
  EXPECT_THAT(std::string(share(64).status().message()), HasSubstr("no nvdisasm in"));
  unsetenv("MMTUNE_NVDISASM");
}

// It ends without an error and writes nothing. Set before all tests, as ptxas is looked for once in a process.
const int kAssembler = setenv("MMTUNE_PTXAS", "/bin/true", 1);

// What that assembler does is the candidate's failure, as far as one can tell; where no file can be written it is the
// host's.
TEST(RealChildParts, AFailureOfTheHostIsNotTheCandidates) {
  ASSERT_EQ(kAssembler, 0);
  std::unique_ptr<Compiler> compiler = RealChildParts().make_compiler().value();
  const MatmulProblem problem{64, 64, 64};
  CompileTarget target;
  target.device = ArchitectureLimits("sm_80").value();
  target.device.kind = DeviceKind::kCuda;
  target.device.arch = "sm_80";
  const Schedule schedule = LadderSchedules(problem, target.device).back().second;
  EXPECT_TRUE(absl::IsInternal(compiler->Compile(problem, schedule, target).status()));
  const char* folder = getenv("TMPDIR");
  const std::string before = folder == nullptr ? "" : folder;
  setenv("TMPDIR", "/proc/nowhere", 1);
  const absl::Status status = compiler->Compile(problem, schedule, target).status();
  folder == nullptr ? unsetenv("TMPDIR") : setenv("TMPDIR", before.c_str(), 1);
  EXPECT_TRUE(absl::IsUnavailable(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("the host cannot compile: "));
}

}  // namespace
}  // namespace mmtune
