// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/commands/options.h"

#include <cstdlib>

#include "absl/strings/numbers.h"
#include "kernels/families/common/registry.h"
#include "kernels/families/common/summation.h"
#include "proto/base/digest.h"
#include "proto/base/plain_text.h"
#include "proto/base/status.h"
#include "proto/command_line/suggestion.h"
#include "proto/tls/server_endpoint.h"
#include "proto/tls/tls_options.h"
#include "proto/types/scheduling_policy.h"
#include "proto/wire/convert.h"
#include "search/strategies/strategy.h"
#include "server/coordinator/job_spec.h"

namespace mmtune {
namespace {

constexpr int64_t kTrials = 64;
constexpr int64_t kMostFinalists = 64;

constexpr char kLogHelp[] =
    "The tuning log, a file or a postgres:// URL; default $XDG_DATA_HOME/mmtune/tuning.db or "
    "~/.local/share/mmtune/tuning.db";

struct Preset {
  double budget_seconds = 0;  ///< 0: the device's default.
  double precision = kDefaultPrecision;
  int64_t finalists = 4;
};

Preset PresetOf(const JobOptions& options) {
  if (options.precise) return {.budget_seconds = 2, .precision = 0.001, .finalists = 8};
  if (options.quick) return {.budget_seconds = 0.1, .precision = 0.02, .finalists = 0};
  return {};
}

int64_t TrialsOf(const JobOptions& options) { return options.trials.value_or(options.seconds > 0 ? 0 : kTrials); }

absl::Status ValidateLimits(const JobOptions& options) {
  if (options.precise && options.quick) return InvalidArgument("--precise and --quick exclude each other");
  if (options.finalists && (*options.finalists < 0 || *options.finalists > kMostFinalists)) {
    return InvalidArgument(absl::StrCat("--finalists must be 0 (no comparison) to ", kMostFinalists));
  }
  if (options.until_plateau > 0 && !PredictsGain(options.strategy)) {
    return InvalidArgument("--until-plateau needs a strategy that predicts what a trial gains: --strategy model");
  }
  if (options.until_baseline > 0 && !options.measure.baseline) {
    return InvalidArgument("--until-baseline and --no-baseline exclude each other");
  }
  if (TrialsOf(options) == 0 && options.seconds == 0 && options.until_plateau == 0 &&
      options.strategy != "exhaustive") {
    return InvalidArgument("--trials 0 would never end: give --seconds, --until-plateau, or --strategy exhaustive");
  }
  return absl::OkStatus();
}

/// Returns what --numerics asks for. A number behind same-as is a record of the log, any other text a signature.
absl::StatusOr<Numerics> NumericsOf(const JobOptions& options) {
  constexpr std::string_view kSameAs = "same-as";
  std::string text = options.numerics;
  int64_t id = 0;
  const bool is_same = text.starts_with(kSameAs) && text.size() > kSameAs.size() &&
                       (text[kSameAs.size()] == '=' || text[kSameAs.size()] == ' ');
  if (is_same) text[kSameAs.size()] = ' ';
  if (is_same && absl::SimpleAtoi(text.substr(kSameAs.size() + 1), &id)) {
    if (!options.server.empty()) {
      return InvalidArgument(absl::StrCat("--numerics same-as=", id,
                                          " names a record of a log, but with --server the log is the server's: give "
                                          "the signature of the record (--numerics 'same-as=...'), which tune "
                                          "explain shows"));
    }
    ASSIGN_OR_RETURN(const std::unique_ptr<TuningLogReader> log, OpenLogForReading(options.log));
    const absl::StatusOr<TuningRecord> record = log->Get(absl::StrCat(id));
    if (!record.ok()) {
      return ExitWith(absl::IsNotFound(record.status()) ? ExitCode::kNoResult : ExitCode::kLog,
                      WithContext(record.status(), "--numerics"));
    }
    const absl::StatusOr<SummationSignature> signature = SummationOf(record->problem, record->schedule, record->device);
    if (!signature.ok()) return WithContext(signature.status(), absl::StrCat("--numerics: record ", id));
    if (!signature->IsReproducible()) {
      return InvalidArgument(absl::StrCat("--numerics same-as=", id,
                                          ": the record's results differ from run to run, as its blocks add sums by "
                                          "atomics: give another record"));
    }
    text = absl::StrCat("same-as ", signature->Text());
  }
  absl::StatusOr<Numerics> numerics = Numerics::Parse(text);
  return numerics.ok() ? numerics : WithContext(numerics.status(), "--numerics");
}

}  // namespace

absl::StatusOr<DeviceSelector> MakeSelector(const std::string& device, const std::string& arch) {
  ASSIGN_OR_RETURN(DeviceSelector selector, ParseDeviceSelector(device));
  if (!arch.empty()) RETURN_IF_ERROR(ArchitectureLimits(arch).status());
  selector.arch = arch;
  return selector;
}

absl::StatusOr<v1::JobSpec> MakeJobSpec(const JobOptions& options) {
  ASSIGN_OR_RETURN(MatmulProblem problem, MakeProblem(options.problem));
  ASSIGN_OR_RETURN(DeviceSelector selector, MakeSelector(options.device, options.arch));
  RETURN_IF_ERROR(ValidateLimits(options));
  v1::JobSpec spec;
  *spec.mutable_problem() = ToWire(problem);
  *spec.mutable_device() = ToWire(selector);
  spec.set_strategy(options.strategy);
  spec.set_seed(options.seed);
  spec.set_cold_start(options.cold_start);
  for (const std::string& part : options.only) spec.add_only(part);
  ASSIGN_OR_RETURN(const Numerics numerics, NumericsOf(options));
  if (numerics.contract != Numerics::Contract::kAny) spec.set_numerics(numerics.Text());
  spec.set_no_skip(options.no_skip);
  spec.set_no_compile_ahead(options.no_compile_ahead);
  spec.set_trials(TrialsOf(options));
  spec.set_seconds(options.seconds);
  spec.set_plateau_percent(options.until_plateau);
  spec.set_baseline_percent(options.until_baseline);
  spec.set_bound_percent(options.until_bound);
  spec.set_remeasure(options.remeasure);
  if (options.weight != 1) spec.set_weight(options.weight);
  spec.set_priority(options.priority);
  absl::StatusOr<Labels> select = ParseLabels(options.select);
  if (!select.ok()) return WithContext(select.status(), "--select");
  spec.mutable_select()->insert(select->begin(), select->end());
  if (const auto parsed = ParseDeviceClass(options.device_class); !parsed.ok()) {
    return WithContext(parsed.status(), "--device-class");
  }
  spec.set_device_class(options.device_class);
  const Preset preset = PresetOf(options);
  MeasureOptions measure = options.measure;
  absl::StatusOr<Regime> regime = ParseRegime(options.regime);
  if (!regime.ok()) return WithContext(regime.status(), "--regime");
  measure.regime = *regime;
  measure.precision = preset.precision;
  if (measure.budget_seconds == 0) measure.budget_seconds = preset.budget_seconds;
  *spec.mutable_measure() = ToWire(measure);
  const char* parent = std::getenv("TRACEPARENT");
  spec.set_trace_id(options.trace_id.empty() && parent ? TraceIdOfParent(parent).value_or("") : options.trace_id);
  // Options that a server would refuse are refused here, before a server or a log is opened.
  RETURN_IF_ERROR(ParseJobSpec(spec, KernelFamilies()).status());
  return spec;
}

int64_t FinalistsOf(const JobOptions& options) { return options.finalists.value_or(PresetOf(options).finalists); }

absl::StatusOr<SessionOptions> MakeSessionOptions(const JobOptions& options) {
  if (!options.server.empty() && !options.log.empty()) {
    return InvalidArgument("--log and --server exclude each other: the server has its own log");
  }
  if (options.server.empty() && !options.select.empty()) {
    return InvalidArgument("--select is about the labels of a server's workers: give --server");
  }
  SessionOptions session;
  session.server = options.server;
  session.tls = options.tls;
  session.log_path = options.log;
  session.wait = options.wait;
  ASSIGN_OR_RETURN(session.device, MakeSelector(options.device, options.arch));
  if (!options.server.empty()) RETURN_IF_ERROR(ResolveEndpoint(options.server, options.tls).status());
  return session;
}

CLI::Option* AddText(CLI::App& command, const char* name, std::string& value, const char* kind,
                     const std::string& help) {
  CLI::Option* option = command.add_option(name, value, help)->type_name(kind);
  return value.empty() ? option : option->capture_default_str();
}

CLI::Option* AddOperand(CLI::App& command, const char* name, std::string& value, const char* help) {
  return AddText(command, name, value, "", help)->required();
}

CLI::Option* AddChoice(CLI::App& command, const char* name, std::string& value, const std::vector<std::string>& values,
                       const std::string& help) {
  return AddText(command, name, value, "", help)->check(OneOf(values));
}

void AddVariant(CLI::App& command, ProblemOptions& options) {
  InGroup(command, kProblemGroup);
  const auto check_type = [](std::string& text) { return WhyNoType(text); };
  AsSetting(AddText(command, "--dtype", options.dtype, "TYPE",
                    "Type of A and B: f32, f16, bf16, s8, f64, or tf32 (f32 on tensor cores); fp16, float16, half, "
                    "int8 and the like are understood"))
      ->default_str("f32")
      ->check(SuggestValues(OperandTypes()))
      ->check(CLI::Validator(check_type, ""));
  AddText(command, "--out", options.out, "TYPE", "Type of C: f32, or that of A and B (default); of s8 always s32")
      ->check(SuggestValues({"f32", "f16", "bf16"}));
  AddChoice(command, "--math", options.math, {"ieee", "tf32", "tf32x3", "bf16x6"},
            "How f32 is multiplied: ieee (default); on tensor cores: tf32, or as accurate as f32: tf32x3, bf16x6");
  AddCount(command, "--batch", options.batch, 1, "Matrices in A, B and C, one after the other")->capture_default_str();
  command.add_flag("--transpose-a", options.transpose_a, "A is stored as K x M");
  command.add_flag("--transpose-b", options.transpose_b, "B is stored as N x K");
  AddText(command, "--epilogue", options.epilogue, "STEPS",
          "What is done with each element of the result before it is stored, in order: bias (one for each "
          "column), add or sub (an operand of C's size), relu, gelu, gelu_tanh, silu, tanh, scale:<factor>, "
          "clamp:<low>:<high>; such as bias,relu");
}

void AddProblem(CLI::App& command, ProblemOptions& options) {
  AddOperand(command, "MxNxK", options.shape,
             "Sizes of C[M,N] = A[M,K] * B[K,N]: 4x5x6 is M=4, N=5, K=6, so A is 4x6 and B is 6x5. In one word with "
             "its type, options and epilogue: 4x5x6:bf16:bias,relu, 4x5x6:f16:batch=8:transpose-b");
  AddVariant(command, options);
}

CLI::Option* AddLog(CLI::App& command, std::string& log) {
  return AsSetting(AddText(command, "--log", log, "FILE", kLogHelp));
}

void AddDevice(CLI::App& command, std::string& device) {
  static const std::vector<std::string> kNames = {"auto", "cuda", "simt"};
  const auto check = [](std::string& text) -> std::string {
    const absl::Status status = ParseDeviceSelector(text).status();
    return status.ok() ? "" : absl::StrCat(PlainText(std::string(status.message())), DidYouMean(text, kNames));
  };
  AsSetting(AddText(command, "--device", device, "NAME",
                    "auto (a CUDA device, else simt), cuda, cuda:<i>, or simt (the kernel's threads on the CPU)"))
      ->check(SuggestValues(kNames))
      ->check(CLI::Validator(check, ""));
}

void AddArch(CLI::App& command, std::string& arch, const std::string& otherwise) {
  AddText(command, "--arch", arch, "ARCH",
          absl::StrCat("Generate for one of ", KnownArchitectures(), "; default ", otherwise));
}

void AddWait(CLI::App& command, std::optional<double>& wait) {
  AsSetting(command
                .add_option("--wait", wait,
                            "End with 5 when another process has held the device for this long; default: wait without "
                            "limit")
                ->check(NumberFrom(0, 1e7)))
      ->type_name("S");
}

void AddRegime(CLI::App& command, std::string& regime, const std::string& help) {
  AsSetting(AddChoice(command, "--regime", regime, {"warm", "cold"}, help));
}

void AddForce(CLI::App& command, bool& force) { command.add_flag("--force", force, "Replace files that exist"); }

CLI::Option* AddOutput(CLI::App& command, std::string& output, const std::string& help) {
  return AddText(command, "-o,--output", output, "FILE", help);
}

void AddCoordinator(CLI::App& command, std::string& server, const std::string& server_help, std::string& log,
                    const std::string& log_help, TlsFiles& tls) {
  CLI::Option* address = AsSetting(AddText(command, "--server", server, "ADDR", server_help));
  AsSetting(AddText(command, "--log", log, "FILE", log_help))->excludes(address);
  InGroup(command, kFleetGroup);
  AddTlsOptions(command, tls);
}

void AddSchedule(CLI::App& command, std::string& schedule, const std::string& otherwise) {
  AddText(
      command, "--schedule", schedule, "TEXT",
      absl::StrCat("The schedule, written as tables and records write it", otherwise.empty() ? "" : "; ", otherwise));
}

void AddDeviceFilter(CLI::App& command, std::string& device, const std::string& otherwise) {
  AddText(command, "--device-name", device, "TEXT",
          absl::StrCat("Only devices whose name contains this, or of a kind: cuda, simt", otherwise.empty() ? "" : "; ",
                       otherwise))
      ->check(SuggestValues({"cuda", "simt"}));
}

void AddRecordFilters(CLI::App& command, RecordsOptions& options, const std::string& help) {
  CLI::Option* problem = AddText(command, "--problem,MxNxK", options.problem.shape, "MxNxK",
                                 absl::StrCat(help, "; the word --problem may be left out"));
  AddDeviceFilter(command, options.device);
  AddText(command, "--since", options.since, "TIME",
          "Only records not older than this: 90s, 30m, 2h, 7d, 1w, or 2026-01-31 (UTC)");
  AddVariant(command, options.problem);
  for (const char* name : {"--dtype", "--out", "--math", "--batch", "--transpose-a", "--transpose-b", "--epilogue"}) {
    command.get_option(name)->needs(problem);
  }
}

void AddPercent(CLI::App& command, const char* name, double& value, double most, const std::string& help) {
  command.add_option(name, value, absl::StrCat(help, "; 0: no such limit"))
      ->check(NumberFrom(0, most))
      ->type_name("PERCENT");
}

void AddAllowUnverified(CLI::App& command, bool& allow) {
  command.add_flag("--allow-unverified", allow, "Include what was timed without verification, and mark it");
}

namespace {

void AddSearchOptions(CLI::App& command, JobOptions& options) {
  InGroup(command, kSearchGroup);
  AsSetting(AddChoice(command, "--strategy", options.strategy, StrategyNames(), "How schedules are chosen"));
  AsSetting(command.add_option("--seed", options.seed, "The same seed proposes the same schedules"))
      ->check(IntegerFrom<uint64_t>(0))
      ->type_name("N")
      ->capture_default_str();
  command
      .add_option("--only", options.only,
                  "Search this family alone, with only these values of its parameters, such as 'fma bm=64,128 "
                  "stages=2'; again for another family")
      ->type_name("PART")
      ->allow_extra_args(false);
  AddText(command, "--numerics", options.numerics, "CONTRACT",
          "Search only schedules whose results have the bits asked for: any, deterministic (the same in every run), "
          "batch-invariant (a row has the same bits for every M), or same-as=RECORD, as a record of the log has them");
  AddPercent(command, "--until-plateau", options.until_plateau, 100,
             "Stop when one more schedule is expected to be faster than the best by less than this; of strategy model");
  AddPercent(command, "--until-baseline", options.until_baseline, 1000,
             "Stop when the best has this much of the speed of cuBLAS, where that was timed");
  AddPercent(command, "--until-bound", options.until_bound, 100,
             "Stop when the best has this much of the device's peak; refused where that is not known");
  InGroup(command, kRareGroup);
  command.add_flag("--cold-start", options.cold_start,
                   "Choose the first schedules without what the log knows of other problems, devices and toolchains");
  command.add_flag("--no-skip", options.no_skip,
                   "Time even schedules that cannot be as fast as the best so far, which else are skipped");
  command.add_flag("--no-compile-ahead", options.no_compile_ahead,
                   "Compile only what is measured, not also others to choose among by their registers and spills");
}

void AddMeasuringOptions(CLI::App& command, JobOptions& options, bool compares) {
  InGroup(command, kMeasuringGroup);
  AddArch(command, options.arch, "the device's own");
  AddRegime(command, options.regime,
            "warm (the same operands every time) or cold (several sets in turn, so many that they flush the cache)");
  command.add_flag(
      "--precise", options.precise,
      absl::StrCat("Time each schedule for up to 2 s, to 0.1 %", compares ? ", and compare the 8 fastest" : ""));
  command.add_flag("--quick", options.quick,
                   absl::StrCat("Time each schedule for up to 0.1 s, to 2 %", compares ? ", and compare none" : ""));
  AddSeconds(command, "--measure-seconds", options.measure.budget_seconds,
             "Timing budget per schedule; 0: the device's default");
  command.add_flag("--remeasure", options.remeasure, "Measure again what the log already holds");
  AddWait(command, options.wait);
  InGroup(command, kRareGroup);
  command.add_flag_callback(
      "--no-verification", [&options] { options.measure.verification = false; },
      "Do not verify schedules at small shapes before timing them; the records say so, and the "
      "table marks them");
  command.add_flag_callback(
      "--no-baseline", [&options] { options.measure.baseline = false; }, "Do not time cuBLAS beside the schedules");
}

void AddFleetOptions(CLI::App& command, JobOptions& options) {
  InGroup(command, kFleetGroup);
  AddText(command, "--device-class", options.device_class, "CLASS",
          "Only devices of this class: cuda, simt, cuda:sm_90, or cuda:sm_90:<name of the device>");
  command
      .add_option("--select", options.select,
                  "Only workers with this label, such as rack=7 (mmtune-worker --label); again for another")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command.add_option("--weight", options.weight, "The job's share of leases beside other jobs of its priority")
      ->check(IntegerFrom(1, kMaxWeight))
      ->type_name("N")
      ->capture_default_str();
  command.add_option("--priority", options.priority, "Jobs of a higher one get leases first")
      ->check(IntegerFrom(-kMaxPriority, kMaxPriority))
      ->type_name("N")
      ->capture_default_str();
  InGroup(command, kRareGroup);
  command
      .add_option("--trace-id", options.trace_id,
                  "32 hexadecimal digits that the log lines about this job carry, on every host; default those of "
                  "$TRACEPARENT, or new ones")
      ->type_name("ID");
}

void AddSearchingOptions(CLI::App& command, JobOptions& options, bool compares) {
  AddSearchOptions(command, options);
  AddMeasuringOptions(command, options, compares);
  AddFleetOptions(command, options);
  InGroup(command, kOutputGroup);
  AddAllowUnverified(command, options.allow_unverified);
}

void AddCommonOptions(CLI::App& command, JobOptions& options, const char* trials_help) {
  AsSetting(AddCount(command, "--trials", options.trials, 0, trials_help));
  AddSeconds(command, "--seconds", options.seconds, "Stop proposing schedules after this long; 0: no limit");
  AddDevice(command, options.device);
  AsSetting(command.add_flag("--quiet", options.quiet, "No progress"));
  AddCoordinator(command, options.server, "Tune on the workers of a running mmtune-server: HOST:PORT or unix:/path",
                 options.log, kLogHelp, options.tls);
}

}  // namespace

void AddJobOptions(CLI::App& command, JobOptions& options) {
  AddCommonOptions(command, options,
                   "Schedules to try, those of the log included; 0: no limit. 64, or no limit when --seconds is given");
  AddProblem(command, options.problem);
  AddSearchingOptions(command, options, /*compares=*/true);
}

void AddProgressJson(CLI::App& command, JobOptions& options) {
  command
      .add_flag("--progress-json", options.progress_json,
                "Progress as JSON objects, one on a line, for a program that runs this command, and ends with it")
      ->group(kOutputGroup);
}

Console ProgressConsole(const JobOptions& options, const Console& console) {
  return options.progress_json ? console.WithJsonProgress() : console;
}

void AddTuningOptions(CLI::App& command, JobOptions& options) {
  AddCommonOptions(command, options,
                   "Schedules to try for all matmuls together, those of the log included; default 64 for each matmul, "
                   "or no limit when --seconds is given");
  AddSearchingOptions(command, options, /*compares=*/false);
}

}  // namespace mmtune
