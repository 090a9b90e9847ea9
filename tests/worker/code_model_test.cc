// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The model of machine code in the compile child that ships, for a GPU that is not there. Stand-ins for ptxas and
// nvdisasm: neither is needed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "absl/strings/str_cat.h"
#include "absl/synchronization/notification.h"
#include "proto/base/folders.h"
#include "proto/base/log.h"
#include "proto/base/subprocess.h"
#include "tests/worker/children/processes.h"
#include "worker/children/process_evaluator.h"

namespace mmtune {
namespace {

using testing::HasSubstr;

constexpr char kAssembler[] = R"(
while [ $# -gt 0 ]; do [ "$1" = -o ] && echo cubin > "$2"; shift; done
echo "ptxas info    : Compiling entry function 'gemm_simt' for 'sm_90'"
echo "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads"
echo "ptxas info    : Used 64 registers, used 1 barriers")";
/// The cubin of the listing.
constexpr char kSchedule[] =
    "fma async=1 bk=4 bm=32 bn=32 fragments=1 group_m=1 kmajor_a=0 lm=4 min_blocks=1 order=1 pad_a=4 pad_b=0 "
    "reduction=0 slice_k=1 split_k=1 "
    "stages=2 stream_k=1 tm=4 tn=4 unroll_k=4";

class CodeModelTest : public testing::Test {
 protected:
  static void SetUpTestSuite() { MarkProcessTree(); }
  CodeModelTest() { setenv("MMTUNE_PTXAS", Program("ptxas", kAssembler).c_str(), 1); }
  ~CodeModelTest() override {
    for (const char* name : {"MMTUNE_PTXAS", "MMTUNE_NVDISASM"}) unsetenv(name);
  }

  /// One that a shell runs.
  std::string Program(const std::string& name, const std::string& script) const {
    const std::string path = absl::StrCat(programs_.path(), "/", name);
    std::ofstream(path) << "#!/bin/sh\n" << script << "\n";
    EXPECT_EQ(chmod(path.c_str(), 0755), 0);
    return path;
  }

  /// Returns the share reported for a compile task by children that find this disassembler; -1: none.
  double ShareWith(const std::string& disassembler, int times = 1) {
    setenv("MMTUNE_NVDISASM", disassembler.c_str(), 1);
    ProcessEvaluatorOptions options;
    options.executable = ExecutableFolder() + "/mmtune-worker";
    options.devices.resize(1);
    options.scratch_folder = scratch_.path();
    options.lock_devices = false;
    options.limits.model = std::chrono::seconds(1);
    ProcessEvaluator evaluator(options);
    double told = -1;
    for (int i = 0; i < times; ++i) {
      Candidate candidate;
      candidate.problem = {64, 64, 256 + 64 * i};
      candidate.schedule = *ParseSchedule(kSchedule);
      candidate.target = *ArchitectureLimits("sm_90");
      candidate.target.kind = DeviceKind::kCuda;
      candidate.compile_only = true;
      candidate.take_predicted_peak_fraction = [&told](double share) { told = share; };
      absl::Notification done;
      evaluator.Start(candidate, std::make_shared<StopToken>(), [&](const absl::StatusOr<Measurement>& compiled) {
        EXPECT_TRUE(compiled.ok() && compiled->outcome == Outcome::kOk) << compiled.status();
        if (compiled.ok()) EXPECT_EQ(compiled->resources.registers, 64) << compiled->message;
        done.Notify();
      });
      done.WaitForNotification();
    }
    return told;
  }

  const OwnedFolder programs_ = OwnedFolder::Temporary("mmtune-test-").value();
  const OwnedFolder scratch_ = OwnedFolder::Temporary("mmtune-test-").value();
};

TEST_F(CodeModelTest, TheShareOfWhatIsOnlyCompiledIsTold) {
  const double share = ShareWith(Program("nvdisasm", absl::StrCat("cat ", LISTINGS, "/fma_sm_90.sass")));
  EXPECT_GT(share, 0);
  EXPECT_LE(share, 1);
  EXPECT_EQ(ShareWith(Program("nvdisasm", absl::StrCat("cat ", LISTINGS, "/fma_sm_80.sass"))), 0);
}

TEST_F(CodeModelTest, WithoutADisassemblerItIsZeroAndThatIsSaidOnce) {
  SetLogLevel(LogLevel::kInfo);
  testing::internal::CaptureStderr();
  EXPECT_EQ(ShareWith("none", /*times=*/3), 0);
  const std::string log = testing::internal::GetCapturedStderr();
  SetLogLevel(LogLevel::kWarning);
  EXPECT_THAT(log, HasSubstr("not_modelled error=\"no nvdisasm in MMTUNE_NVDISASM, PATH"));
  EXPECT_EQ(log.find("not_modelled"), log.rfind("not_modelled"));
}

TEST_F(CodeModelTest, OneThatHangsIsKilledAndLeavesNothing) {
  EXPECT_EQ(ShareWith(Program("nvdisasm", "exec sleep 60061")), 0);
  EXPECT_TRUE(Eventually([] { return MarkedProcesses("60061").empty(); }));
  for (const auto& left : std::filesystem::recursive_directory_iterator(scratch_.path())) {
    EXPECT_FALSE(left.is_directory()) << left.path();
  }
}

}  // namespace
}  // namespace mmtune
