// Times cuBLAS SGEMM on the first CUDA device, the library opened at run time: one JSON line for each shape.
//   cublas_times LIBRARY SECONDS MxNxK...
// Row-major C = A * B on random operands, warm, as mmtune times its own kernels. Exit code 77: no device or no library.
#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "kernels/runtime/device.h"
#include "proto/base/status.h"
#include "proto/types/matmul_problem.h"
#include "worker/sample_statistics.h"

namespace mmtune {
namespace {

constexpr int kSkipped = 77;
constexpr size_t kPattern = size_t{1} << 20;  // operands repeat so many random numbers
constexpr size_t kMaxSamples = 200;
constexpr double kBatchNs = 20'000;
constexpr double kEnoughHalfWidth = 0.005;

struct Cublas {
  int (*create)(void**) = nullptr;
  int (*get_version)(void*, int*) = nullptr;
  int (*set_stream)(void*, void*) = nullptr;
  int (*sgemm)(void*, int, int, int, int, int, const float*, const float*, int, const float*, int, const float*, float*,
               int) = nullptr;
  void* handle = nullptr;
  int version = 0;
};

absl::Status Check(int status, const char* call) {
  return status == 0 ? absl::OkStatus() : Internal(absl::StrCat(call, ": status ", status));
}

template <typename Function>
absl::Status Resolve(void* library, const char* symbol, Function* function) {
  *function = reinterpret_cast<Function>(dlsym(library, symbol));
  return *function != nullptr ? absl::OkStatus() : NotFound(absl::StrCat("the library has no ", symbol));
}

absl::StatusOr<Cublas> OpenCublas(const char* path, StreamHandle stream) {
  void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return NotFound(dlerror());
  Cublas cublas;
  RETURN_IF_ERROR(Resolve(library, "cublasCreate_v2", &cublas.create));
  RETURN_IF_ERROR(Resolve(library, "cublasGetVersion_v2", &cublas.get_version));
  RETURN_IF_ERROR(Resolve(library, "cublasSetStream_v2", &cublas.set_stream));
  RETURN_IF_ERROR(Resolve(library, "cublasSgemm_v2", &cublas.sgemm));
  RETURN_IF_ERROR(Check(cublas.create(&cublas.handle), "cublasCreate"));
  RETURN_IF_ERROR(Check(cublas.get_version(cublas.handle, &cublas.version), "cublasGetVersion"));
  RETURN_IF_ERROR(Check(cublas.set_stream(cublas.handle, reinterpret_cast<void*>(stream)), "cublasSetStream"));
  return cublas;
}

/// Owns the operands of one product.
class Product {
 public:
  static absl::StatusOr<std::unique_ptr<Product>> Create(Device* device, const MatmulProblem& problem,
                                                         const std::vector<float>& pattern) {
    std::unique_ptr<Product> product(new Product(device, problem, pattern));
    const int64_t elements[] = {problem.m * problem.k, problem.k * problem.n, problem.m * problem.n};
    for (int i = 0; i < 3; ++i) {
      ASSIGN_OR_RETURN(product->memory_[i], device->Allocate(static_cast<size_t>(elements[i]) * sizeof(float)));
    }
    for (int i = 0; i < 2; ++i) {
      const auto count = static_cast<size_t>(elements[i]);
      for (size_t at = 0; at < count; at += kPattern) {
        RETURN_IF_ERROR(device->CopyToDevice(product->memory_[i] + at * sizeof(float), pattern.data(),
                                             std::min(kPattern, count - at) * sizeof(float)));
      }
    }
    return product;
  }
  ~Product() {
    for (DevicePtr ptr : memory_) (void)device_->Free(ptr);
  }
  Product(const Product&) = delete;
  Product& operator=(const Product&) = delete;

  /// cuBLAS is column-major: C^T = B^T * A^T.
  absl::Status Run(const Cublas& cublas) const {
    const float one = 1, zero = 0;
    const auto m = static_cast<int>(problem_.m), n = static_cast<int>(problem_.n), k = static_cast<int>(problem_.k);
    return Check(
        cublas.sgemm(cublas.handle, 0, 0, n, m, k, &one, reinterpret_cast<const float*>(memory_[1]), n,
                     reinterpret_cast<const float*>(memory_[0]), k, &zero, reinterpret_cast<float*>(memory_[2]), n),
        "cublasSgemm");
  }

  /// Elements, of a sample, that miss the bound of a float32 sum: what is timed has to be this product.
  absl::StatusOr<int> WrongElements() const {
    std::mt19937_64 random(1);
    int wrong = 0;
    for (int i = 0; i < 64; ++i) {
      const auto row = static_cast<int64_t>(random() % static_cast<uint64_t>(problem_.m));
      const auto column = static_cast<int64_t>(random() % static_cast<uint64_t>(problem_.n));
      double sum = 0, magnitude = 0;
      for (int64_t p = 0; p < problem_.k; ++p) {
        const double term = Element(row * problem_.k + p) * Element(p * problem_.n + column);
        sum += term;
        magnitude += std::abs(term);
      }
      float got = 0;
      const auto offset = static_cast<uint64_t>(row * problem_.n + column) * sizeof(float);
      RETURN_IF_ERROR(device_->CopyToHost(&got, memory_[2] + offset, sizeof(float)));
      wrong += !(std::abs(got - sum) <= static_cast<double>(problem_.k + 1) * 0x1p-23 * magnitude);
    }
    return wrong;
  }

 private:
  Product(Device* device, const MatmulProblem& problem, const std::vector<float>& pattern)
      : device_(device), problem_(problem), pattern_(pattern) {}
  double Element(int64_t index) const { return pattern_[static_cast<size_t>(index) % kPattern]; }

  Device* device_;
  const MatmulProblem problem_;
  const std::vector<float>& pattern_;
  DevicePtr memory_[3] = {0, 0, 0};
};

class Timer {
 public:
  static absl::StatusOr<Timer> Create(Device* device) {
    Timer timer;
    timer.device = device;
    ASSIGN_OR_RETURN(timer.stream, device->CreateStream());
    ASSIGN_OR_RETURN(timer.start, device->CreateEvent());
    ASSIGN_OR_RETURN(timer.end, device->CreateEvent());
    return timer;
  }

  absl::StatusOr<double> Batch(const Product& product, const Cublas& cublas, int runs) const {
    RETURN_IF_ERROR(device->RecordEvent(start, stream));
    for (int run = 0; run < runs; ++run) RETURN_IF_ERROR(product.Run(cublas));
    RETURN_IF_ERROR(device->RecordEvent(end, stream));
    RETURN_IF_ERROR(device->SynchronizeEvent(end));
    ASSIGN_OR_RETURN(double ns, device->ElapsedNs(start, end));
    return ns / runs;
  }

  /// Samples until the median is known well or `seconds` are over.
  absl::StatusOr<std::vector<double>> Samples(const Product& product, const Cublas& cublas, double seconds) const {
    double run_ns = 0;
    for (int run = 0; run < 5; ++run) {
      ASSIGN_OR_RETURN(run_ns, Batch(product, cublas, 1));
    }
    const int runs = std::max(1, static_cast<int>(kBatchNs / run_ns));
    const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    std::vector<double> samples;
    do {
      ASSIGN_OR_RETURN(samples.emplace_back(), Batch(product, cublas, runs));
      if (samples.size() >= 10 && MedianOf(samples).RelativeHalfWidth() < kEnoughHalfWidth) break;
    } while (samples.size() < kMaxSamples && std::chrono::steady_clock::now() < until);
    return samples;
  }

  Device* device = nullptr;
  StreamHandle stream = 0;
  EventHandle start = 0, end = 0;
};

absl::Status TimeShape(const Timer& timer, const Cublas& cublas, const MatmulProblem& problem, double seconds,
                       const std::vector<float>& pattern) {
  ASSIGN_OR_RETURN(std::unique_ptr<Product> product, Product::Create(timer.device, problem, pattern));
  ASSIGN_OR_RETURN(std::vector<double> samples, timer.Samples(*product, cublas, seconds));
  ASSIGN_OR_RETURN(int wrong, product->WrongElements());
  const MedianInterval median = MedianOf(samples);
  const nlohmann::json line = {{"problem", problem.Text()}, {"median_ns", median.median},
                               {"low_ns", median.low},      {"high_ns", median.high},
                               {"samples", samples.size()}, {"gflops", problem.Flops() / median.median},
                               {"wrong_of_64", wrong},      {"cublas", cublas.version},
                               {"regime", "warm"},          {"device", timer.device->info().name}};
  std::printf("%s\n", line.dump().c_str());
  std::fflush(stdout);
  return absl::OkStatus();
}

int Fail(const absl::Status& status, int code) {
  std::fprintf(stderr, "cublas_times: %s\n", std::string(status.message()).c_str());
  return code;
}

int Main(int argc, char** argv) {
  if (argc < 4) return Fail(InvalidArgument("usage: cublas_times LIBRARY SECONDS MxNxK..."), 2);
  absl::StatusOr<std::unique_ptr<Device>> device = CreateCudaDevice(0);
  if (!device.ok()) return Fail(device.status(), kSkipped);
  absl::StatusOr<Timer> timer = Timer::Create(device->get());
  if (!timer.ok()) return Fail(timer.status(), 1);
  absl::StatusOr<Cublas> cublas = OpenCublas(argv[1], timer->stream);
  if (!cublas.ok()) return Fail(cublas.status(), absl::IsNotFound(cublas.status()) ? kSkipped : 1);
  std::vector<float> pattern(kPattern);
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  for (float& value : pattern) value = normal(random);
  for (int i = 3; i < argc; ++i) {
    absl::StatusOr<MatmulProblem> problem = ParseMatmulShape(argv[i], DataType::kF32);
    if (!problem.ok()) return Fail(problem.status(), 2);
    absl::Status status = TimeShape(*timer, *cublas, *problem, std::atof(argv[2]), pattern);
    if (!status.ok()) return Fail(status, 1);
  }
  return 0;
}

}  // namespace
}  // namespace mmtune

int main(int argc, char** argv) { return mmtune::Main(argc, argv); }
