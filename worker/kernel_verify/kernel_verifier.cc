// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/kernel_verify/kernel_verifier.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "kernels/compiler/verify/run_watchdog.h"
#include "kernels/simulator/race_detector/finding.h"
#include "kernels/simulator/simt_device.h"
#include "proto/base/digest.h"
#include "proto/base/status.h"
#include "proto/types/field_json.h"
#include "worker/children/child.h"
#include "worker/kernel_verify/finding_details.h"
#include "worker/kernel_verify/gemm_binding.h"
#include "worker/kernel_verify/kernel_source.h"
#include "worker/kernel_verify/launch_plan.h"
#include "worker/measure/checker.h"
#include "worker/measure/rounding_checker.h"

namespace mmtune {
namespace {

constexpr uint64_t kExactSeed = 524287, kRandomSeed = 6700417, kFirstFuzzingSeed = 1;
/// Contents of uninitialised shared memory, see SimtOptions::uninitialized_seed.
constexpr uint64_t kAllBitsSet = 0, kRandomBits = 1;
constexpr size_t kDetailedFindings = 3, kMaxDetail = 8192;
/// Follows the name of a run without race detection that has no end, as race detection has ended before it.
constexpr char kSpinNote[] =
    "; race detection ended, so a thread may wait in a loop until another one of its block has stored a value, which "
    "has no end in such a run";
/// The shapes of a matmul without --shapes: sizes that common tiles divide, and sizes that they do not. All are
/// multiples of 16, as kernels may require.
constexpr const char* kGemmShapes[] = {"128x128x128", "112x144x80"};

using Contents = std::vector<std::string>;  ///< The bytes of each buffer.

struct RunResult {
  Contents contents;                    ///< After the launches.
  std::vector<simt::Finding> findings;  ///< With race detection.
  std::string failure;                  ///< Why there are no contents.
  bool aborted = false;                 ///< True if the device cannot go on after the failure.
};

/// Sets the device pointers and values of a launch's arguments.
class BoundArguments {
 public:
  static absl::StatusOr<BoundArguments> Create(Device& device, const KernelLaunchPlan& plan,
                                               const PlannedLaunch& launch, const std::vector<DevicePtr>& addresses) {
    BoundArguments bound;
    for (const KernelArgument& argument : launch.arguments) {
      ASSIGN_OR_RETURN(std::string value, ValueOf(device, plan, argument, addresses));
      bound.values_.push_back(std::move(value));
    }
    return bound;
  }

  std::vector<void*> Pointers() {
    std::vector<void*> pointers;
    for (std::string& value : values_) pointers.push_back(value.data());
    return pointers;
  }

 private:
  static absl::StatusOr<std::string> ValueOf(Device& device, const KernelLaunchPlan& plan,
                                             const KernelArgument& argument, const std::vector<DevicePtr>& addresses) {
    if (!argument.buffer) {
      std::string bytes = argument.bytes;
      for (const KernelArgument& field : argument.fields) {
        ASSIGN_OR_RETURN(const std::string value, ValueOf(device, plan, field, addresses));
        bytes.replace(field.offset, value.size(), value);
      }
      return bytes;
    }
    const DevicePtr address = addresses[*argument.buffer];
    if (!argument.is_map) return std::string(reinterpret_cast<const char*>(&address), sizeof(address));
    ASSIGN_OR_RETURN(const TensorMapBytes map,
                     device.EncodeTensorMap(MapOf(plan.buffers[*argument.buffer], argument, address)));
    return std::string(map.data(), map.size());
  }

  static TiledTensorMap MapOf(const KernelBuffer& buffer, const KernelArgument& argument, DevicePtr address) {
    TiledTensorMap map;
    map.address = address;
    map.data_type = buffer.type->tensor_map_type;
    uint64_t stride = static_cast<uint64_t>(buffer.type->bytes);
    for (size_t i = buffer.extents.size(); i-- > 0;) {
      map.extents.push_back(static_cast<uint64_t>(buffer.extents[i]));
      stride *= static_cast<uint64_t>(buffer.extents[i]);
      if (i > 0) map.strides_bytes.push_back(stride);
    }
    // What the box has in front of the buffer's dimensions.
    while (map.extents.size() < argument.box.size()) {
      map.extents.push_back(1);
      map.strides_bytes.push_back(stride);
    }
    map.box = argument.box;
    map.swizzle = argument.swizzle;
    return map;
  }

  std::vector<std::string> values_;
};

/// Runs all launches once on a new device. Errors are of the request: launches that the device does not accept.
absl::StatusOr<RunResult> RunOnce(const simt::SimtOptions& options, const std::string& image,
                                  const KernelLaunchPlan& plan, const Contents& contents) {
  ASSIGN_OR_RETURN(std::unique_ptr<Device> device, simt::SimtDevice::Create(options));
  ASSIGN_OR_RETURN(std::unique_ptr<DeviceModule> module, device->LoadModule(ImageFormat::kSimtObject, image));
  std::vector<DevicePtr> addresses;
  for (const std::string& bytes : contents) {
    ASSIGN_OR_RETURN(const DevicePtr address, device->Allocate(bytes.size()));
    RETURN_IF_ERROR(device->CopyToDevice(address, bytes.data(), bytes.size(), 0));
    addresses.push_back(address);
  }
  RunResult result;
  for (const PlannedLaunch& launch : plan.launches) {
    ASSIGN_OR_RETURN(DeviceKernel * kernel, module->GetKernel(launch.kernel));
    ASSIGN_OR_RETURN(BoundArguments arguments, BoundArguments::Create(*device, plan, launch, addresses));
    const absl::Status launched = device->Launch(kernel, launch.shape, arguments.Pointers().data(), 0);
    if (absl::IsInvalidArgument(launched) || absl::IsOutOfRange(launched))
      return InvalidArgument(ToStd(launched.message()));
    if (absl::IsResourceExhausted(launched)) return launched;  // The host's failure, not the kernel's.
    result.findings = static_cast<simt::SimtDevice&>(*device).TakeFindings();
    if (!launched.ok()) {
      result.failure = ToStd(launched.message());
      result.aborted = absl::IsAborted(launched);
      return result;
    }
  }
  for (size_t i = 0; i < contents.size(); ++i) {
    std::string& bytes = result.contents.emplace_back(contents[i].size(), '\0');
    RETURN_IF_ERROR(device->CopyToHost(bytes.data(), addresses[i], bytes.size(), 0));
  }
  return result;
}

/// The verification of one request, step by step.
class KernelVerification {
 public:
  KernelVerification(const KernelVerifyRequest& request, const std::function<void(const KernelVerifyAnswer&)>& on_limit)
      : request_(request), on_limit_(on_limit) {}

  absl::Status Prepare() {
    ASSIGN_OR_RETURN(source_, ReadKernelSource(request_.path));
    if (request_.work.launches.empty()) return InvalidArgument("the request has no launch of the kernel");
    launches_ = request_.work.launches;
    if (launches_.size() == 1) CompleteLaunch(source_, &launches_.front());
    answer_.name = source_.name;
    answer_.verification.fuzzing_runs = request_.fuzzing_runs;
    ASSIGN_OR_RETURN(const ptx::CompiledPtx instrumented, Compile(/*race_detection=*/true));
    kernels_ = instrumented.kernels;
    instrumented_image_ = instrumented.image;
    answer_.target = instrumented.target;
    answer_.arch = request_.arch.empty() ? instrumented.target : request_.arch;
    absl::Status known = ArchitectureLimits(answer_.arch).status();
    if (!known.ok() && request_.arch.empty())
      return WithContext(known, "give --arch, the architecture whose limits the SIMT device has");
    RETURN_IF_ERROR(known);
    auto work = request_.work;
    work.launches = launches_;
    answer_.verification.digest = Sha256Hex(absl::StrCat(source_.ptx, "\n", answer_.arch, "\n", Dump(ToJson(work))));
    RETURN_IF_ERROR(ChooseShapes());
    for (const std::optional<ShapeSizes>& shape : shapes_) {
      ASSIGN_OR_RETURN(const KernelLaunchPlan plan, PlanLaunches(launches_, kernels_, shape));
      RETURN_IF_ERROR(CheckSizes(plan));
      if (!request_.work.gemm.empty()) RETURN_IF_ERROR(GemmBinding::Create(request_.work.gemm, plan, shape).status());
      answer_.kernel.clear();
      for (const PlannedLaunch& launch : plan.launches)
        absl::StrAppend(&answer_.kernel, answer_.kernel.empty() ? "" : ", ", launch.kernel);
    }
    ASSIGN_OR_RETURN(ptx::CompiledPtx plain, Compile(/*race_detection=*/false));
    plain_image_ = std::move(plain.image);
    return absl::OkStatus();
  }

  absl::Status Run() {
    VerificationReport& report = answer_.verification;
    report.performed = true;
    report.correct = report.race_free = report.deterministic = true;
    for (const std::optional<ShapeSizes>& shape : shapes_) {
      RETURN_IF_ERROR(RunShape(shape));
      if (!ended_well_) break;
    }
    report.passed = report.correct && report.race_free;
    return absl::OkStatus();
  }

  KernelVerifyAnswer Take() { return std::move(answer_); }

 private:
  absl::StatusOr<ptx::CompiledPtx> Compile(bool race_detection) {
    const RunWatchdog watchdog(Limit(), [this] { Expire("in the compilation"); });
    ptx::PtxOptions options{.name = source_.name, .race_detection = race_detection};
    for (const KernelLaunch& launch : launches_) {
      if (!launch.kernel.empty()) options.kernels.push_back(launch.kernel);
    }
    if (options.kernels.size() != launches_.size()) options.kernels.clear();
    return ptx::compilePtx(source_.ptx, options);
  }

  absl::Status ChooseShapes() {
    std::vector<std::string> texts = request_.work.shapes;
    if (texts.empty() && !request_.work.gemm.empty() && NamesShape(launches_))
      texts.assign(std::begin(kGemmShapes), std::end(kGemmShapes));
    for (const std::string& text : texts) {
      ASSIGN_OR_RETURN(const MatmulProblem shape, ParseMatmulShape(text, DataType::kF32));
      shapes_.push_back(ShapeSizes{shape.m, shape.n, shape.k});
    }
    if (shapes_.empty()) shapes_.emplace_back();
    return absl::OkStatus();
  }

  absl::Status CheckSizes(const KernelLaunchPlan& plan) const {
    ASSIGN_OR_RETURN(const DeviceInfo device, ArchitectureLimits(answer_.arch));
    for (const PlannedLaunch& launch : plan.launches)
      RETURN_IF_ERROR(WithContext(CheckLaunchShape(launch.shape, device, 0), launch.kernel));
    return absl::OkStatus();
  }

  std::chrono::seconds Limit() const { return std::chrono::seconds(request_.limit_seconds); }

  /// Called on the thread of a watchdog while the answer does not change.
  void Expire(const std::string& where) const {
    KernelVerifyAnswer answer = answer_;
    answer.verification.reason = absl::StrCat("no end within ", request_.limit_seconds, " s (", where, ")");
    if (answer.verification.finding.empty()) answer.verification.finding = answer.verification.reason;
    answer.verification.passed = answer.verification.deterministic = false;
    on_limit_(answer);
  }

  absl::StatusOr<RunResult> RunWithLimit(const Contents& contents, bool race_detection, std::optional<uint64_t> seed,
                                         const std::string& how,
                                         std::optional<uint64_t> uninitialized_seed = std::nullopt) {
    simt::SimtOptions options;
    options.arch = answer_.arch;
    options.threads = 1;
    options.race_detector = race_detection;
    options.fuzzing_seed = seed;
    options.uninitialized_seed = uninitialized_seed;
    const RunWatchdog watchdog(
        Limit(), [this, &how, race_detection] { Expire(race_detection ? how : absl::StrCat(how, kSpinNote)); });
    return RunOnce(options, race_detection ? instrumented_image_ : plain_image_, plan_, contents);
  }

  absl::Status RunShape(const std::optional<ShapeSizes>& shape) {
    ASSIGN_OR_RETURN(plan_, PlanLaunches(launches_, kernels_, shape));
    shape_ = shape;
    gemm_.reset();
    exact_.reset();
    Contents filled = Fill();
    Contents integers = filled;
    std::unique_ptr<RoundingChecker> rounding;
    if (!request_.work.gemm.empty()) {
      ASSIGN_OR_RETURN(gemm_, GemmBinding::Create(request_.work.gemm, plan_, shape));
      const int bits = gemm_->operand_bits();
      exact_ = ExactCheck::Create(gemm_->problem(), kExactSeed, std::numeric_limits<int64_t>::max(), bits);
      gemm_->WriteOperands(exact_->Source(), &integers);
      gemm_->WriteOperands(RandomOperandStream(gemm_->problem(), kRandomSeed, bits), &filled);
      if (RoundingChecker::Applies(gemm_->problem()))
        rounding = std::make_unique<RoundingChecker>(gemm_->problem(), kRandomSeed, bits);
    }

    RETURN_IF_ERROR(DetectRaces(integers, std::nullopt));
    if (ended_well_ && answer_.verification.race_free && request_.fuzzing_runs > 0)
      RETURN_IF_ERROR(DetectRaces(integers, kFirstFuzzingSeed));
    if (!ended_well_) return absl::OkStatus();

    const std::string plain = absl::StrCat("on random operands", Where());
    ASSIGN_OR_RETURN(const RunResult baseline, RunWithLimit(filled, false, std::nullopt, plain));
    if (!baseline.failure.empty()) return Fail(plain, baseline.failure), absl::OkStatus();
    if (gemm_) JudgeRounding(rounding.get(), filled, baseline.contents);
    for (int64_t i = 0; i < request_.fuzzing_runs && ended_well_; ++i)
      RETURN_IF_ERROR(Fuzz(kFirstFuzzingSeed + static_cast<uint64_t>(i), integers, filled, baseline.contents));
    if (ended_well_) answer_.verification.shapes.push_back(ShapeText());
    return absl::OkStatus();
  }

  std::string ShapeText() const {
    if (gemm_) return gemm_->problem().Text();
    return shape_ ? absl::StrCat(shape_->m, "x", shape_->n, "x", shape_->k) : "as given";
  }
  /// Returns " at 64x64x64", or nothing where there is no shape.
  std::string Where() const { return gemm_ || shape_ ? absl::StrCat(" at ", ShapeText()) : ""; }

  Contents Fill() const {
    Contents contents;
    for (size_t i = 0; i < plan_.buffers.size(); ++i) {
      const KernelBuffer& buffer = plan_.buffers[i];
      std::string& bytes = contents.emplace_back(buffer.bytes(), '\0');
      FillElements(*buffer.type, buffer.fill, kRandomSeed + i, buffer.elements(), bytes.data());
    }
    return contents;
  }

  /// Replaces a run in which the kernel read uninitialised shared memory by one in which that is no finding, if it only
  /// moves what it read: then the buffers do not depend on what was there, and neither branches nor addresses can.
  absl::Status ForgiveUnusedReads(const Contents& contents, std::optional<uint64_t> seed, const std::string& how,
                                  RunResult* result) {
    const auto decides = [this](const PlannedLaunch& launch) {
      return std::any_of(kernels_.begin(), kernels_.end(), [&](const ptx::PtxKernel& kernel) {
        return kernel.name == launch.kernel && kernel.sharedDecides;
      });
    };
    if (std::none_of(result->findings.begin(), result->findings.end(),
                     [](const simt::Finding& finding) { return finding.kind == "uninitialized-read"; }) ||
        std::any_of(plan_.launches.begin(), plan_.launches.end(), decides)) {
      return absl::OkStatus();
    }
    ASSIGN_OR_RETURN(RunResult one, RunWithLimit(contents, true, seed, how, kAllBitsSet));
    if (!one.failure.empty()) return absl::OkStatus();
    ASSIGN_OR_RETURN(const RunResult other, RunWithLimit(contents, true, seed, how, kRandomBits));
    if (one.contents == other.contents) *result = std::move(one);
    return absl::OkStatus();
  }

  absl::Status DetectRaces(const Contents& contents, std::optional<uint64_t> seed) {
    const std::string how =
        absl::StrCat("in race detection", seed ? absl::StrCat(" with fuzzing seed ", *seed) : "", Where());
    ASSIGN_OR_RETURN(RunResult result, RunWithLimit(contents, true, seed, how));
    RETURN_IF_ERROR(ForgiveUnusedReads(contents, seed, how, &result));
    if (!result.findings.empty()) {
      Note(result.findings, how);
      if (result.aborted) Fail(how, result.failure);
    } else if (!result.failure.empty()) {
      Fail(how, result.failure);
    } else {
      JudgeExact(contents, result.contents, how);
    }
    return absl::OkStatus();
  }

  absl::Status Fuzz(uint64_t seed, const Contents& integers, const Contents& filled, const Contents& baseline) {
    const std::string how = absl::StrCat("with fuzzing seed ", seed, Where());
    if (gemm_) {
      ASSIGN_OR_RETURN(const RunResult exact, RunWithLimit(integers, false, seed, how));
      if (!exact.failure.empty()) return Fail(how, exact.failure), absl::OkStatus();
      JudgeExact(integers, exact.contents, how);
    }
    ASSIGN_OR_RETURN(const RunResult random, RunWithLimit(filled, false, seed, how));
    if (!random.failure.empty()) return Fail(how, random.failure), absl::OkStatus();
    answer_.verification.deterministic &= random.contents == baseline;
    return absl::OkStatus();
  }

  /// Compares the result of integer operands, where there is a matmul.
  void JudgeExact(const Contents& before, const Contents& after, const std::string& how) {
    if (!gemm_) return;
    const std::string damage = gemm_->Damage(before, after);
    CheckReport check = exact_->CheckElements(gemm_->ReadResult(after).data());
    if (!damage.empty()) check.passed = false, check.detail = damage;
    Keep(std::move(check), how);
  }

  void JudgeRounding(const RoundingChecker* rounding, const Contents& before, const Contents& after) {
    const std::string how = absl::StrCat("on random operands", Where());
    if (const std::string damage = gemm_->Damage(before, after); !damage.empty()) {
      CheckReport check = ReportOf("rounding", false);
      check.detail = damage;
      return Keep(std::move(check), how);
    }
    if (rounding == nullptr) return;
    RoundingChecker::ResultComparison comparison(*rounding);
    comparison.AddElements(gemm_->ReadResult(after).data(), gemm_->problem().m);
    CheckReport check = comparison.Report();
    if (check.passed) check.tier = "exact, rounding";
    Keep(std::move(check), how);
  }

  /// Keeps the first check that failed, else the one with the largest error.
  void Keep(CheckReport check, const std::string& how) {
    if (!check.passed) {
      answer_.verification.correct = false;
      NoteFirst(absl::StrCat(how, ": ", check.detail));
    }
    const CheckReport& kept = answer_.check;
    const bool replaces =
        !kept.performed || (kept.passed && !check.passed) ||
        (kept.passed && check.bound_fraction && check.bound_fraction.value_or(0) >= kept.bound_fraction.value_or(0));
    if (replaces) answer_.check = std::move(check);
  }

  void Fail(const std::string& how, const std::string& failure) {
    ended_well_ = false;
    answer_.verification.correct = false;
    NoteFirst(absl::StrCat(how, ": ", failure));
  }

  void Note(const std::vector<simt::Finding>& findings, const std::string& how) {
    VerificationReport& report = answer_.verification;
    for (const simt::Finding& finding : findings) {
      const bool race = simt::IsRace(finding);
      (race ? report.race_free : report.correct) = false;
      ended_well_ &= race;
    }
    const simt::Finding& first = findings.front();
    NoteFirst(absl::StrCat(how, ": ", first.kind, " in ", first.kernel, ": ", first.what));
    for (size_t i = 0; i < findings.size() && i < kDetailedFindings; ++i) details_.Add(findings[i], ShapeText());
    report.detail = details_.Text(kMaxDetail);
  }

  void NoteFirst(const std::string& what) {
    if (answer_.verification.finding.empty()) answer_.verification.finding = OneLine(what);
  }

  const KernelVerifyRequest& request_;
  const std::function<void(const KernelVerifyAnswer&)>& on_limit_;
  KernelSource source_;
  std::vector<KernelLaunch> launches_;
  std::vector<ptx::PtxKernel> kernels_;
  std::string instrumented_image_, plain_image_;
  std::vector<std::optional<ShapeSizes>> shapes_;  ///< One without values where none is given or needed.
  KernelVerifyAnswer answer_;                      ///< Not changed during a run.
  FindingDetails details_;
  bool ended_well_ = true;  ///< False once a kernel did what ends a launch on a GPU, too, or corrupts memory.

  // The shape that is run.
  KernelLaunchPlan plan_;
  std::optional<ShapeSizes> shape_;
  std::optional<GemmBinding> gemm_;
  std::unique_ptr<ExactCheck> exact_;
};

}  // namespace

absl::StatusOr<KernelVerifyAnswer> VerifyKernel(const KernelVerifyRequest& request,
                                                const std::function<void(const KernelVerifyAnswer&)>& on_limit) {
  KernelVerification verification(request, on_limit);
  RETURN_IF_ERROR(verification.Prepare());
  RETURN_IF_ERROR(verification.Run());
  return verification.Take();
}

}  // namespace mmtune
