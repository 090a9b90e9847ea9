// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of the stand-in for the driver, known by name. Every other name is a product of matrices.
#include <cstdlib>
#include <cstring>
#include <vector>

#include "kernels/runtime/cuda/cuda_device.h"
#include "tests/kernels/runtime/fake_cuda.h"

using namespace mmtune::cuda;

namespace fake_cuda {
namespace {

constexpr int64_t kLaunchNs = 100'000;

template <typename T>
T Parameter(void** parameters, int index) {
  T value;
  std::memcpy(&value, parameters[index], sizeof(T));
  return value;
}

template <typename T>
T* Pointer(void** parameters, int index) {
  return reinterpret_cast<T*>(Parameter<DevicePointer>(parameters, index));
}

struct Launch {
  FunctionObject& function;
  const unsigned* shape;
  void** parameters;
};

/// report(u32* out): the launch.
void Report(const Launch& launch) {
  auto* out = Pointer<uint32_t>(launch.parameters, 0);
  std::memcpy(out, launch.shape, 7 * sizeof(uint32_t));
  out[7] = static_cast<uint32_t>(launch.function.max_dynamic_shared_bytes);
}

/// scale(f32* data, i32 count, f32 factor).
void Scale(const Launch& launch) {
  auto* data = Pointer<float>(launch.parameters, 0);
  for (int i = 0; i < Parameter<int>(launch.parameters, 1); ++i) data[i] *= Parameter<float>(launch.parameters, 2);
}

/// wild(): an illegal address.
void Wild(const Launch&) { FakeDriver().sticky = kIllegalAddress; }

void Delay(const Launch& launch) {
  FakeDriver().now += static_cast<int64_t>(Parameter<uint64_t>(launch.parameters, 0)) - kLaunchNs;
}

void Canary(const Launch& launch) {
  auto* words = Pointer<uint32_t>(launch.parameters, 0);
  for (uint32_t i = 0; i < launch.shape[0] * launch.shape[3]; ++i) words[i] = CanaryWord(words[i], i);
}

struct Problem {
  int m = 0, n = 0, k = 0;
};

/// Reads FAKE_CUDA_MATMUL="64x48x32;32x32x32".
const std::vector<Problem>& ScriptedProblems() {
  static const auto* problems = [] {
    auto* parsed = new std::vector<Problem>;
    const char* text = std::getenv("FAKE_CUDA_MATMUL");
    if (text == nullptr) std::abort();
    char* end = const_cast<char*>(text);
    while (*end != '\0') {
      Problem& problem = parsed->emplace_back();
      for (int* side : {&problem.m, &problem.n, &problem.k}) {
        *side = static_cast<int>(std::strtol(end, &end, 10));
        if (*end != '\0') ++end;
      }
    }
    return parsed;
  }();
  return *problems;
}

size_t RoundUp(size_t bytes) {
  constexpr size_t kAlignment = 256;
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

/// Returns the size of a measure child's buffer at this address, with red zones around it or without, rounded up; 0:
/// there is none.
size_t BytesAt(const float* buffer) {
  constexpr size_t kZone = 4096;
  const auto address = reinterpret_cast<DevicePointer>(buffer);
  const auto& allocations = FakeDriver().allocations;
  if (const auto at = allocations.find(address); at != allocations.end()) return RoundUp(at->second);
  const auto at = allocations.find(address - kZone);
  return at != allocations.end() ? at->second - 2 * kZone : 0;
}

size_t BytesOf(int rows, int columns) {
  return RoundUp(static_cast<size_t>(rows) * static_cast<size_t>(columns) * sizeof(float));
}

/// Returns the problem whose operands these are, or null; where one alone is scripted, it is that one.
const Problem* ProblemOf(const float* a, const float* b, const float* c) {
  const std::vector<Problem>& problems = ScriptedProblems();
  if (problems.size() == 1) return &problems.front();
  for (const Problem& problem : problems) {
    if (BytesAt(a) == BytesOf(problem.m, problem.k) && BytesAt(b) == BytesOf(problem.k, problem.n) &&
        BytesAt(c) >= BytesOf(problem.m, problem.n)) {
      return &problem;
    }
  }
  return nullptr;
}

/// The problem of the last product, which a reduction may follow; null: it was of none that is known.
const Problem* multiplied = nullptr;

/// (f32* a, f32* b, f32* c); of a problem that is not known C stays as it is. Where c is the workspace of a reduction,
/// it is the first of its parts.
void Multiply(const Launch& launch) {
  const auto* a = Pointer<float>(launch.parameters, 0);
  const auto* b = Pointer<float>(launch.parameters, 1);
  auto* c = Pointer<float>(launch.parameters, 2);
  multiplied = ProblemOf(a, b, c);
  if (multiplied == nullptr) return;
  const Problem& problem = *multiplied;
  for (int i = 0; i < problem.m; ++i) {
    std::vector<float> row(static_cast<size_t>(problem.n));
    for (int p = 0; p < problem.k; ++p) {
      for (int j = 0; j < problem.n; ++j) row[static_cast<size_t>(j)] += a[i * problem.k + p] * b[p * problem.n + j];
    }
    std::memcpy(c + i * problem.n, row.data(), row.size() * sizeof(float));
  }
}

/// (f32* workspace, f32* c): the first of its parts is the product.
void Reduce(const Launch& launch) {
  if (multiplied == nullptr) return;
  const size_t elements = static_cast<size_t>(multiplied->m) * static_cast<size_t>(multiplied->n);
  std::memcpy(Pointer<float>(launch.parameters, 1), Pointer<float>(launch.parameters, 0), elements * sizeof(float));
}

struct Behaviour {
  void (*run)(const Launch&);
  int result;  ///< The parameter whose first word a wrong run changes; -1: none.
};

Behaviour BehaviourOf(const std::string& name) {
  static const std::map<std::string, Behaviour> behaviours = {
      {"report", {Report, 0}},     {"scale", {Scale, 0}},        {"wild", {Wild, -1}},
      {kDelayKernel, {Delay, -1}}, {kCanaryKernel, {Canary, 0}}, {"reduce_splits", {Reduce, 1}}};
  auto known = behaviours.find(name);
  return known != behaviours.end() ? known->second : Behaviour{Multiply, 2};
}

}  // namespace

void Execute(FunctionObject& function, const unsigned* shape, void** parameters) {
  const Behaviour behaviour = BehaviourOf(function.name);
  const bool product = behaviour.result >= 0 && function.name != kCanaryKernel;
  const Effect effect = FaultOf(product ? "kernel" : function.name, ++function.runs);
  FakeDriver().now += kLaunchNs;
  if (effect.error != kSuccess) {
    FakeDriver().sticky = effect.error;
    return;
  }
  behaviour.run({function, shape, parameters});
  if (effect.wrong) Pointer<uint32_t>(parameters, behaviour.result)[0] ^= 0x00400000;
}

}  // namespace fake_cuda
