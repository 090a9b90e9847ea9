// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mmtune-worker: the daemon on a host with devices, and (with --child-role) its children.

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

#include "proto/base/clock.h"
#include "proto/base/folders.h"
#include "proto/base/log.h"
#include "proto/base/output_file.h"
#include "proto/base/plain_text.h"
#include "proto/base/process_guard.h"
#include "proto/base/server_address.h"
#include "proto/base/status.h"
#include "proto/base/subprocess.h"
#include "proto/command_line/log_options.h"
#include "proto/command_line/option_table.h"
#include "proto/command_line/program.h"
#include "proto/command_line/validators.h"
#include "proto/json/json_reader.h"
#include "proto/json/kernel_request_json.h"
#include "proto/tls/tls_options.h"
#include "proto/types/scheduling_policy.h"
#include "worker/agent/daemon.h"
#include "worker/agent/device_selection.h"
#include "worker/children/timing_gate.h"
#include "worker/device_probe.h"
#include "worker/kernel_verify/kernel_verifier.h"
#include "worker/profile/schedule_profiler.h"

namespace mmtune {
namespace {

constexpr char kName[] = "mmtune-worker";
// A coordinator that is stopped from the terminal or waits for its disk is silent, too. One that ends takes its workers
// with it.
constexpr double kOwnServerPatienceSeconds = 60;
// What a compile child needs, the verification included, with room to spare.
constexpr int64_t kCompileChildBytes = int64_t{1} << 30;

struct Flags {
  std::string server;
  TlsFiles tls;
  std::vector<std::string> devices{"auto"};
  std::vector<std::string> labels;
  std::string arch;
  int compile_jobs = 0;
  std::string spool;
  double give_up_after = 300;
  bool exit_with_server = false;
  bool verbose = false;
  LogFormat log_format = LogFormat::kText;
  bool probe = false;
  std::string verify;   ///< A VerifyRequest.
  std::string profile;  ///< A ProfileRequest.
  std::string kernel;   ///< A KernelVerifyRequest.
  std::string answer;   ///< Where the VerifyAnswer, KernelProfile or KernelVerifyAnswer goes.
  double wait = -1;
};

constexpr char kDescription[] =
    "The worker of mmtune: compiles, verifies and times the candidates that a coordinator leases out.\n"
    "Runs until the coordinator drains it or SIGTERM; a second SIGTERM ends it at once. It ends with 1 after a second "
    "signal, or when it is not drained in time, and with 4 when the server is silent or does not take this worker.";

void AddFlags(CLI::App& app, Flags& flags) {
  AsSetting(app.add_option("--server", flags.server,
                           "The coordinator: HOST:PORT or unix:/path; several of one log with commas"))
      ->type_name("ADDR");
  AsSetting(app.add_option("--device", flags.devices,
                           "auto (every CUDA device, else simt), cuda, cuda:<i>, or simt (this CPU); more than once "
                           "for several")
                ->check(SuggestValues({"auto", "cuda", "simt"})))
      ->type_name("NAME")
      ->capture_default_str();
  app.add_flag("--probe", flags.probe, "Print the host's devices as JSON lines and exit");
  AddTlsOptions(app, flags.tls);
  InGroup(app, kFleetGroup);
  app.add_option("--label", flags.labels,
                 "KEY=VALUE, such as rack=7, by which jobs may select this worker (tune matmul --select); again for "
                 "another")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  app.add_option("--spool", flags.spool,
                 "Folder for results not yet acknowledged; default ~/.local/state/mmtune/worker")
      ->type_name("DIR");
  app.add_option("--give-up-after", flags.give_up_after, "Exit with 4 when the server is silent for so many seconds")
      ->check(NumberFrom(1, 1e7))
      ->type_name("S")
      ->capture_default_str();
  AsSetting(app.add_option("--wait", flags.wait,
                           "Exit with 5 when another process has held the device for so many seconds; default: wait "
                           "without limit")
                ->check(NumberFrom(0, 1e7)))
      ->type_name("S");
  app.add_flag("--exit-with-server", flags.exit_with_server,
               "For a worker started by its coordinator: end when its socket is gone or it is silent for 60 s, keep no "
               "spool unless --spool is given, log warnings only");
  InGroup(app, kMeasuringGroup);
  app.add_option("--arch", flags.arch,
                 absl::StrCat("The architecture that the SIMT device stands in for: ", KnownArchitectures()))
      ->type_name("ARCH");
  app.add_option("--compile-jobs", flags.compile_jobs,
                 "Candidates compiled at a time; 0: one per core, and for each GiB of free memory")
      ->check(IntegerFrom(0, 1024))
      ->type_name("N")
      ->capture_default_str();
  AddLogOptions(app, flags.verbose, flags.log_format);
  auto* verify = app.add_option("--verify-request", flags.verify, "For tune verify: verify one schedule, and end");
  auto* profile = app.add_option("--profile-request", flags.profile, "For tune profile: profile one schedule, and end");
  auto* kernel =
      app.add_option("--kernel-request", flags.kernel, "For tune verify FILE: verify a kernel in PTX, and end");
  auto* answer = app.add_option("--answer", flags.answer, "Where the answer goes");
  for (CLI::Option* hidden : {verify, profile, kernel, answer}) hidden->group("");
  profile->excludes(verify);
  kernel->excludes(verify)->excludes(profile);
  verify->needs(answer);
  profile->needs(answer);
  kernel->needs(answer);
}

int Usage(const absl::Status& status) {
  ReportFatal(kName, absl::StrCat(status.message(), "; see ", kName, " --help"));
  return Number(ExitCode::kUsage);
}

/// Returns the available memory of the machine, or of the group of processes if that has a lower limit.
std::optional<int64_t> AvailableBytes() {
  std::optional<int64_t> available = AvailableMemoryBytes();
  if (const std::optional<GroupMemory> group = MemoryOfGroup()) {
    const int64_t left = std::max<int64_t>(group->limit_bytes - group->used_bytes, 0);
    available = std::min(left, available.value_or(left));
  }
  return available;
}

/// Returns one job for each core, fewer if memory is short.
int DefaultCompileJobs() {
  const int64_t cores = std::max(1u, std::thread::hardware_concurrency());
  const std::optional<int64_t> available = AvailableBytes();
  return static_cast<int>(available ? std::clamp<int64_t>(*available / kCompileChildBytes, 1, cores) : cores);
}

absl::StatusOr<DaemonOptions> ToOptions(const Flags& flags) {
  DaemonOptions options;
  if (flags.server.empty() && !flags.probe && flags.verify.empty() && flags.profile.empty() && flags.kernel.empty())
    return InvalidArgument("--server is required");
  if (!flags.server.empty()) {
    // The coordinator that started this worker is on this host, whatever is configured for others.
    if (flags.exit_with_server) {
      ASSIGN_OR_RETURN(options.server.address, ParseServerAddress(flags.server));
    } else {
      ASSIGN_OR_RETURN(options.server, ResolveEndpoint(flags.server, flags.tls));
    }
  }
  absl::StatusOr<Labels> labels = ParseLabels(flags.labels);
  if (!labels.ok()) return WithContext(labels.status(), "--label");
  options.agent.labels = *std::move(labels);
  if (!flags.arch.empty()) RETURN_IF_ERROR(ArchitectureLimits(flags.arch).status());
  for (const std::string& text : flags.devices) {
    ASSIGN_OR_RETURN(DeviceSelector selector, ParseDeviceSelector(text));
    options.devices.push_back(selector);
  }
  options.evaluator.executable = ExecutablePath();
  options.arch = flags.arch;
  options.evaluator.compile_jobs = flags.compile_jobs > 0 ? flags.compile_jobs : DefaultCompileJobs();
  options.agent.end_without_socket = flags.exit_with_server;
  const double patience = flags.exit_with_server ? kOwnServerPatienceSeconds : flags.give_up_after;
  options.agent.give_up_after = FromSeconds(patience);
  if (!flags.spool.empty()) {
    options.spool_folder = flags.spool;
  } else if (!flags.exit_with_server && !flags.server.empty()) {
    absl::StatusOr<std::string> spool = DefaultSpoolFolder();
    if (!spool.ok())
      return InvalidArgument(
          absl::StrCat("cannot choose a folder for results: ", spool.status().message(), "; give one with --spool"));
    options.spool_folder = *std::move(spool);
  }
  options.evaluator.verification_folder = StateFolder("verifications").value_or("");
  if (flags.wait >= 0) options.evaluator.device_wait = FromSeconds(flags.wait);
  options.agent.version = MMTUNE_VERSION;
  return options;
}

/// The selector, with the fields of the device and of its toolchain: a log has them under the same names.
nlohmann::json ProbeJson(const WorkerDevice& device) {
  nlohmann::json json = ToJson(device.info);
  json.update(ToJson(device.toolchain));
  json["device"] = device.selector;
  return json;
}

int PrintProbe(const DaemonOptions& options) {
  absl::StatusOr<OwnedFolder> scratch = OwnedFolder::Temporary(kScratchPrefix);
  absl::StatusOr<worker::Probe> probe =
      scratch.ok() ? ProbeInChild(options.evaluator.executable, options.arch, scratch->path()) : scratch.status();
  absl::StatusOr<std::vector<WorkerDevice>> devices = probe.ok() ? ProbedDevices(*probe) : probe.status();
  if (!devices.ok()) return ReportFatal(devices.status(), ExitCode::kDevice);
  for (const WorkerDevice& device : *devices) printf("%s\n", PrintableJson(Dump(ProbeJson(device))).c_str());
  if (!probe->no_cuda_reason().empty()) {
    const bool some = !devices->empty() && (*devices)[0].info.kind == DeviceKind::kCuda;
    fprintf(stderr, "mmtune-worker: %s: %s\n", some ? "not every CUDA device is offered" : "no CUDA device",
            probe->no_cuda_reason().c_str());
  }
  return ExitAfterOutput(kName, 0, Number(ExitCode::kNoResult));
}

/// The exit code.
int WriteAnswer(const Flags& flags, const std::string& json) {
  const absl::Status written = WriteOutput(flags.answer, /*force=*/false, [&json](std::ostream& file) {
    file << json << std::endl;
    return absl::OkStatus();
  });
  return written.ok() ? 0 : ReportFatal(written, ExitCode::kNoResult);
}

/// Ends with 0 when there is an answer, whatever it says.
int RunVerify(const Flags& flags, const DaemonOptions& daemon) {
  absl::StatusOr<VerifyRequest> request = VerifyRequestFromJson(flags.verify);
  if (!request.ok()) return Usage(request.status());
  absl::StatusOr<VerifyAnswer> answer = Verify(daemon, *request);
  if (!answer.ok()) {
    const bool no_device = absl::IsNotFound(answer.status()) || IsDeviceBusy(answer.status());
    return ReportFatal(answer.status(), no_device ? ExitCode::kDevice : ExitCode::kNoResult);
  }
  return WriteAnswer(flags, VerifyAnswerToJson(*answer));
}

/// Ends with 0 when there is an answer, with 2 when the request is none that can be profiled.
int RunProfile(const Flags& flags) {
  absl::StatusOr<ProfileRequest> request = ProfileRequestFromJson(flags.profile);
  if (!request.ok()) return Usage(request.status());
  absl::StatusOr<std::unique_ptr<Compiler>> compiler = Compiler::Create();
  absl::StatusOr<KernelProfile> profile =
      compiler.ok() ? ProfileSchedule(compiler->get(), *request) : compiler.status();
  if (profile.ok()) return WriteAnswer(flags, KernelProfileToJson(*profile));
  return ReportFatal(profile.status(),
                     absl::IsInvalidArgument(profile.status()) ? ExitCode::kUsage : ExitCode::kNoResult);
}

/// Ends with 0 when there is an answer, with 2 when the PTX or its launches are wrong.
int RunKernelVerify(const Flags& flags) {
  absl::StatusOr<KernelVerifyRequest> request = KernelVerifyRequestFromJson(flags.kernel);
  if (!request.ok()) return Usage(request.status());
  absl::StatusOr<KernelVerifyAnswer> answer = VerifyKernel(*request, [&flags](const KernelVerifyAnswer& unfinished) {
    _exit(WriteAnswer(flags, KernelVerifyAnswerToJson(unfinished)));
  });
  if (answer.ok()) return WriteAnswer(flags, KernelVerifyAnswerToJson(*answer));
  const bool is_input = absl::IsInvalidArgument(answer.status()) || absl::IsUnavailable(answer.status());
  return ReportFatal(answer.status(), is_input ? ExitCode::kUsage : ExitCode::kNoResult);
}

int Main(int argc, char** argv) {
  if (std::optional<ChildRole> role = FindChildRole(argc, argv)) return ServeChild(*role, RealChildParts());

  Program program(kDescription, kName);
  Flags flags;
  AddFlags(program, flags);
  MakeFailedWritesErrors();
  if (std::optional<int> end = program.ParseMain(argc, argv, Settings::ReadUserSettings())) return *end;
  SetLogStyle({flags.log_format, "worker", ""});
  SetLogLevel(flags.verbose ? LogLevel::kDebug : flags.exit_with_server ? LogLevel::kWarning : LogLevel::kInfo);
  absl::StatusOr<DaemonOptions> options = ToOptions(flags);
  if (absl::IsUnauthenticated(options.status())) return ReportFatal(options.status(), ExitCode::kCertificate);
  if (!options.ok()) return Usage(options.status());
  EndWhenOutOfMemory(kName, Number(ExitCode::kNoResult));
  if (flags.probe) return PrintProbe(*options);
  if (!flags.verify.empty()) return RunVerify(flags, *options);
  if (!flags.profile.empty()) return RunProfile(flags);
  if (!flags.kernel.empty()) return RunKernelVerify(flags);
  return RunDaemon(*options);
}

}  // namespace
}  // namespace mmtune

int main(int argc, char** argv) { return mmtune::Main(argc, argv); }
