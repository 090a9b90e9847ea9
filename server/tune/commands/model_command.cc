// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/commands/model_command.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <iterator>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "kernels/families/common/registry.h"
#include "kernels/families/common/summation.h"
#include "proto/base/digest.h"
#include "proto/base/plain_text.h"
#include "proto/base/status.h"
#include "proto/base/whole_file.h"
#include "proto/json/model_products.h"
#include "proto/json/tuning_spec.h"
#include "proto/wire/convert.h"
#include "search/space/search_space.h"
#include "server/coordinator/job.h"
#include "server/tune/commands/commands.h"
#include "server/tune/commands/compile_command.h"
#include "server/tune/commands/model_spec.h"
#include "server/tune/commands/row_numerics.h"
#include "server/tune/commands/row_tables.h"
#include "server/tune/commands/spec_command.h"
#include "server/tune/report/format.h"
#include "server/tune/report/model_text.h"
#include "server/tune/report/progress.h"
#include "server/tune/session/model_run.h"
#include "server/tune/session/tuning_run.h"

namespace mmtune {
namespace {

/// The trials of each product if --trials is absent.
constexpr int64_t kTrialsEach = 64;
constexpr size_t kMostProducts = 200;
/// Each bucket is a product's job of its own, with a thread that follows it.
constexpr size_t kMostJobs = 512;
/// The measurements in near buckets are submitted in portions of this number of jobs, for the sake of the quotas.
constexpr size_t kPortion = 64;

absl::Status Refuse(std::string_view why) { return ExitWith(ExitCode::kUsage, why); }

/// Refuses what can be refused before a device is used.
absl::Status CheckOptions(const ModelOptionsOfTune& options) {
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
  return absl::OkStatus();
}

/// One run of the command.
class ModelTuning {
 public:
  ModelTuning(const ModelOptionsOfTune& options, Console console, v1::JobSpec job)
      : options_(options), console_(std::move(console)), job_(std::move(job)) {}

  absl::StatusOr<ExitCode> Run(const SessionOptions& session_options) {
    ASSIGN_OR_RETURN(old_spec_, ReadOldSpec(options_.spec, options_.force));
    if (!options_.dimension.empty()) {
      ASSIGN_OR_RETURN(dimension_, ParseDimensionSizes(options_.dimension));
    }
    std::string counts;
    if (!options_.counts.empty()) {
      const absl::StatusOr<std::string> text = ReadTextFile(options_.counts);
      if (!text.ok()) return Refuse(std::string(text.status().message()));
      counts = *text;
    }
    InterruptGuard interrupt;
    ASSIGN_OR_RETURN(const OwnedFolder folder, CreateRunFolder());
    ASSIGN_OR_RETURN(const std::unique_ptr<Session> session, Session::Open(session_options));
    ASSIGN_OR_RETURN(device_, AwaitDevice(*session, job_));
    ASSIGN_OR_RETURN(ModelProducts found, FindProducts(folder.path()));
    RETURN_IF_ERROR(CheckProducts(found, counts));
    RETURN_IF_ERROR(EstimateTimes());
    RETURN_IF_ERROR(ChooseNumerics());
    if (!options_.job.json) console_.out << ProductsText(rows_, console_.tables) << std::flush;
    ASSIGN_OR_RETURN(ModelRunResult run, Tune(*session));
    RETURN_IF_ERROR(TakeResults(*session, run));
    if (dimension_ && run.status.ok() && !run.interrupted) {
      // The trials before are not lost if this fails: the tables are made of what is known then.
      absl::StatusOr<bool> interrupted = MeasureNeighbours(*session);
      if (const absl::Status taken = TakeResults(*session, run); interrupted.ok() && !taken.ok()) interrupted = taken;
      if (!interrupted.ok()) {
        Note(absl::StrCat("the best schedules are not measured in all buckets near theirs: ",
                          std::string(interrupted.status().message())));
      }
      run.interrupted = interrupted.ok() && *interrupted;
      tables_ = MakeTables(rows_, measured_, device_, spec_, [this](std::string_view line) { Note(line); });
    }
    return Finish(run, folder.path());
  }

 private:
  void Note(std::string_view text) const {
    if (options_.job.quiet) return;
    console_.err << (console_.json_progress ? NoteJson(text) : absl::StrCat("tune: ", PlainText(std::string(text))))
                 << std::endl;
  }

  bool VerifiedOnly() const { return !options_.job.allow_unverified && options_.job.measure.verification; }

  /// Returns the words of mmtune-compile for this model and device.
  std::vector<std::string> CompilerWords(const std::string& spec_path) const {
    std::vector<std::string> words = {options_.model, "--arch", device_.arch, "--math", options_.math};
    if (device_.kind == DeviceKind::kSimt) words.insert(words.end(), {"--device", "simt"});
    if (options_.narrow_f64) words.emplace_back("--narrow-f64");
    if (options_.no_fusion) words.emplace_back("--no-fusion");
    if (options_.sums_as_written) words.emplace_back("--sums-as-written");
    if (!VerifiedOnly()) words.emplace_back("--allow-unverified");
    if (!spec_path.empty()) words.insert(words.end(), {"--spec", spec_path, "--spec-optional"});
    return words;
  }

  /// Reads what the log has for this class of devices. A server's log is not read: its jobs look there themselves.
  absl::StatusOr<TuningSpec> SpecOfOwnLog() const {
    TuningSpec spec;
    if (!options_.job.server.empty()) return spec;
    ASSIGN_OR_RETURN(const std::string path, ResolveLogPath(options_.job.log, /*create_folder=*/false));
    ASSIGN_OR_RETURN(const std::unique_ptr<TuningLogReader> log, OpenLogForReading(path));
    RecordFilter filter;
    filter.verified_only = VerifiedOnly();
    ASSIGN_OR_RETURN(LogSpec found, SpecOfLog(*log, filter, device_.arch));
    for (TuningSpecEntry& entry : found.spec.entries) {
      if (entry.device.ClassKey() == device_.ClassKey()) spec.entries.push_back(std::move(entry));
    }
    return spec;
  }

  /// Runs the compiler as far as it finds the problems and the schedules that it would use now.
  absl::StatusOr<ModelProducts> FindProducts(const std::string& folder) {
    ASSIGN_OR_RETURN(present_, SpecOfOwnLog());
    const std::string spec_path = present_.entries.empty() ? "" : absl::StrCat(folder, "/present.json");
    const std::string products_path = absl::StrCat(folder, "/products.json");
    const std::string said_path = absl::StrCat(folder, "/compiler.txt");
    if (!spec_path.empty()) RETURN_IF_ERROR(WriteWholeFile(spec_path, TuningSpecToJson(present_)));
    std::vector<std::string> words = CompilerWords(spec_path);
    words.insert(words.end(), {"--emit", "products", "-o", products_path, "--quiet"});
    ASSIGN_OR_RETURN(const ExitCode code, RunCompiler(std::move(words), folder, said_path));
    if (code == ExitCode::kInterrupted) return ExitWith(code, "interrupted");
    if (code != ExitCode::kOk) {
      if (const auto said = ReadTextFile(said_path); said.ok()) console_.err << PlainLines(*said);
      return ExitWith(code, absl::StrCat("the model ", options_.model, " does not compile"));
    }
    ASSIGN_OR_RETURN(const std::string text, ReadTextFile(products_path));
    return ModelProductsFromJson(text);
  }

  static std::string PlainLines(const std::string& text) {
    std::string plain;
    for (size_t begin = 0; begin < text.size();) {
      const size_t end = std::min(text.find('\n', begin), text.size());
      absl::StrAppend(&plain, PlainText(text.substr(begin, end - begin)), "\n");
      begin = end + 1;
    }
    return plain;
  }

  /// Sets the calls, and refuses a model that cannot be tuned.
  absl::Status CheckProducts(ModelProducts& found, const std::string& counts) {
    for (const std::string& text : found.dynamic) {
      Note(absl::StrCat(text, " is not tuned: a batch that is known at run time only is not supported yet"));
    }
    if (dimension_) {
      const absl::Status fits = CheckDimension(found, *dimension_);
      if (!fits.ok()) return Refuse(std::string(fits.message()));
    }
    const std::vector<std::set<int64_t>> steps = JoinSteps(found.products);
    if (!options_.counts.empty()) {
      const absl::Status applied = ApplyCounts(counts, found.products);
      if (!applied.ok()) return Refuse(absl::StrCat(options_.counts, ": ", std::string(applied.message())));
    }
    std::vector<ModelProduct> own = found.products;  // Products of 0 calls are the model's, too.
    size_t products = 0;
    for (size_t i = 0; i < found.products.size(); ++i) {
      ModelProduct& product = found.products[i];
      if (product.rows_step > 0 && !dimension_) {
        const std::vector<std::string>& open = found.open_dimensions;
        Note(absl::StrCat(product.Text(), " is not tuned: its rows are known at run time only",
                          open.empty() ? "" : absl::StrCat("; give their sizes, such as --dim ", open[0], "=1..1024")));
        continue;
      }
      if (!product.calls) {
        return Refuse(absl::StrCat("how often ", product.Text(),
                                   " is computed is not known, as a loop or branch around it is not constant: give "
                                   "--counts FILE, such as {\"",
                                   product.Text(), "\": 12}"));
      }
      if (*product.calls == 0) continue;
      ++products;
      if (product.rows_step == 0) {
        rows_.push_back({.product = std::move(product), .best = std::nullopt, .rows = std::nullopt});
        continue;
      }
      absl::StatusOr<std::vector<ProductResult>> buckets = BucketsOf(product, steps[i], *dimension_, device_);
      if (!buckets.ok()) return Refuse(std::string(buckets.status().message()));
      std::move(buckets->begin(), buckets->end(), std::back_inserter(rows_));
    }
    if (rows_.empty()) return Refuse(absl::StrCat(options_.model, " has no matmul to tune"));
    if (products > kMostProducts) {
      return Refuse(absl::StrCat(options_.model, " has ", products, " distinct matmuls: at most ", kMostProducts,
                                 " are tuned together; give --counts with 0 for some"));
    }
    if (rows_.size() > kMostJobs) {
      return Refuse(absl::StrCat(options_.model, " has ", rows_.size(),
                                 " buckets and matmuls of constant sizes: at most ", kMostJobs,
                                 " are tuned together; give a narrower --dim, or --counts with 0 for some"));
    }
    return CheckSpecIsOf(own, old_spec_, options_.spec);
  }

  /// Sets the times of the schedules that are used now: those of the log, or estimates by the families' formulas,
  /// scaled as the times of the log differ from theirs. Leaves out problems for which no schedule is searched.
  absl::Status EstimateTimes() {
    double ratios = 0;
    int known = 0;
    for (ProductResult& row : std::exchange(rows_, {})) {
      const ModelProduct& product = row.product;
      // A bucket has a valid schedule.
      if (!row.rows) {
        const absl::StatusOr<std::unique_ptr<SearchSpace>> space =
            SearchSpace::Create(product.problem, device_, SearchedFamilies(product.problem, KernelFamilies()));
        if (!space.ok()) {
          Note(absl::StrCat(product.problem.Text(), " is not tuned: ", std::string(space.status().message())));
          continue;
        }
      }
      const absl::StatusOr<const FamilyBase*> family = FindKernelFamily(product.schedule.family);
      std::optional<PredictedTime> time;
      if (family.ok()) time = (*family)->Predict(product.problem, product.schedule, device_);
      // Without a formula, the time is that of a teraflop a second.
      row.before_ns = time ? 1e9 * time->total : product.problem.Flops() / 1e3;
      const auto entry =
          std::find_if(present_.entries.begin(), present_.entries.end(), [&product](const TuningSpecEntry& candidate) {
            return candidate.problem == product.problem && candidate.schedule == product.schedule;
          });
      if (entry != present_.entries.end()) {
        ratios += std::log(entry->median_ns / row.before_ns);
        ++known;
        row.before_ns = entry->median_ns;
        row.before_measured = true;
      }
      rows_.push_back(std::move(row));
    }
    if (rows_.empty()) return Refuse(absl::StrCat("no matmul of ", options_.model, " can be tuned"));
    for (ProductResult& row : rows_) {
      if (!row.before_measured && known > 0) row.before_ns *= std::exp(ratios / known);
    }
    SetShares(rows_);
    return absl::OkStatus();
  }

  /// Returns what is searched for a bucket (JobSpec::only).
  std::vector<std::string> PartsFor(const ProductResult& row) const {
    if (job_.only().empty()) return PartsForRows(row.product.problem, device_);
    return {job_.only().begin(), job_.only().end()};
  }

  /// Sets what is asked of the bits of each row.
  absl::Status ChooseNumerics() {
    ASSIGN_OR_RETURN(asked_, Numerics::Parse(job_.numerics()));
    const auto parts_for = [this](const ProductResult& row) { return PartsFor(row); };
    const auto note = [this](std::string_view line) { Note(line); };
    absl::StatusOr<std::vector<Numerics>> chosen = NumericsOfRows(asked_, rows_, parts_for, device_, note);
    if (!chosen.ok()) return Refuse(std::string(chosen.status().message()));
    numerics_ = *std::move(chosen);
    return absl::OkStatus();
  }

  int64_t Limit() const {
    if (options_.job.trials) return *options_.job.trials;
    return options_.job.seconds > 0 ? 0 : kTrialsEach * static_cast<int64_t>(rows_.size());
  }

  std::vector<v1::JobSpec> Requests() const {
    const std::string id = RandomToken();
    std::vector<v1::JobSpec> specs;
    for (size_t i = 0; i < rows_.size(); ++i) {
      const ProductResult& row = rows_[i];
      v1::JobSpec& spec = specs.emplace_back(job_);
      *spec.mutable_problem() = ToWire(row.product.problem);
      spec.set_trials(Limit());
      v1::ModelShare& share = *spec.mutable_model();
      share.set_id(id);
      share.set_calls(row.Calls());
      share.set_time_ns(row.before_ns);
      *share.mutable_present() = ToWire(row.product.schedule);
      share.set_trials(Limit());
      share.set_parts(static_cast<int64_t>(rows_.size()));
      if (numerics_[i].contract != Numerics::Contract::kAny) spec.set_numerics(numerics_[i].Text());
      if (!row.rows || !job_.only().empty()) continue;
      for (const std::string& part : PartsFor(row)) spec.add_only(part);
    }
    return specs;
  }

  absl::StatusOr<ModelRunResult> Tune(Session& session) {
    const std::vector<v1::JobSpec> specs = Requests();
    std::string shown;
    TimePoint shown_at;
    const auto show = [&](const ModelRunResult& run) {
      TakeProgress(run);
      const bool json = console_.json_progress;
      const std::string text = json ? ProgressJson(ModelProgress(rows_, Limit())) : ModelProgressText(rows_, Limit());
      const TimePoint now = Clock::Real().Now();
      if (options_.job.quiet || text == shown) return;
      if (!json && !console_.live && now - shown_at < std::chrono::seconds(5) && !shown.empty()) return;
      shown = text;
      shown_at = now;
      if (console_.live) {
        console_.err << "\r\x1b[2K" << text << std::flush;
      } else {
        console_.err << text << std::endl;
      }
    };
    const auto note = [&](std::string_view line) { Note(line); };
    absl::StatusOr<ModelRunResult> run = RunModelJobs(session, specs, show, note);
    if (console_.live && !shown.empty()) console_.err << std::endl;
    return run;
  }

  /// Measures the winner of each bucket in the buckets near it. Returns true if Ctrl-C ended that.
  absl::StatusOr<bool> MeasureNeighbours(Session& session) {
    const std::vector<v1::JobSpec> specs = NeighbourJobs(rows_, measured_, device_, job_);
    if (specs.empty()) return false;
    int schedules = 0;
    for (const v1::JobSpec& spec : specs) schedules += spec.schedules_size();
    Note(absl::StrCat("measuring the best schedules in the buckets near theirs: ", schedules, " times"));
    for (size_t done = 0; done < specs.size(); done += kPortion) {
      const auto first = specs.begin() + static_cast<std::ptrdiff_t>(done);
      const std::vector<v1::JobSpec> portion(
          first, first + static_cast<std::ptrdiff_t>(std::min(kPortion, specs.size() - done)));
      ASSIGN_OR_RETURN(
          const ModelRunResult run,
          RunModelJobs(session, portion, [](const ModelRunResult&) {}, [&](std::string_view line) { Note(line); }));
      if (run.interrupted) return true;
      RETURN_IF_ERROR(run.status);
    }
    return false;
  }

  /// Takes the counts and the best times of the jobs.
  void TakeProgress(const ModelRunResult& run) {
    for (size_t i = 0; i < rows_.size(); ++i) {
      ProductResult& row = rows_[i];
      const v1::JobProgress& progress = run.jobs[i].progress();
      row.trials = progress.done() - OutcomeCount(progress, "skipped");
      row.failed = row.trials - OutcomeCount(progress, "ok");
      if (progress.best_gflops() > 0) row.after_ns = row.product.problem.Flops() / progress.best_gflops();
      if (run.present_ns[i] <= 0 || row.before_measured) continue;
      row.before_ns = run.present_ns[i];
      row.before_measured = true;
    }
  }

  /// Takes the best schedules from the log, in the ranking of every reader of it. An error leaves those from before.
  absl::Status TakeResults(Session& session, const ModelRunResult& run) {
    TakeProgress(run);
    TuningSpec spec;
    std::vector<std::vector<RankedRecord>> measured(rows_.size());
    for (size_t i = 0; i < rows_.size(); ++i) {
      ProductResult& row = rows_[i];
      v1::RecordFilter filter;
      *filter.mutable_problem() = ToWire(row.product.problem);
      filter.set_device(device_.name);
      filter.set_regime(job_.measure().regime());
      filter.set_verified_only(VerifiedOnly());
      filter.set_toolchain(run.toolchain);  // The compiler refuses entries of others.
      constexpr int kLooked = 100, kLookedFarther = 1000;
      const Numerics& numerics = numerics_[i];
      const bool farther = row.rows || numerics.contract != Numerics::Contract::kAny;
      absl::StatusOr<std::vector<RankedRecord>> best =
          session.client().Best(filter, farther ? kLookedFarther : kLooked);
      if (!best.ok()) return run.status.ok() ? best.status() : run.status;
      std::erase_if(*best, [&](const RankedRecord& ranked) {
        return !HasNumerics(ranked.record.problem, ranked.record.schedule, ranked.record.device, numerics);
      });
      if (row.rows) {
        std::erase_if(*best, [this](const RankedRecord& ranked) {
          return ranked.record.device.ClassKey() != device_.ClassKey();
        });
        const std::optional<size_t> fastest = FastestForRows(*best);
        if (fastest) row.after_ns = (*best)[*fastest].ranked_ns;
        if (fastest) row.best = (*best)[*fastest].record.schedule;
        measured[i] = *std::move(best);
        continue;  // Its entries are the lines of the dispatch table.
      }
      const auto own = std::find_if(best->begin(), best->end(), [this](const RankedRecord& ranked) {
        return ranked.record.device.ClassKey() == device_.ClassKey();
      });
      if (own == best->end()) continue;
      row.after_ns = own->ranked_ns;
      row.best = own->record.schedule;
      spec.entries.push_back(SpecEntryOf(*own));
    }
    spec_ = std::move(spec);
    measured_ = std::move(measured);
    return absl::OkStatus();
  }

  /// Prints the result, and writes what was asked for.
  absl::StatusOr<ExitCode> Finish(const ModelRunResult& run, const std::string& folder) {
    if (options_.job.json) {
      console_.out << ModelResultJson(rows_, tables_, run.interrupted) << std::endl;
    } else {
      console_.out << ModelResultText(rows_, console_.tables) << DispatchText(tables_, console_.tables);
      if (!run.interrupted && run.status.ok()) console_.out << "stopped   " << StopReason(run) << "\n";
      console_.out << std::flush;
    }
    if (run.interrupted) {
      Note("interrupted: what was measured is in the log; run the same command again to go on");
      return ExitCode::kInterrupted;
    }
    RETURN_IF_ERROR(run.status);
    if (spec_.entries.empty()) return ExitWith(ExitCode::kNoResult, "no schedule gave a valid result");
    RETURN_IF_ERROR(CheckNumerics(asked_, numerics_, rows_, tables_, device_));
    if (!options_.spec.empty()) RETURN_IF_ERROR(WriteSpec());
    if (options_.output.empty()) return ExitCode::kOk;
    const std::string spec_path = absl::StrCat(folder, "/best.json");
    ASSIGN_OR_RETURN(const std::string best, ReadableJson(spec_));
    RETURN_IF_ERROR(WriteWholeFile(spec_path, best));
    std::vector<std::string> words = CompilerWords(spec_path);
    words.insert(words.end(), {"-o", options_.output});
    if (options_.force) words.emplace_back("--force");
    if (options_.job.quiet || options_.job.json) words.emplace_back("--quiet");
    return RunCompiler(std::move(words), folder);
  }

  /// Returns why the jobs ended: what ended all of them rather than what ended one, and the first failure.
  static std::string StopReason(const ModelRunResult& run) {
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

  /// Returns the spec's text, or an error if its readers would refuse it.
  static absl::StatusOr<std::string> ReadableJson(const TuningSpec& spec) {
    std::string json = TuningSpecToJson(spec);
    const absl::Status read = TuningSpecFromJson(json).status();
    if (!read.ok()) return ExitWith(ExitCode::kNoResult, WithContext(read, "the tuning spec of this run"));
    return json;
  }

  /// Replaces the entries for which this run has new ones, and keeps the others.
  absl::Status WriteSpec() const {
    ASSIGN_OR_RETURN(const std::string json, ReadableJson(WithOldEntries(spec_, old_spec_)));
    const absl::Status written = WriteWholeFile(options_.spec, PrintableJson(json));
    if (!written.ok()) return ExitWith(ExitCode::kNoResult, written);
    if (!options_.job.json) {
      console_.out << "wrote " << spec_.entries.size() << (spec_.entries.size() == 1 ? " entry to " : " entries to ")
                   << PlainText(options_.spec) << std::endl;
    }
    return absl::OkStatus();
  }

  const ModelOptionsOfTune& options_;
  const Console console_;
  const v1::JobSpec job_;  ///< The request of every product, without its problem.
  DeviceInfo device_;
  TuningSpec old_spec_;                      ///< The one that --spec replaces.
  TuningSpec present_;                       ///< The best schedules of the log before, for this class of devices.
  TuningSpec spec_;                          ///< The best schedules of this model.
  std::optional<DimensionSizes> dimension_;  ///< That of --dim.
  std::vector<ProductResult> rows_;
  Numerics asked_;                                   ///< That of --numerics.
  std::vector<Numerics> numerics_;                   ///< The contract for the bits of each of rows_.
  std::vector<std::vector<RankedRecord>> measured_;  ///< The ranking of each bucket of rows_.
  std::vector<DispatchTable> tables_;
};

}  // namespace

absl::StatusOr<ExitCode> RunModelCommand(const ModelOptionsOfTune& options, const Console& console) {
  RETURN_IF_ERROR(CheckOptions(options));
  JobOptions job = options.job;
  job.problem.shape = "1x1x1";  // That of each product takes its place.
  ASSIGN_OR_RETURN(v1::JobSpec spec, MakeJobSpec(job));
  ASSIGN_OR_RETURN(const SessionOptions session, MakeSessionOptions(options.job));
  return ModelTuning(options, ProgressConsole(options.job, console), std::move(spec)).Run(session);
}

void AddModelCommand(Commands& commands, CLI::App& app) {
  ModelOptionsOfTune& options = commands.Keep<ModelOptionsOfTune>();
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
  AddText(command, "--dim", options.dimension, "RANGE",
          "The sizes of a dimension of the arguments that is known at run time only: 0=1..8192. They are divided into "
          "buckets, and a dispatch table chooses among a few kernels");
  AddChoice(command, "--math", options.math, {"ieee", "tf32", "tf32x3", "bf16x6"},
            "Arithmetic of f32 matmuls, as in tune compile");
  InGroup(command, kRareGroup);
  command.add_flag("--narrow-f64", options.narrow_f64, "As in tune compile");
  command.add_flag("--no-fusion", options.no_fusion, "As in tune compile");
  command.add_flag("--sums-as-written", options.sums_as_written, "As in tune compile");
  commands.AddStyle(command);
}

}  // namespace mmtune
