// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// State of the stand-in for libcuda.so.1 (fake_cuda.cc): host memory, kernels by name, a simulated clock, and faults on
// demand.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "kernels/runtime/cuda/driver.h"

namespace mmtune::cuda {
struct FunctionObject {
  std::string name;
  int max_dynamic_shared_bytes = 48 * 1024 - 1024;
  int runs = 0;
};
struct ModuleObject {
  std::map<std::string, FunctionObject> functions;
};
struct EventObject {
  int64_t time = -1;
};
}  // namespace mmtune::cuda

namespace fake_cuda {

inline constexpr size_t kMemoryBytes = size_t{1} << 30;
inline constexpr int kStaticSharedBytes = 1024;

struct State {
  mmtune::cuda::Result sticky = mmtune::cuda::kSuccess;  ///< After some errors every call fails, as in the driver.
  mmtune::cuda::Context current = nullptr;
  int retained = 0;
  int64_t now = 0;     ///< Nanoseconds; advanced by every launch.
  int64_t waited = 0;  ///< The host has waited for work that ended by then.
  size_t used_bytes = 0;
  std::map<mmtune::cuda::DevicePointer, size_t> allocations;
  std::map<mmtune::cuda::DevicePointer, size_t> registered;  ///< Host memory.
  std::set<mmtune::cuda::Stream> streams;
};
/// Returns the state of the process.
State& FakeDriver();

/// An effect that FAKE_CUDA_FAULT has for `name` in its call number `call`: nothing, an error, or a wrong result. One
/// that hangs does not return.
struct Effect {
  mmtune::cuda::Result error = mmtune::cuda::kSuccess;
  bool wrong = false;
};
Effect FaultOf(const std::string& name, int call = 1);

/// The error with which an entry point begins: a scripted one, or the sticky one.
mmtune::cuda::Result Scripted(const char* symbol);

/// Runs a kernel, as Behaviours in fake_cuda_kernels.cc say. Its errors are asynchronous.
void Execute(mmtune::cuda::FunctionObject& function, const unsigned* shape, void** parameters);

}  // namespace fake_cuda

/// Returns the scripted fault of the entry point that uses it.
#define FAIL_AS_SCRIPTED() \
  if (mmtune::cuda::Result fault = fake_cuda::Scripted(__func__); fault != mmtune::cuda::kSuccess) return fault
#define REQUIRE(condition, otherwise) \
  if (!(condition)) return otherwise
