// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The state of the stand-in for libcuda.so.1. Tests load it in place of the driver; it is never installed. Kernels are
// PTX, which the SIMT device compiles and runs (kernels/simulator/ptx), so the CUDA side of the product computes real
// results without a GPU.
//
// A stream runs its work as late as it may: when the host waits for it, or a stream that is waited for depends on it.
// So a wait that is missing shows as a wrong result. All streams share one simulated clock, on which every launch takes
// kLaunchNs. Only one thread at a time may use the stand-in.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "kernels/runtime/cuda/driver.h"
#include "kernels/runtime/device/device.h"

namespace fake_cuda {

/// A place in a stream. `time` is negative until the stream has come to it.
struct Mark {
  mmtune::cuda::Stream stream = nullptr;
  uint64_t ticket = 0;
  int64_t time = -1;
};

}  // namespace fake_cuda

namespace mmtune::cuda {

struct ContextObject {
  DeviceId device = 0;
  std::unique_ptr<Device> simulator;
  std::unique_ptr<StreamObject> default_stream;
};

struct FunctionObject {
  std::string name;
  Context context = nullptr;
  DeviceKernel* kernel = nullptr;
  std::vector<size_t> parameter_bytes;
  int static_shared_bytes = 0;
  int max_dynamic_shared_bytes = 0;
  std::array<uint32_t, 3> max_threads = {};       ///< .maxntid, whose product counts; zeros: none.
  std::array<uint32_t, 3> required_threads = {};  ///< .reqntid; zeros: none.
  int runs = 0;
  bool is_checked = false;  ///< Runs in race detection (FAKE_CUDA_CHECKS).
};

struct ModuleObject {
  std::unique_ptr<DeviceModule> module;
  std::unique_ptr<DeviceModule> checked;  ///< The kernel that FAKE_CUDA_CHECKS names, else null.
  std::map<std::string, FunctionObject> functions;
};

struct StreamObject {
  std::deque<std::function<Result()>> work;
  uint64_t enqueued = 0, done = 0;
};

struct EventObject {
  std::shared_ptr<fake_cuda::Mark> mark;  ///< Null: never recorded.
  int polls = 0;
};

}  // namespace mmtune::cuda

namespace fake_cuda {

inline constexpr size_t kMemoryBytes = size_t{1} << 30;
inline constexpr int64_t kLaunchNs = 100'000;

struct State {
  mmtune::cuda::Result sticky = mmtune::cuda::kSuccess;  ///< After some errors every call fails, as in the driver.
  std::map<mmtune::cuda::DeviceId, mmtune::cuda::ContextObject> contexts;
  int retained = 0;
  int64_t now = 0;     ///< Nanoseconds; advanced by every launch.
  int64_t waited = 0;  ///< The host has waited for work that ended by then.
  size_t used_bytes = 0;
  std::map<mmtune::cuda::DevicePointer, size_t> allocations;
  std::map<mmtune::cuda::DevicePointer, size_t> registered;  ///< Host memory.
  std::set<mmtune::cuda::Stream> streams;                    ///< Without default streams.
  std::vector<uint32_t> last_launch;                         ///< See FakeCudaLastLaunch().
};
/// Returns the state of the process.
State& FakeDriver();

/// Returns the context that is current in this thread, or null.
mmtune::cuda::Context Current();

/// An effect that FAKE_CUDA_FAULT has for `name` in its call number `call`: nothing, an error, or a wrong result. One
/// that hangs does not return.
struct Effect {
  mmtune::cuda::Result error = mmtune::cuda::kSuccess;
  bool wrong = false;
};
Effect FaultOf(const std::string& name, int call = 1);

/// The error with which an entry point begins: a scripted one, or the sticky one.
mmtune::cuda::Result Scripted(const char* symbol);

/// True if `stream` is the default stream or one that was created.
bool IsStream(mmtune::cuda::Stream stream);

/// Appends work to a stream. An error that it returns when it runs is sticky.
void Enqueue(mmtune::cuda::Stream stream, std::function<mmtune::cuda::Result()> work);

/// Runs the work of a stream up to `ticket`, and what that work depends on.
void RunUntil(mmtune::cuda::Stream stream, uint64_t ticket);

/// Runs all work of all streams.
void RunAll();

/// Returns the driver's result for an error of the SIMT device.
mmtune::cuda::Result ResultOf(const absl::Status& status);

}  // namespace fake_cuda

/// Returns the scripted fault of the entry point that uses it.
#define FAIL_AS_SCRIPTED() \
  if (mmtune::cuda::Result fault = fake_cuda::Scripted(__func__); fault != mmtune::cuda::kSuccess) return fault
#define REQUIRE(condition, otherwise) \
  if (!(condition)) return otherwise
/// Returns CUDA_ERROR_INVALID_CONTEXT, too, where the calling thread has no context.
#define FAIL_AS_SCRIPTED_OR_WITHOUT_CONTEXT() \
  FAIL_AS_SCRIPTED();                         \
  REQUIRE(fake_cuda::Current() != nullptr, mmtune::cuda::Result{201})
