// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/measure/baseline.h"

#include <dlfcn.h>
#include <glob.h>

#include <cstdint>
#include <cstdlib>
#include <limits>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "proto/base/log.h"
#include "proto/base/status.h"
#include "worker/children/sample_statistics.h"
#include "worker/measure/cublas.h"
#include "worker/measure/element_types.h"
#include "worker/measure/kernel_timer.h"

namespace mmtune {
namespace {

constexpr int kVersions[] = {13, 12, 11};

/// Variables that lower the precision of a product of f32 or f64, whatever the math mode. The first, with the value 0,
/// makes a product of TF32 one of f32.
constexpr const char* kTf32Override = "NVIDIA_TF32_OVERRIDE";
constexpr struct {
  const char* name;
  const char* precision;
} kLessPrecise[] = {
    {kTf32Override, "FP32"}, {"CUBLAS_EMULATE_SINGLE_PRECISION", "FP32"}, {"CUBLAS_EMULATE_DOUBLE_PRECISION", "FP64"}};

absl::Status CheckEnvironment() {
  for (const auto& [name, precision] : kLessPrecise) {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0' || std::string_view(value) == "0") continue;
    return FailedPrecondition(
        absl::StrCat(name, "=", value, ": cuBLAS would not compute in ", precision, "; unset it"));
  }
  return absl::OkStatus();
}

Baseline NoBaseline(std::string reason) {
  Baseline none;
  none.reason = std::move(reason);
  return none;
}

/// f32 by plain f32 arithmetic, and whatever is to be as accurate.
bool IsSgemm(const MatmulProblem& problem) {
  return problem.dtype == DataType::kF32 && problem.math != MathMode::kTf32;
}

cublas::ComputeType ComputeTypeOf(const MatmulProblem& problem) {
  if (problem.math == MathMode::kTf32) return cublas::kCompute32FFastTf32;
  switch (problem.AccumulatorType()) {
    case DataType::kS32:
      return cublas::kCompute32I;
    case DataType::kF64:
      return cublas::kCompute64F;
    default:
      return cublas::kCompute32F;
  }
}

/// Elements from one row of a stored matrix to the next: cuBLAS's leading dimensions.
int64_t RowOfA(const MatmulProblem& problem) { return problem.transpose_a ? problem.m : problem.k; }
int64_t RowOfB(const MatmulProblem& problem) { return problem.transpose_b ? problem.k : problem.n; }

cublas::DataType CublasType(DataType type) { return static_cast<cublas::DataType>(TraitsOf(type).cuda); }

}  // namespace

std::vector<std::string> BlasLibraries() {
  std::vector<std::string> libraries;
  if (const char* given = std::getenv("CUBLAS_LIBRARY"); given != nullptr && *given != '\0')
    libraries.emplace_back(given);
  for (int version : kVersions) {
    const std::string name = absl::StrCat("libcublas.so.", version);
    libraries.push_back(name);
    for (const char* folder : {"/usr/local/cuda*/lib64/", "/usr/local/cuda*/targets/*/lib/"}) {
      glob_t found;
      if (glob((folder + name).c_str(), 0, nullptr, &found) == 0) {
        libraries.insert(libraries.end(), found.gl_pathv, found.gl_pathv + found.gl_pathc);
      }
      globfree(&found);
    }
  }
  return libraries;
}

absl::StatusOr<std::unique_ptr<VendorBlas>> VendorBlas::Open(const std::vector<std::string>& libraries,
                                                             const std::string& driver) {
  RETURN_IF_ERROR(CheckEnvironment());
  absl::Status why =
      NotFound("no cuBLAS: no libcublas.so of 13, 12 or 11 in $CUBLAS_LIBRARY, the loader's path or /usr/local/cuda*");
  for (const std::string& path : libraries) {
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
      const std::string error = dlerror();
      // Where the library is there, the loader says what it lacks.
      if (!absl::StartsWith(error, absl::StrCat(path, ": cannot open"))) why = FailedPrecondition(error);
      continue;
    }
    absl::StatusOr<std::unique_ptr<VendorBlas>> blas = OpenOne(library, path, driver);
    if (blas.ok()) return blas;
    why = blas.status();
  }
  return why;
}

absl::StatusOr<std::unique_ptr<VendorBlas>> VendorBlas::OpenOne(void* library, const std::string& path,
                                                                const std::string& driver) {
  auto functions = std::make_unique<cublas::Functions>();
#define MMTUNE_RESOLVE(member, symbol, parameters)                                            \
  functions->member = reinterpret_cast<decltype(functions->member)>(dlsym(library, #symbol)); \
  if (functions->member == nullptr) return FailedPrecondition(absl::StrCat(path, " has no " #symbol));
  MMTUNE_BLAS_ENTRY_POINTS(MMTUNE_RESOLVE)
#undef MMTUNE_RESOLVE
  functions->status_name = reinterpret_cast<const char* (*)(int)>(dlsym(library, "cublasGetStatusName"));
  int version[3] = {};
  for (cublas::Property property : {cublas::kMajorVersion, cublas::kMinorVersion, cublas::kPatchLevel}) {
    if (functions->GetProperty(property, &version[property]) != 0) {
      return FailedPrecondition(absl::StrCat("cannot read the version of cuBLAS from ", path));
    }
  }
  const std::string text = absl::StrCat(version[0], ".", version[1], ".", version[2]);
  int supported = 0;
  if (absl::SimpleAtoi(driver.substr(0, driver.find('.')), &supported) && version[0] > supported) {
    return FailedPrecondition(absl::StrCat("cuBLAS ", text, " (", path, ") needs a driver of CUDA ", version[0],
                                           ", this one is of ", driver));
  }
  std::unique_ptr<VendorBlas> blas(new VendorBlas(std::move(functions), text));
  RETURN_IF_ERROR(blas->Check(blas->functions_->Create(&blas->handle_), "cublasCreate"));
  RETURN_IF_ERROR(blas->SetMathMode(cublas::kDefaultMath));
  return blas;
}

VendorBlas::VendorBlas(std::unique_ptr<const cublas::Functions> functions, std::string version)
    : functions_(std::move(functions)), version_(std::move(version)), name_(absl::StrCat("cuBLAS ", version_)) {}

VendorBlas::~VendorBlas() {
  lt_matmul_.reset();
  if (handle_ == nullptr) return;
  if (absl::Status status = Check(functions_->Destroy(handle_), "cublasDestroy"); !status.ok()) {
    LogError("device_release_failed", {{"what", name_}, {"error", ToStd(status.message())}});
  }
}

absl::Status VendorBlas::Check(int status, std::string_view call) const {
  if (status == 0) return absl::OkStatus();
  const char* text = functions_->status_name != nullptr ? functions_->status_name(status) : nullptr;
  return FailedPrecondition(
      absl::StrCat(name_, ": ", ToAbsl(call), ": ", text != nullptr ? text : "error", " (", status, ")"));
}

absl::Status VendorBlas::SetMathMode(int mode) {
  if (mode == math_mode_) return absl::OkStatus();
  RETURN_IF_ERROR(Check(functions_->SetMathMode(handle_, static_cast<cublas::MathMode>(mode)), "cublasSetMathMode"));
  math_mode_ = mode;
  return absl::OkStatus();
}

absl::Status VendorBlas::SetStream(StreamHandle stream, const PlanMemory& workspace) {
  if (stream == stream_ && workspace.address == workspace_) return absl::OkStatus();
  // Setting the stream takes the workspace away.
  RETURN_IF_ERROR(Check(functions_->SetStream(handle_, reinterpret_cast<void*>(stream)), "cublasSetStream"));
  RETURN_IF_ERROR(Check(functions_->SetWorkspace(handle_, reinterpret_cast<void*>(workspace.address), workspace.bytes),
                        "cublasSetWorkspace"));
  stream_ = stream;
  workspace_ = workspace.address;
  return absl::OkStatus();
}

absl::Status VendorBlas::Covers(const MatmulProblem& problem) {
  const char* name = IsSgemm(problem) ? "SGEMM" : "GEMM";
  if (!problem.epilogue.empty()) RETURN_IF_ERROR(LtEpilogue::Of(problem.epilogue).status());
  if (!problem.epilogue.empty() && problem.AccumulatorType() != DataType::kF32) {
    return InvalidArgument(absl::StrCat("cuBLASLt is used for epilogues on f32 accumulators only, not on ",
                                        ToAbsl(TraitsOf(problem.AccumulatorType()).name)));
  }
  for (int64_t extent : {problem.m, problem.n, problem.k, problem.batch}) {
    if (extent > std::numeric_limits<int>::max()) {
      return InvalidArgument(absl::StrCat("cuBLAS ", name, " takes only extents below 2^31, not ", extent));
    }
  }
  constexpr int64_t kRowOfS8 = 4;
  for (const auto& [name, row] : {std::pair("A", RowOfA(problem)), {"B", RowOfB(problem)}}) {
    if (problem.dtype == DataType::kS8 && row % kRowOfS8 != 0) {
      return InvalidArgument(absl::StrCat("cuBLAS GEMM of s8 needs rows with a multiple of 4 elements; the rows of ",
                                          name, " have ", row));
    }
  }
  const char* tf32 = std::getenv(kTf32Override);
  if (problem.math == MathMode::kTf32 && tf32 != nullptr && std::string_view(tf32) == "0") {
    return FailedPrecondition(absl::StrCat(kTf32Override, "=0: cuBLAS would not compute in TF32; unset it"));
  }
  return absl::OkStatus();
}

std::string VendorBlas::NameFor(const MatmulProblem& problem) const {
  return problem.epilogue.empty() ? name_ : absl::StrCat("cuBLASLt ", version_);
}

int64_t VendorBlas::WorkspaceBytes(const DeviceInfo& device) {
  constexpr int64_t kKib = 1024;
  return device.ComputeCapability() >= 90 ? 8 * 4096 * kKib : (2 * 4096 + 16 * 8) * kKib;
}

absl::StatusOr<std::unique_ptr<LtMatmul>> VendorBlas::MakeLtMatmul(const MatmulProblem& problem,
                                                                   int64_t workspace_bytes, int most_suggestions) {
  return LtMatmul::Create(
      functions_.get(), handle_, [this](int status, std::string_view call) { return Check(status, call); }, problem,
      ComputeTypeOf(problem), workspace_bytes, most_suggestions);
}

absl::Status VendorBlas::EnqueueWithEpilogue(const MatmulProblem& problem, const PlanMemories& memories,
                                             StreamHandle stream) {
  if (!lt_matmul_ || lt_matmul_->problem() != problem) {
    const auto workspace_bytes = static_cast<int64_t>(memories[PlanBuffer::kWorkspace].bytes);
    ASSIGN_OR_RETURN(lt_matmul_, MakeLtMatmul(problem, workspace_bytes, 1));
  }
  return lt_matmul_->Enqueue(memories, stream);
}

absl::Status VendorBlas::Enqueue(const MatmulProblem& problem, const PlanMemories& memories, StreamHandle stream) {
  if (!problem.epilogue.empty()) return EnqueueWithEpilogue(problem, memories, stream);
  RETURN_IF_ERROR(SetStream(stream, memories[PlanBuffer::kWorkspace]));
  const DataType type_c = problem.TypeOfC();
  RETURN_IF_ERROR(SetMathMode(type_c == problem.AccumulatorType() ? cublas::kDefaultMath : cublas::kFullReductions));
  const auto m = static_cast<int>(problem.m), n = static_cast<int>(problem.n), k = static_cast<int>(problem.k);
  const int batch = static_cast<int>(problem.batch);
  auto floats = [&](PlanBuffer buffer) { return reinterpret_cast<float*>(memories[buffer].address); };
  float *const a = floats(PlanBuffer::kA), *const b = floats(PlanBuffer::kB), *const c = floats(PlanBuffer::kC);
  const ScalingFactor one(problem.AccumulatorType(), 1), zero(problem.AccumulatorType(), 0);
  // cuBLAS is column-major: it computes C^T = B^T * A^T, as a row-major matrix is the transpose of a column-major one.
  const cublas::Operation of_b = problem.transpose_b ? cublas::kTranspose : cublas::kNoTranspose;
  const cublas::Operation of_a = problem.transpose_a ? cublas::kTranspose : cublas::kNoTranspose;
  const auto row_b = static_cast<int>(RowOfB(problem)), row_a = static_cast<int>(RowOfA(problem));
  const int64_t size_a = problem.m * problem.k, size_b = problem.k * problem.n, size_c = problem.m * problem.n;
  if (IsSgemm(problem)) {
    return Check(functions_->SgemmStridedBatched(handle_, of_b, of_a, n, m, k, &one.f32, b, row_b, size_b, a, row_a,
                                                 size_a, &zero.f32, c, n, size_c, batch),
                 "cublasSgemmStridedBatched");
  }
  const cublas::DataType factors = CublasType(problem.dtype);
  return Check(functions_->GemmStridedBatchedEx(handle_, of_b, of_a, n, m, k, &one, b, factors, row_b, size_b, a,
                                                factors, row_a, size_a, &zero, c, CublasType(type_c), n, size_c, batch,
                                                ComputeTypeOf(problem), cublas::kDefaultAlgorithm),
               "cublasGemmStridedBatchedEx");
}

std::string BaselineSeries::Key(const MatmulProblem& problem, const TimeOptions& options) {
  return absl::StrCat(problem.CanonicalJson(), " ", ToAbsl(RegimeName(options.measure.regime)));
}

bool BaselineSeries::Due(const MatmulProblem& problem, const TimeOptions& options) const {
  if (!options.measure.baseline || device_->info().kind != DeviceKind::kCuda) return false;
  auto at = series_.find(Key(problem, options));
  if (at == series_.end()) return true;
  return at->second.baseline.reason.empty() && at->second.since + 1 >= kEvery;
}

Baseline BaselineSeries::Next(const MatmulProblem& problem, const RoundingChecker* checker,
                              const TimeOptions& options) {
  if (device_->info().kind != DeviceKind::kCuda) return NoBaseline("no baseline for the SIMT device");
  if (!options.measure.baseline) return NoBaseline("not asked for");
  const bool due = Due(problem, options);
  Series& series = series_[Key(problem, options)];
  ++series.since;
  if (!due) return series.baseline;
  absl::Status status = VendorBlas::Covers(problem);
  if (status.ok() && checker == nullptr) {
    status = InvalidArgument(problem.IsPlainF32() ? "results of cuBLAS cannot be checked for K of 2^23 or more"
                                                  : "results of cuBLAS cannot be checked for so large a K");
  }
  if (status.ok() && !blas_) blas_ = VendorBlas::Open(libraries_, device_->info().driver);
  if (status.ok()) status = blas_->status();
  if (status.ok()) status = TimeOnce(problem, *checker, options, series);
  if (!status.ok()) series.baseline = NoBaseline(std::string(status.message()));
  return series.baseline;
}

absl::Status BaselineSeries::TimeOnce(const MatmulProblem& problem, const RoundingChecker& checker, TimeOptions options,
                                      Series& series) {
  auto bind = [this, problem](const PlanMemories& memories) -> absl::StatusOr<EnqueueRun> {
    return [this, problem, memories](StreamHandle stream) { return (**blas_)->Enqueue(problem, memories, stream); };
  };
  ASSIGN_OR_RETURN(
      std::unique_ptr<KernelTimer> timer,
      KernelTimer::Create(device_, {bind, VendorBlas::WorkspaceBytes(device_->info())}, problem, checker.operands()));
  if (series.samples_ns.empty()) {
    ASSIGN_OR_RETURN(const CheckReport report, CheckRounding(*timer, checker));
    if (!report.passed)
      return Internal(absl::StrCat((**blas_)->NameFor(problem), " gives a wrong result: ", report.detail));
  }
  options.incumbent_ns = 0;
  ASSIGN_OR_RETURN(const TimedRun run, timer->Time(options));
  if (series.samples_ns.empty()) series.first_ns = run.timing.median_ns;
  series.since = 0;
  series.samples_ns.insert(series.samples_ns.end(), run.timing.samples_ns.begin(), run.timing.samples_ns.end());
  const MedianInterval median = MedianOf(series.samples_ns);
  series.baseline.name = (**blas_)->NameFor(problem);
  series.baseline.median_ns = median.median;
  series.baseline.low_ns = median.low;
  series.baseline.high_ns = median.high;
  series.baseline.drift = run.timing.median_ns / series.first_ns - 1;
  return absl::OkStatus();
}

}  // namespace mmtune
