// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/worker/children/faults.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cstdlib>
#include <limits>
#include <thread>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "proto/base/clock.h"
#include "proto/base/folders.h"
#include "proto/base/status.h"
#include "proto/base/subprocess.h"
#include "proto/wire/convert.h"

namespace mmtune {
namespace {

// The descriptor that the daemon gives its children.
constexpr int kChannel = 3;

[[noreturn]] void Hang() {
  signal(SIGTERM, SIG_IGN);
  for (;;) pause();
}

Duration UsedCpu() {
  timespec used{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec);
}

void Burn(Duration cpu) {
  for (const Duration end = UsedCpu() + cpu; UsedCpu() < end;) {
  }
}

[[noreturn]] void Say(std::string_view text, int times) {
  for (int i = 0; i < times; ++i) (void)!write(STDERR_FILENO, text.data(), text.size());
  abort();
}

[[noreturn]] void ExhaustMemory() {
  std::vector<char*> blocks;
  for (;;) {
    char* block = new (std::nothrow) char[size_t{64} << 20];
    if (block == nullptr) Say("LLVM ERROR: out of memory\n", 1);
    memset(block, 1, 4096);
    blocks.push_back(block);
  }
}

void SendRaw(std::string_view bytes) { (void)!write(kChannel, bytes.data(), bytes.size()); }

/// True if this child commits the fault: always, or only the first of all children to ask.
bool IsDue() {
  const char* once = getenv("MMTUNE_TEST_ONCE");
  if (once == nullptr) return true;
  const int fd = open(once, O_CREAT | O_EXCL | O_WRONLY, 0600);
  if (fd >= 0) close(fd);
  return fd >= 0;
}

/// Does what `fault` says; returns when the fault is one of the reply, or none.
absl::Status Commit(Fault fault, int requests_before) {
  if (fault == Fault::kNone || !IsDue()) return absl::OkStatus();
  switch (fault) {
    case Fault::kHang:
      Hang();
    case Fault::kSegv:
      raise(SIGSEGV);
      break;
    case Fault::kOnceSegv:
      if (requests_before > 0) raise(SIGSEGV);
      break;
    case Fault::kAbort:
      Say("LLVM ERROR: told to abort\n", 1);
    case Fault::kFlood:
      Say(std::string(1 << 16, 'x') + "\n", 128);
    case Fault::kGarbageFrame:
      (void)WriteFrame(kChannel, "\xff\xff\xff not a message");
      Hang();
    case Fault::kHugeFrame:
      SendRaw("\xff\xff\xff\xff");
      Hang();
    case Fault::kHalfFrame:
      SendRaw(std::string_view("\x40\0\0\0abc", 7));
      Hang();
    case Fault::kExitZero:
      _exit(0);
    case Fault::kExitThree:
      _exit(3);
    case Fault::kOutOfMemory:
      ExhaustMemory();
    case Fault::kError:
      return Internal("told to fail");
    case Fault::kPoisoned:
      return absl::AbortedError("the context is lost");
    case Fault::kDeviceLost:
      return Unavailable("the device is lost");
    case Fault::kNoMemory:
      return absl::ResourceExhaustedError("no memory");
    case Fault::kLoop:
      for (;;) Burn(std::chrono::seconds(1));
    case Fault::kSlow:
      for (int turn = 0; turn < 20; ++turn) {
        Burn(std::chrono::milliseconds(20));
        std::this_thread::sleep_for(std::chrono::milliseconds(80));
      }
      break;
    case Fault::kWrongAnswer: {
      worker::Reply reply;
      reply.mutable_probe();
      (void)WriteFrame(kChannel, reply.SerializeAsString());
      Hang();
    }
    default:
      break;
  }
  return absl::OkStatus();
}

struct Script {
  Fault load = Fault::kNone, check = Fault::kNone, time = Fault::kNone;
};

class FakeCompiler : public Compiler {
 public:
  absl::StatusOr<CompiledKernel> Compile(const MatmulProblem&, const Schedule& schedule,
                                         const CompileTarget& target) override {
    auto fault = [&schedule](const char* step) { return static_cast<Fault>(schedule.Get(step)); };
    if (fault("compile") == Fault::kWrongResult) return InvalidArgument("no such schedule");
    RETURN_IF_ERROR(Commit(fault("compile"), requests_++));
    CompiledKernel kernel;
    kernel.image = "image";
    if (schedule.params.contains("model")) kernel.format = ImageFormat::kCubin;
    // The measure child reads its faults from here.
    kernel.host_symbol = absl::StrCat(schedule.Get("load"), " ", schedule.Get("check"), " ", schedule.Get("time"));
    PlanStep step;
    step.kernel = kernel.host_symbol;  // what fails in another way is not the same code
    kernel.plan.steps.push_back(step);
    kernel.code_digest = target.assemble ? "digest" : "digest of PTX";
    kernel.phases.llvm_ms = 1;
    return kernel;
  }

 private:
  int requests_ = 0;
};

/// In the thousandth part of how often this child was asked.
absl::StatusOr<double> FakeModel(const MatmulProblem&, const Schedule& schedule, const DeviceInfo& device,
                                 const CompiledKernel& kernel) {
  static int requests = 0;
  if (device.arch != "sm_80" || kernel.image != "image" || !kernel.host_object.empty()) return InvalidArgument("what?");
  ASSIGN_OR_RETURN(const OwnedFolder folder, OwnedFolder::Temporary(kFakeModelPrefix));
  RETURN_IF_ERROR(Commit(static_cast<Fault>(schedule.Get("model")), requests++));
  return requests / 1000.0;
}

class FakeVerifier : public Verifier {
 public:
  absl::StatusOr<VerificationReport> Verify(const VerificationRequest& request) override {
    const auto fault = static_cast<Fault>(request.schedule.Get("verification"));
    RETURN_IF_ERROR(Commit(fault, requests_++));
    VerificationReport report;
    report.performed = true;
    report.correct = report.deterministic = true;
    report.passed = report.race_free = fault != Fault::kWrongResult;
    if (!report.passed) report.finding = "a race in kernel";
    report.fuzzing_runs = request.fuzzing_runs;
    return report;
  }

 private:
  int requests_ = 0;
};

class FakeMeasurer : public Measurer {
 public:
  absl::Status Load(const MatmulProblem&, const CompiledKernel& kernel) override {
    std::vector<std::string> words = absl::StrSplit(kernel.host_symbol, ' ');
    Fault* faults[] = {&script_.load, &script_.check, &script_.time};
    for (int i = 0; i < 3; ++i) {
      int value = 0;
      if (!absl::SimpleAtoi(words[static_cast<size_t>(i)], &value)) return InvalidArgument("no script");
      *faults[i] = static_cast<Fault>(value);
    }
    timings_ = 0;
    return Commit(script_.load, requests_++);
  }
  absl::StatusOr<CheckReport> Check() override {
    RETURN_IF_ERROR(Commit(script_.check, requests_++));
    CheckReport report;
    report.performed = true;
    report.passed = script_.check != Fault::kWrongResult;
    report.tier = "exact";
    if (!report.passed) report.detail = "C[0][0] is 1, not 2";
    return report;
  }
  absl::StatusOr<TimedRun> Time(const TimeOptions& options) override {
    RETURN_IF_ERROR(Commit(script_.time, requests_++));
    if (script_.time == Fault::kHangWithBaseline && options.measure.baseline) Hang();
    const bool first = timings_++ == 0;
    if (script_.time == Fault::kUnhealthyThenSegv && !first) raise(SIGSEGV);
    TimedRun run;
    Timing& timing = run.timing;
    timing.median_ns = timing.low_ns = timing.high_ns = script_.time == Fault::kNoTime ? 0 : 1000;
    timing.samples_ns = {timing.median_ns};
    run.conditions.run = absl::StrCat(++runs_);
    run.conditions.ended = std::string(kEndedPrecise);
    run.conditions.precision = kDefaultPrecision;
    if (options.measure.baseline) {
      run.conditions.baseline.name = "fakeBLAS";
      run.conditions.baseline.median_ns = run.conditions.baseline.low_ns = run.conditions.baseline.high_ns = 800;
    }
    if (script_.time == Fault::kUnhealthy ||
        (first && (script_.time == Fault::kUnhealthyOnce || script_.time == Fault::kUnhealthyThenSegv))) {
      timing.median_ns = timing.low_ns = timing.high_ns = first ? 500 : 600;
      timing.samples_ns = {timing.median_ns};
      run.conditions.health.finding = "HW slowdown";
    }
    return run;
  }
  /// The reference's fault of loading is that of the comparison. A child that has served before, or compares again,
  /// gives away that it is not fresh.
  absl::StatusOr<Compared> Compare(const MatmulProblem& problem, const CompiledKernel&, const CompiledKernel& reference,
                                   const CompareOptions& options) override {
    if (requests_ > 0) return Compared{100, 1, 1};
    RETURN_IF_ERROR(Load(problem, reference));
    Compared compared = options.reference_first ? Compared{1.25, 1250, 1000} : Compared{1.5, 1500, 1000};
    if (script_.time == Fault::kUnhealthy) compared.finding = "HW slowdown";
    return compared;
  }

 private:
  Script script_;
  int requests_ = 0;
  int timings_ = 0;  // of the kernel that is loaded
  int runs_ = 0;
};

}  // namespace

Schedule FaultySchedule(std::string step, Fault fault) {
  return Schedule{"fake", {{std::move(step), static_cast<int64_t>(fault)}}};
}

ChildParts FaultyChildParts() {
  ChildParts parts;
  parts.make_compiler = []() -> absl::StatusOr<std::unique_ptr<Compiler>> { return std::make_unique<FakeCompiler>(); };
  parts.make_verifier = [](Compiler*, const std::string&) { return std::make_unique<FakeVerifier>(); };
  parts.model_share = FakeModel;
  parts.make_measurer = [](const DeviceSelector&) -> absl::StatusOr<std::unique_ptr<Measurer>> {
    if (getenv("MMTUNE_TEST_NO_DEVICE") != nullptr) return NotFound("the device fell off the bus");
    return std::make_unique<FakeMeasurer>();
  };
  parts.probe = [](const std::string& arch) {
    worker::Probe probe;
    DeviceInfo info = ArchitectureLimits(arch.empty() ? "sm_80" : arch).value_or(DeviceInfo{});
    info.kind = DeviceKind::kSimt;
    info.name = "fake";
    info.uuid = "fake";
    info.arch = arch.empty() ? "sm_80" : arch;
    *probe.add_devices()->mutable_device()->mutable_device() = ToWire(info);
    probe.set_no_cuda_reason("libcuda.so.1 is not here");
    return probe;
  };
  return parts;
}

}  // namespace mmtune
