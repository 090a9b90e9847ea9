// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/commands/model_command.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "proto/base/plain_text.h"
#include "proto/base/status.h"
#include "proto/base/whole_file.h"
#include "proto/json/tuning_spec.h"
#include "server/tune/commands/commands.h"
#include "server/tune/commands/model_build.h"
#include "server/tune/commands/model_rows.h"
#include "server/tune/commands/model_spec.h"
#include "server/tune/commands/model_tuning.h"
#include "server/tune/report/model_text.h"
#include "server/tune/report/progress.h"
#include "server/tune/session/tuning_run.h"

namespace mmtune {
namespace {

/// The calls of the function of --run if --repeat is absent. The first one is not timed.
constexpr int kRuns = 11;

absl::Status Refuse(std::string_view why) { return ExitWith(ExitCode::kUsage, why); }

/// Refuses what can be refused before a device is used.
absl::Status CheckOptions(const TuneModelOptions& options) {
  if (options.model == "-") return Refuse("tune model reads the model several times: give a file, not -");
  if (options.job.trials && *options.job.trials <= 0) {
    return Refuse("--trials 0 leaves nothing to tune with: give 1 or more");
  }
  if (access(options.model.c_str(), R_OK) != 0) {
    return Refuse(absl::StrCat("cannot read ", options.model, ": ", strerror(errno)));
  }
  if (!options.output.empty() && !absl::EndsWith(options.output, ".so") && !absl::EndsWith(options.output, ".o")) {
    return Refuse(absl::StrCat("-o ", options.output, " is no library: give a .so or .o (other kinds: tune compile)"));
  }
  if (!options.output.empty() && !options.force && access(options.output.c_str(), F_OK) == 0) {
    return Refuse(absl::StrCat(options.output, " exists: give --force to replace it"));
  }
  for (const std::string& path : {options.output, options.spec}) {
    const std::string folder = path.find('/') == path.npos ? "." : path.substr(0, path.rfind('/') + 1);
    if (!path.empty() && access(folder.c_str(), W_OK) != 0) {
      return Refuse(absl::StrCat("cannot write ", path, ": ", strerror(errno)));
    }
  }
  if (!options.run.arguments.empty() && options.run.function.empty()) return Refuse("--arg requires --run");
  return absl::OkStatus();
}

/// Returns why the jobs ended: what ended all of them rather than what ended one, and the first failure.
std::string StopReason(const ModelRunResult& run) {
  std::string reason, failure;
  for (const v1::Job& job : run.jobs) {
    const std::string& message = job.message();
    const bool of_model = absl::EndsWith(message, "of the model") || absl::EndsWith(message, "of the model's time");
    if (job.state() == v1::JOB_STATE_FAILED) {
      if (failure.empty()) failure = absl::StrCat(ProblemText(job.spec().problem()), ": ", message);
    } else if (reason.empty() || of_model) {
      reason = message;
    }
  }
  return PlainText(absl::StrCat(reason, reason.empty() || failure.empty() ? "" : "; ", failure));
}

/// Replaces the entries for which this run has new ones, and keeps the others that the compiler does not refuse.
absl::Status WriteSpec(const TuneModelOptions& options, const TuningSpec& spec, const TuningSpec& old_spec,
                       const Console& console) {
  const MergedSpec merged = MergeOldEntries(spec, old_spec);
  ASSIGN_OR_RETURN(const std::string json, ReadableJson(merged.spec));
  const absl::Status written = WriteWholeFile(options.spec, PrintableJson(json));
  if (!written.ok()) return ExitWith(ExitCode::kNoResult, written);
  if (merged.dropped > 0) {
    NoteOfModel(options, console,
                absl::StrCat("old entries of another toolchain, dropped from ", options.spec, ": ", merged.dropped));
  }
  if (options.job.format == OutputFormat::kTable) {
    console.out << "wrote " << spec.entries.size() << (spec.entries.size() == 1 ? " entry to " : " entries to ")
                << PlainText(options.spec) << std::endl;
  }
  return absl::OkStatus();
}

/// Prints the result of a run.
void Print(const TuneModelOptions& options, const ModelTuning& tuning, const ModelRunResult& run,
           const std::optional<ModelRunTimes>& times, const Console& console) {
  if (options.job.format == OutputFormat::kJson) {
    console.out << ModelResultJson(tuning.rows(), tuning.tables(), times, run.interrupted) << std::endl;
    return;
  }
  const bool csv = options.job.format == OutputFormat::kCsv;
  console.out << ModelResultText(tuning.rows(), console.tables);
  if (times && !csv) console.out << ModelRunTimesText(*times, console.tables);
  console.out << DispatchText(tuning.tables(), console.tables);
  if (csv) {
    console.out << std::flush;
    return;
  }
  if (run.interrupted) {
    console.out << "stopped   interrupted: run the same command again to go on\n";
  } else if (run.status.ok()) {
    console.out << "stopped   " << StopReason(run) << "\n";
  }
  console.out << std::flush;
}

}  // namespace

void NoteOfModel(const TuneModelOptions& options, const Console& console, std::string_view text) {
  if (options.job.quiet) return;
  console.err << (console.json_progress ? NoteJson(text) : absl::StrCat("tune: ", PlainText(std::string(text))))
              << std::endl;
}

absl::StatusOr<ExitCode> RunModelCommand(const TuneModelOptions& options, const Console& given) {
  RETURN_IF_ERROR(CheckOptions(options));
  const Console console = ProgressConsole(options.job, given);
  const auto note = [&](std::string_view text) { NoteOfModel(options, console, text); };
  JobOptions job = options.job;
  job.problem.shape = "1x1x1";  // That of each matmul takes its place.
  ASSIGN_OR_RETURN(v1::JobSpec spec, MakeJobSpec(job));
  ASSIGN_OR_RETURN(const SessionOptions session_options, MakeSessionOptions(options.job));
  ASSIGN_OR_RETURN(const ModelInputs inputs, ReadModelInputs(options));
  InterruptGuard interrupt;
  ASSIGN_OR_RETURN(const OwnedFolder folder, CreateRunFolder());
  ModelTuning tuning(options, console, std::move(spec), inputs, folder.path());
  ModelRunResult run;
  const auto tune = [&](Session& session) -> absl::StatusOr<bool> {
    ASSIGN_OR_RETURN(run, tuning.Run(session));
    return run.coordinator_gone;
  };
  RETURN_IF_ERROR(RunInSession(session_options, tune, note));
  // After the coordinator was lost, Ctrl-C kept another session from going on, which the run did not see.
  if (run.coordinator_gone && InterruptGuard::Requested()) run.interrupted = true;
  std::optional<ModelRunTimes> times;
  if (!options.run.function.empty() && !run.interrupted && run.status.ok() && !tuning.spec().entries.empty()) {
    absl::StatusOr<ModelRunTimes> timed = tuning.TimeRuns();
    run.interrupted = InterruptGuard::Requested();
    if (!timed.ok() && !run.interrupted)
      note(absl::StrCat("the model was not timed: ", std::string(timed.status().message())));
    if (timed.ok()) times = *std::move(timed);
  }
  Print(options, tuning, run, times, console);
  if (run.interrupted) return ExitCode::kInterrupted;
  RETURN_IF_ERROR(run.status);
  if (tuning.spec().entries.empty()) return ExitWith(ExitCode::kNoResult, "no schedule gave a valid result");
  RETURN_IF_ERROR(tuning.CheckNumerics());
  if (!options.spec.empty()) RETURN_IF_ERROR(WriteSpec(options, tuning.spec(), inputs.old_spec, console));
  if (options.output.empty()) return ExitCode::kOk;
  return ModelBuild(options, tuning.device(), folder.path()).BuildLibrary(tuning.spec());
}

void AddModelCommand(Commands& commands, CLI::App& app) {
  TuneModelOptions& options = commands.Keep<TuneModelOptions>();
  CLI::App& command =
      commands.Add(app, "model", "Tune all matmuls of an MLIR module for the shortest time of the whole, and build it",
                   RunModelCommand, options);
  command.footer(
      "Trials go to the matmul where one is expected to save the most time of the model for each second that it takes. "
      "It stops after --trials in all (64 for each matmul), or when further ones are expected to save less than 0.5 %. "
      "Ctrl-C keeps what was measured; the same command goes on with it.\n\n"
      "Examples:\n"
      "  tune model resnet.mlir --arch sm_90 --trials 2000 -o libresnet.so\n"
      "  tune model block.mlir --device simt --trials 60 --spec block.json\n");
  AddOperand(command, "MODEL", options.model, "The model, an MLIR module as tune compile takes it");
  AddOutput(command, options.output, "Build this library with the best schedules, a .so or .o, as tune compile does");
  AddText(command, "--spec", options.spec, "FILE",
          "Write the best schedules to this tuning spec; entries of other devices in it are kept");
  AddTuningOptions(command, options.job);
  AddProgressJson(command, options.job);
  AddForce(command, options.force);
  InGroup(command, kSearchGroup);
  AddText(command, "--counts", options.counts, "FILE",
          "How often problems are computed, where loops do not tell: JSON, {\"32x48x64 epilogue=bias\": 12}");
  command
      .add_option("--run", options.run.function,
                  "Run this function on this machine: it tells the counts, and the time of the model at the end")
      ->type_name("FUNCTION");
  options.run.repeat = kRuns;
  AddCallOptions(command, options.run);
  AddText(command, "--dim", options.dimension, "RANGE",
          "The sizes of a dimension of the arguments that is known at run time only: 0=1..8192. They are divided into "
          "buckets, and a dispatch table chooses among a few kernels");
  AddChoice(command, "--math", options.math, {"ieee", "tf32", "tf32x3", "bf16x6"},
            "Arithmetic of f32 matmuls, as in tune compile");
  InGroup(command, kRareGroup);
  command.add_flag("--narrow-f64", options.narrow_f64, "As in tune compile");
  command.add_flag("--no-fusion", options.no_fusion, "As in tune compile");
  command.add_flag("--sums-as-written", options.sums_as_written, "As in tune compile");
  commands.AddFormats(command, options.job.format, kSeveralTables);
}

}  // namespace mmtune
