// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/verify/schedule_verifier.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "kernels/families/common/registry.h"
#include "kernels/families/common/verification_shapes.h"
#include "kernels/simulator/ptx/ptx_compiler.h"
#include "kernels/simulator/race_detector/finding.h"
#include "kernels/simulator/simt_device.h"
#include "proto/base/digest.h"
#include "proto/base/json_tree.h"
#include "proto/base/log.h"
#include "proto/base/status.h"
#include "proto/base/whole_file.h"
#include "proto/json/json_reader.h"
#include "worker/children/child.h"
#include "worker/measure/checker.h"
#include "worker/measure/guarded_buffers.h"
#include "worker/measure/operand_sets.h"
#include "worker/verify/block_sample.h"

namespace mmtune {
namespace {

constexpr int64_t kFileVersion = 1;
constexpr int kMaxDepth = 4;
constexpr int64_t kMaxBytes = 1 << 20;

/// Raised when other things are run or compared: a verification is remembered for one version.
constexpr int kVerificationVersion = 9;
constexpr uint64_t kExactSeed = 524287;
constexpr uint64_t kRandomSeed = 6700417;
constexpr uint64_t kFirstFuzzingSeed = 1;
constexpr size_t kDetailedFindings = 3;
constexpr size_t kMaxDetail = 8192;

VerificationReport NotPerformed(std::string reason) {
  VerificationReport report;
  report.reason = OneLine(std::move(reason));
  return report;
}

struct RunResult {
  std::vector<char> c;                  ///< The elements of C; NaN where nothing was written.
  std::vector<simt::Finding> findings;  ///< Findings of the race detector.
  std::string failure;                  ///< Why there is no result, or what a kernel damaged; empty: there is a result.
};

/// How a run is made.
struct RunMode {
  bool race_detector = false;
  std::optional<uint64_t> fuzzing_seed;
};

/// Creates the device that runs the subjects.
absl::StatusOr<std::unique_ptr<simt::SimtDevice>> CreateDevice(const std::string& arch) {
  simt::SimtOptions options;
  options.arch = arch;
  options.threads = 1;  // other children use the other cores
  ASSIGN_OR_RETURN(std::unique_ptr<Device> device, simt::SimtDevice::Create(options));
  return std::unique_ptr<simt::SimtDevice>(static_cast<simt::SimtDevice*>(device.release()));
}

/// A subject that is loaded on a device, with buffers, for any number of runs. The members are destroyed from the last
/// to the first.
struct LoadedSubject {
  std::unique_ptr<DeviceModule> module;
  std::unique_ptr<GuardedBuffers> buffers;
  EnqueueRun enqueue;
};

/// Loads a subject. Returns an error if the image cannot be loaded. The device must outlive the result.
absl::StatusOr<LoadedSubject> Load(const VerificationSubject& subject, simt::SimtDevice* device) {
  const CompiledKernel& kernel = subject.kernel;
  LoadedSubject loaded;
  ASSIGN_OR_RETURN(loaded.module, device->LoadModule(kernel.format, kernel.image));
  // The device's own guards, at the ends of the buffers themselves, see more than red zones of ours behind them.
  ASSIGN_OR_RETURN(loaded.buffers,
                   GuardedBuffers::Create(device, subject.problem, kernel.plan.workspace_bytes, /*zone_bytes=*/0));
  const PlanMemories& memories = loaded.buffers->memories();
  for (PlanBuffer input : {PlanBuffer::kA, PlanBuffer::kB, PlanBuffer::kBias, PlanBuffer::kAddend}) {
    const DevicePtr address = memories[input].address;
    if (address != 0) RETURN_IF_ERROR(device->SetReadOnly(address));
  }
  ASSIGN_OR_RETURN(loaded.enqueue, BindPlan(device, loaded.module.get(), kernel.plan, memories));
  return loaded;
}

void NoteFirst(const std::string& what, VerificationReport* report) {
  if (report->finding.empty()) report->finding = OneLine(what);
}

/// Notes findings of the race detector, at least one, in a run that `where` names.
void Note(const std::vector<simt::Finding>& findings, const std::string& where, VerificationReport* report) {
  const bool race = std::any_of(findings.begin(), findings.end(), simt::IsRace);
  (race ? report->race_free : report->correct) = false;
  const simt::Finding& first = findings.front();
  NoteFirst(absl::StrCat(where, ": ", first.kind, " in ", first.kernel, ": ", first.what), report);
  for (size_t i = 0; i < findings.size() && i < kDetailedFindings; ++i) {
    absl::StrAppend(&report->detail, report->detail.empty() ? "" : "\n", simt::FindingText(findings[i]));
  }
  if (report->detail.size() > kMaxDetail) report->detail.resize(kMaxDetail);
}

/// Takes one subject through all its runs; what is wrong goes into the report. The device, null if there is none yet,
/// serves for all subjects, as stacks for its threads take time to make.
class SubjectVerification {
 public:
  SubjectVerification(const VerificationSubject& subject, const std::string& arch,
                      std::unique_ptr<simt::SimtDevice>* device, VerificationReport* report)
      : subject_(subject),
        arch_(arch),
        device_(*device),
        report_(report),
        exact_(ExactCheck::Create(
            subject.problem, kExactSeed,
            subject.race_detection_only ? ExactCheck::kElementwiseLimit : std::numeric_limits<int64_t>::max())),
        random_(subject.problem, kRandomSeed) {}

  absl::Status DetectRaces(std::optional<uint64_t> seed) {
    ASSIGN_OR_RETURN(RunResult result, Run({.race_detector = true, .fuzzing_seed = seed}, exact_->Source()));
    const std::string how = seed ? absl::StrCat("in race detection with fuzzing seed ", *seed) : "in race detection";
    if (!result.findings.empty()) {
      Note(result.findings, absl::StrCat(subject_.problem.ShapeText(), " ", how), report_);
    } else {
      Judge(result, how);
    }
    return absl::OkStatus();
  }

  absl::Status PlainOrder() {
    ASSIGN_OR_RETURN(RunResult result, Run({}, random_));
    if (!result.failure.empty()) Judge(result, "on random operands");
    baseline_ = std::move(result.c);
    return absl::OkStatus();
  }

  /// Runs in the random order of a seed. `first_pass` is 1 if race detection has run the first one in this order.
  absl::Status FuzzSchedule(uint64_t seed, int first_pass) {
    const RunMode mode = {.fuzzing_seed = seed};
    for (int pass = first_pass; pass < exact_->passes(); ++pass) {
      exact_->SetPass(pass);
      ASSIGN_OR_RETURN(RunResult result, Run(mode, exact_->Source()));
      Judge(result, absl::StrCat("with fuzzing seed ", seed));
    }
    exact_->SetPass(0);
    ASSIGN_OR_RETURN(RunResult result, Run(mode, random_));
    if (!result.failure.empty()) {
      Judge(result, absl::StrCat("on random operands with fuzzing seed ", seed));
      return absl::OkStatus();
    }
    if (baseline_.empty()) return absl::OkStatus();
    report_->deterministic &= result.c == baseline_;
    return absl::OkStatus();
  }

 private:
  /// Runs the launch plan once. The next run after one that failed has a new device, as kernels may have damaged its
  /// memory. Returns an error if the subject cannot be loaded.
  absl::StatusOr<RunResult> Run(const RunMode& mode, const OperandSource& operands) {
    if (!loaded_) {
      if (!device_) {
        ASSIGN_OR_RETURN(device_, CreateDevice(arch_));
      }
      ASSIGN_OR_RETURN(loaded_, Load(subject_, device_.get()));
    }
    GuardedBuffers& buffers = *loaded_->buffers;
    RETURN_IF_ERROR(buffers.Upload(operands));
    RETURN_IF_ERROR(buffers.Poison());
    device_->SetMode(mode.race_detector, mode.fuzzing_seed);
    RunResult result;
    absl::Status status = loaded_->enqueue(0);
    if (status.ok()) status = device_->Synchronize(0);
    if (absl::IsResourceExhausted(status)) return absl::UnavailableError(status.message());  // The host's failure.
    result.findings = device_->TakeFindings();
    if (!status.ok()) {
      result.failure = ToStd(status.message());
      loaded_.reset();
      device_.reset();
      return result;
    }
    const MatmulProblem& problem = subject_.problem;
    result.c.resize(static_cast<size_t>(problem.ElementsC() * DataTypeBytes(problem.TypeOfC())));
    RETURN_IF_ERROR(buffers.Download(0, problem.ElementsC(), result.c.data()));
    ASSIGN_OR_RETURN(result.failure, buffers.Damage(operands));
    return result;
  }

  void Judge(const RunResult& result, const std::string& how) {
    std::string wrong = result.failure;
    if (wrong.empty()) {
      const CheckReport check = exact_->CheckElements(result.c.data());
      if (check.passed) return;
      wrong = check.detail;
    }
    report_->correct = false;
    NoteFirst(absl::StrCat(subject_.problem.ShapeText(), " ", how, ": ", wrong), report_);
  }

  const VerificationSubject& subject_;
  const std::string& arch_;
  std::unique_ptr<simt::SimtDevice>& device_;
  std::optional<LoadedSubject> loaded_;
  VerificationReport* report_;
  const std::unique_ptr<ExactCheck> exact_;
  const RandomOperandStream random_;
  std::vector<char> baseline_;  // the result on random operands
};

/// The SIMT device in place of `device`, with as many multiprocessors, as rules depend on their number.
absl::StatusOr<DeviceInfo> StandIn(const DeviceInfo& device) {
  simt::SimtOptions options;
  options.arch = device.arch;
  options.threads = 1;
  ASSIGN_OR_RETURN(std::unique_ptr<Device> simt_device, simt::SimtDevice::Create(options));
  DeviceInfo info = simt_device->info();
  if (device.multiprocessors > 0) info.multiprocessors = device.multiprocessors;
  return info;
}

std::string ArgumentText(const PlanArgument& argument) {
  const std::string buffer = absl::StrCat(static_cast<int>(argument.buffer));
  if (!argument.map) return buffer;
  const TiledTensorMap& map = *argument.map;
  return absl::StrCat(buffer, "[type ", map.data_type, " extents ", absl::StrJoin(map.extents, ","), " strides ",
                      absl::StrJoin(map.strides_bytes, ","), " box ", absl::StrJoin(map.box, ","), " interleave ",
                      map.interleave, " swizzle ", map.swizzle, " promotion ", map.l2_promotion, " fill ",
                      map.out_of_bounds_fill, "]");
}

std::string PlanText(const LaunchPlan& plan) {
  std::string text = absl::StrCat("workspace ", plan.workspace_bytes, "\n");
  for (const PlanStep& step : plan.steps) {
    if (step.kind == PlanStep::Kind::kMemset) {
      absl::StrAppend(&text, "memset ", static_cast<int>(step.buffer), " ", step.bytes, "\n");
      continue;
    }
    absl::StrAppend(&text, "launch ", step.kernel, " grid ", absl::StrJoin(step.grid, ","), " block ",
                    absl::StrJoin(step.block, ","), " shared ", step.dynamic_shared_bytes, " arguments");
    for (const PlanArgument& argument : step.arguments) absl::StrAppend(&text, " ", ArgumentText(argument));
    if (step.HasClusters()) absl::StrAppend(&text, " cluster ", absl::StrJoin(step.cluster, ","));
    absl::StrAppend(&text, "\n");
  }
  return text;
}

/// Makes the PTX of a kernel an object for race detection. The digest stays that of the PTX.
absl::Status CompileShippedPtx(std::string_view family, CompiledKernel* kernel) {
  ASSIGN_OR_RETURN(
      ptx::CompiledPtx compiled,
      ptx::compilePtx(kernel->image, {.name = absl::StrCat(ToAbsl(family), ".ptx"), .race_detection = true}));
  kernel->image = std::move(compiled.image);
  kernel->format = ImageFormat::kSimtObject;
  return absl::OkStatus();
}

/// Everything on which the runs of a subject depend.
std::string SubjectText(const VerificationSubject& subject) {
  return absl::StrCat(subject.problem.Text(), "\n", subject.kernel.code_digest, "\n", PlanText(subject.kernel.plan));
}

/// Runs a sample of blocks of the subject. Sets `*keep` unless the host did not let it run.
absl::StatusOr<VerificationReport> VerifySample(const VerificationSubject& subject, const Schedule& schedule,
                                                const std::string& arch, bool* keep) {
  ASSIGN_OR_RETURN(const ScheduleGeometry geometry, DescribeSchedule(subject.problem, schedule));
  ASSIGN_OR_RETURN(const BlockSampleResult result, RunBlockSample(subject.problem, geometry, subject.kernel, arch));
  VerificationReport report;
  report.performed = true;
  report.correct = report.race_free = report.deterministic = true;
  report.shapes = {result.text};
  if (!result.findings.empty()) {
    Note(result.findings, absl::StrCat(subject.problem.ShapeText(), " in race detection"), &report);
  } else if (!result.wrong.empty()) {
    report.correct = false;
    NoteFirst(absl::StrCat(subject.problem.ShapeText(), " in race detection: ", result.wrong), &report);
  }
  report.passed = report.correct && report.race_free;
  *keep = !result.has_host_failed;
  return report;
}

/// Returns the report of small shapes, which passed, and of a sample of blocks.
VerificationReport Together(VerificationReport report, const VerificationReport& sample) {
  if (!sample.performed) return sample;
  report.shapes.insert(report.shapes.end(), sample.shapes.begin(), sample.shapes.end());
  report.correct = sample.correct;
  report.race_free = sample.race_free;
  report.passed = sample.passed;
  report.finding = sample.finding;
  report.detail = sample.detail;
  return report;
}

std::optional<VerificationReport> ReadReport(const std::string& path, const std::string& key) {
  absl::StatusOr<JsonTree> json = ParseStrictJson(ReadWholeFile(path, 0, kMaxBytes).value_or(""), kMaxDepth);
  if (!json.ok()) return std::nullopt;
  absl::Status status;
  ObjectReader reader(*json, "", &status);
  int64_t version = 0;
  std::string written_for;
  VerificationReport report;
  reader.Read("version", &version);
  reader.Read("key", &written_for);
  FromJson(reader.Child("verification"), &report);
  reader.Finish();
  if (!status.ok() || version != kFileVersion || written_for != key || !report.performed) return std::nullopt;
  return report;
}

}  // namespace

std::optional<VerificationReport> VerificationCache::Find(const std::string& key) {
  const auto known = known_.find(key);
  if (known != known_.end()) return known->second;
  if (folder_.empty()) return std::nullopt;
  std::optional<VerificationReport> report = ReadReport(PathOf(key), key);
  if (report) known_[key] = *report;
  return report;
}

void VerificationCache::Add(const std::string& key, const VerificationReport& report) {
  known_[key] = report;
  if (folder_.empty()) return;
  const std::string path = PathOf(key), partial = absl::StrCat(path, ".", getpid(), ".partial");
  std::error_code error;
  std::filesystem::create_directories(folder_, error);
  const std::string text = Dump({{"version", kFileVersion}, {"key", key}, {"verification", ToJson(report)}}) + "\n";
  absl::Status kept = WriteWholeFile(partial, text);
  if (kept.ok()) std::filesystem::rename(partial, path, error);
  if (kept.ok() && !error) return;
  if (kept.ok()) kept = Unavailable(error.message());
  std::filesystem::remove(partial, error);
  LogWarning("verification_not_kept", {{"folder", folder_}, {"error", ToStd(kept.message())}});
}

absl::StatusOr<VerificationReport> RunVerification(const std::vector<VerificationSubject>& subjects,
                                                   const std::string& arch, int fuzzing_runs) {
  VerificationReport report;
  report.performed = true;
  report.correct = report.race_free = report.deterministic = true;
  report.fuzzing_runs = fuzzing_runs;
  std::unique_ptr<simt::SimtDevice> device;
  for (const VerificationSubject& subject : subjects) {
    SubjectVerification verification(subject, arch, &device, &report);
    RETURN_IF_ERROR(verification.DetectRaces(std::nullopt));
    if (subject.race_detection_only) continue;
    const bool detects_in_random_order = fuzzing_runs > 0 && report.finding.empty();
    if (detects_in_random_order) RETURN_IF_ERROR(verification.DetectRaces(kFirstFuzzingSeed));
    report.shapes.push_back(subject.problem.Text());
    RETURN_IF_ERROR(verification.PlainOrder());
    for (int run = 0; run < fuzzing_runs; ++run) {
      RETURN_IF_ERROR(verification.FuzzSchedule(kFirstFuzzingSeed + static_cast<uint64_t>(run),
                                                /*first_pass=*/run == 0 && detects_in_random_order ? 1 : 0));
    }
  }
  report.passed = report.correct && report.race_free;
  return report;
}

absl::StatusOr<VerificationReport> ScheduleVerifier::Remember(
    const VerificationRequest& request, const std::string& prefix, std::vector<VerificationSubject>* subjects,
    absl::FunctionRef<absl::StatusOr<VerificationReport>(bool* keep)> run) {
  std::string text = absl::StrCat(prefix, request.fuzzing_runs, "\n");
  for (const VerificationSubject& subject : *subjects) {
    absl::StrAppend(&text, subject.race_detection_only ? "watched\n" : "", SubjectText(subject));
  }
  const std::string key = Sha256Hex(text);
  if (std::optional<VerificationReport> known = cache_.Find(key)) return *known;
  for (VerificationSubject& subject : *subjects) {
    if (absl::Status compiled = CompileShippedPtx(request.schedule.family, &subject.kernel); !compiled.ok()) {
      return NotPerformed(
          absl::StrCat("the SIMT device does not run its PTX, ", subject.problem.Text(), ": ", compiled.message()));
    }
  }
  bool keep = false;
  ASSIGN_OR_RETURN(VerificationReport report, run(&keep));
  if (keep) cache_.Add(key, report);
  return report;
}

absl::StatusOr<VerificationReport> ScheduleVerifier::Verify(const VerificationRequest& request) {
  absl::StatusOr<DeviceInfo> device = StandIn(request.device);
  if (!device.ok()) return NotPerformed(absl::StrCat("no SIMT device: ", device.status().message()));
  ASSIGN_OR_RETURN(const FamilyBase* family, FindKernelFamily(request.schedule.family));
  const Schedule verified = family->VerificationSchedule(request.problem, request.schedule);
  std::string why;
  std::vector<MatmulProblem> shapes = VerificationShapes(request.problem, verified, *device, &why);
  if (shapes.empty()) return NotPerformed(absl::StrCat("no small shape is valid: ", why));
  // What a GPU of this architecture gets is verified, on the SIMT device that stands for it.
  CompileTarget target;
  target.device = *device;
  target.shipped_ptx = true;
  target.host_code = false;
  const size_t small = shapes.size();
  const bool is_small = std::ranges::find(shapes, request.problem) != shapes.end();
  if (!is_small || verified.Digest() != request.schedule.Digest()) shapes.push_back(request.problem);
  std::vector<VerificationSubject> subjects;
  for (const MatmulProblem& shape : shapes) {
    const bool is_whole = subjects.size() == small;  // At the size of the request, with its own blocks.
    absl::StatusOr<CompiledKernel> kernel = compiler_->Compile(shape, is_whole ? request.schedule : verified, target);
    if (absl::IsUnavailable(kernel.status())) return kernel.status();  // The host's failure, not the schedule's.
    if (!kernel.ok()) {
      return NotPerformed(absl::StrCat("not compiled to PTX, ", shape.Text(), ": ", kernel.status().message()));
    }
    subjects.push_back({shape, *std::move(kernel), /*race_detection_only=*/is_whole});
  }
  // The kernel of the problem itself runs as a whole if that is wanted, else a sample of its blocks.
  std::vector<VerificationSubject> sampled;
  if (subjects.size() > small && !request.check_full_size_races) {
    sampled.push_back(std::move(subjects.back()));
    subjects.pop_back();
  }
  std::string digested;
  for (const auto* list : {&subjects, &sampled}) {
    for (const VerificationSubject& subject : *list) absl::StrAppend(&digested, SubjectText(subject));
  }
  const std::string prefix = absl::StrCat(kVerificationVersion, "\n", device->arch, "\n",
                                          CompilerToolchain(device->kind).Digest(), "\n", verified.Digest(), "\n");
  ASSIGN_OR_RETURN(VerificationReport report, Remember(request, prefix, &subjects, [&](bool* keep) {
                     *keep = true;
                     ++verifications_made_;
                     return RunVerification(subjects, device->arch, request.fuzzing_runs);
                   }));
  if (report.passed && !sampled.empty()) {
    ASSIGN_OR_RETURN(
        const VerificationReport sample,
        Remember(request, absl::StrCat(prefix, "sample\n", request.schedule.Digest(), "\n"), &sampled,
                 [&](bool* keep) { return VerifySample(sampled.front(), request.schedule, device->arch, keep); }));
    report = Together(std::move(report), sample);
  }
  if (report.performed) report.digest = Sha256Hex(digested);
  return report;
}

}  // namespace mmtune
