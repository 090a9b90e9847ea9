// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/kernels/compiler/streams/reordering_device.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

/// A memref of rank 1 as gpu-to-llvm passes it: two pointers, offset, size, stride.
constexpr int kParametersOfMemref = 5;

DevicePtr Address(const void* pointer) { return reinterpret_cast<DevicePtr>(pointer); }

struct Kernel final : DeviceKernel {
  explicit Kernel(TestKernel what) : kernel(std::move(what)) {}
  TestKernel kernel;
};

struct Module final : DeviceModule {
  absl::StatusOr<DeviceKernel*> GetKernel(std::string_view name) override {
    auto found = kernels.find(std::string(name));
    if (found == kernels.end()) return absl::NotFoundError(absl::StrCat("no kernel ", ToAbsl(name)));
    return &found->second;
  }
  std::map<std::string, Kernel> kernels;
};

struct RunnerKernel final : DeviceKernel {
  RunnerKernel(DeviceKernel* kernel, int parameters) : kernel(kernel), parameters(parameters) {}
  DeviceKernel* kernel;
  int parameters;
};

struct RunnerModule final : DeviceModule {
  RunnerModule(std::unique_ptr<DeviceModule> module, const std::map<std::string, int>& parameters)
      : module(std::move(module)), parameters(parameters) {}
  absl::StatusOr<DeviceKernel*> GetKernel(std::string_view name) override {
    auto count = parameters.find(std::string(name));
    if (count == parameters.end()) return absl::NotFoundError(absl::StrCat("no kernel ", ToAbsl(name)));
    ASSIGN_OR_RETURN(DeviceKernel * kernel, module->GetKernel(name));
    return &kernels.emplace(count->first, RunnerKernel(kernel, count->second)).first->second;
  }
  std::unique_ptr<DeviceModule> module;
  std::map<std::string, int> parameters;
  std::map<std::string, RunnerKernel> kernels;
};

}  // namespace

ReorderingDevice::ReorderingDevice(Device* runner, std::map<std::string, int> parameters, Order order, uint32_t seed)
    : ReorderingDevice({}, order, seed) {
  runner_ = runner;
  parameters_ = std::move(parameters);
}

ReorderingDevice::ReorderingDevice(std::map<std::string, TestKernel> kernels, Order order, uint32_t seed)
    : kernels_(std::move(kernels)), order_(order), random_(seed) {
  info_.kind = DeviceKind::kSimt;
  info_.name = "reordering";
}

absl::StatusOr<DevicePtr> ReorderingDevice::Allocate(size_t bytes) {
  std::vector<char> memory(bytes, '\x5a');
  const DevicePtr ptr = Address(memory.data());
  allocations_.emplace(ptr, std::move(memory));
  return ptr;
}

absl::Status ReorderingDevice::Free(DevicePtr ptr) {
  if (!allocations_.count(ptr)) return InvalidArgument("Free: no allocation");
  for (const auto& [stream, queue] : streams_) {
    for (const Operation& operation : queue) {
      if (std::count(operation.memory.begin(), operation.memory.end(), ptr)) {
        return InvalidArgument(absl::StrCat("Free: stream ", stream, " still uses the memory"));
      }
    }
  }
  allocations_.erase(ptr);
  return absl::OkStatus();
}

DevicePtr ReorderingDevice::AllocationOf(DevicePtr ptr) const {
  auto next = allocations_.upper_bound(ptr);
  return next == allocations_.begin() ? 0 : std::prev(next)->first;
}

absl::Status ReorderingDevice::CheckMemory(std::string_view call, DevicePtr ptr, size_t bytes) const {
  auto found = allocations_.find(AllocationOf(ptr));
  // A kernel's number may look like any address: compared so that nothing wraps around.
  if (found != allocations_.end() && bytes <= found->second.size() &&
      ptr - found->first <= found->second.size() - bytes) {
    return absl::OkStatus();
  }
  return InvalidArgument(absl::StrCat(ToAbsl(call), ": not in an allocation"));
}

absl::Status ReorderingDevice::CopyToDevice(DevicePtr dst, const void* src, size_t bytes, StreamHandle stream) {
  RETURN_IF_ERROR(CheckMemory("CopyToDevice", dst, bytes));
  return Enqueue("CopyToDevice", stream,
                 {[=] { std::memcpy(reinterpret_cast<void*>(dst), src, bytes); }, {AllocationOf(dst)}, {}, {}});
}

absl::Status ReorderingDevice::CopyToHost(void* dst, DevicePtr src, size_t bytes, StreamHandle stream) {
  RETURN_IF_ERROR(CheckMemory("CopyToHost", src, bytes));
  return Enqueue("CopyToHost", stream,
                 {[=] { std::memcpy(dst, reinterpret_cast<void*>(src), bytes); }, {AllocationOf(src)}, {}, {}});
}

absl::Status ReorderingDevice::CopyOnDevice(DevicePtr dst, DevicePtr src, size_t bytes, StreamHandle stream) {
  RETURN_IF_ERROR(CheckMemory("CopyOnDevice", dst, bytes));
  RETURN_IF_ERROR(CheckMemory("CopyOnDevice", src, bytes));
  return Enqueue("CopyOnDevice", stream,
                 {[=] { std::memmove(reinterpret_cast<void*>(dst), reinterpret_cast<void*>(src), bytes); },
                  {AllocationOf(dst), AllocationOf(src)},
                  {},
                  {}});
}

absl::Status ReorderingDevice::Fill32(DevicePtr dst, uint32_t value, size_t count, StreamHandle stream) {
  RETURN_IF_ERROR(CheckMemory("Fill32", dst, count * sizeof(value)));
  return Enqueue("Fill32", stream,
                 {[=] { std::fill_n(reinterpret_cast<uint32_t*>(dst), count, value); }, {AllocationOf(dst)}, {}, {}});
}

absl::StatusOr<std::unique_ptr<DeviceModule>> ReorderingDevice::LoadModule(ImageFormat format, std::string_view image) {
  if (runner_ != nullptr) {
    ASSIGN_OR_RETURN(std::unique_ptr<DeviceModule> module, runner_->LoadModule(format, image));
    return std::make_unique<RunnerModule>(std::move(module), parameters_);
  }
  auto module = std::make_unique<Module>();
  for (const auto& [name, kernel] : kernels_) module->kernels.emplace(name, Kernel(kernel));
  return module;
}

absl::Status ReorderingDevice::LaunchOnRunner(DeviceKernel* kernel, int parameters, const LaunchShape& shape,
                                              void** arguments, StreamHandle stream) {
  std::vector<uint64_t> values(static_cast<size_t>(parameters));
  Operation operation;
  for (int i = 0; i < parameters; ++i) {
    std::memcpy(&values[i], arguments[i], sizeof(values[i]));
    if (CheckMemory("Launch", values[i], 1).ok()) operation.memory.push_back(AllocationOf(values[i]));
  }
  operation.run = [this, kernel, shape, values]() mutable {
    std::vector<void*> pointers;
    for (uint64_t& value : values) pointers.push_back(&value);
    launch_error_.Update(runner_->Launch(kernel, shape, pointers.data()));
  };
  return Enqueue("Launch", stream, std::move(operation));
}

absl::Status ReorderingDevice::Launch(DeviceKernel* kernel, const LaunchShape& shape, void** arguments,
                                      StreamHandle stream) {
  if (runner_ != nullptr) {
    auto* of_runner = static_cast<RunnerKernel*>(kernel);
    return LaunchOnRunner(of_runner->kernel, of_runner->parameters, shape, arguments, stream);
  }
  const TestKernel& what = static_cast<Kernel*>(kernel)->kernel;
  Operation operation;
  std::vector<int32_t*> buffers;
  for (int i = 0; i < what.buffers; ++i) {
    // The parameters may be gone when the kernel runs.
    buffers.push_back(*static_cast<int32_t**>(arguments[i * kParametersOfMemref + 1]));
    RETURN_IF_ERROR(CheckMemory("Launch", Address(buffers.back()), TestKernel::kElements * sizeof(int32_t)));
    operation.memory.push_back(AllocationOf(Address(buffers.back())));
  }
  operation.run = [run = what.run, buffers] { run(buffers); };
  return Enqueue("Launch", stream, std::move(operation));
}

absl::StatusOr<StreamHandle> ReorderingDevice::CreateStream() {
  streams_[next_handle_];
  return next_handle_++;
}

absl::Status ReorderingDevice::DestroyStream(StreamHandle stream) {
  auto found = streams_.find(stream);
  if (found == streams_.end()) return InvalidArgument("DestroyStream: no stream");
  if (!found->second.empty()) return InvalidArgument("DestroyStream: operations are in flight");
  streams_.erase(found);
  return absl::OkStatus();
}

absl::Status ReorderingDevice::Synchronize(StreamHandle stream) {
  auto found = streams_.find(stream);
  if (found == streams_.end()) return InvalidArgument("Synchronize: no stream");
  if (!found->second.empty()) ++host_waits_;
  return RunUntil("Synchronize", [&] { return found->second.empty(); });
}

absl::Status ReorderingDevice::StreamWaitEvent(StreamHandle stream, EventHandle event) {
  if (!events_.count(event)) return InvalidArgument("StreamWaitEvent: no event");
  return Enqueue("StreamWaitEvent", stream, {{}, {}, events_[event], {}});
}

absl::StatusOr<EventHandle> ReorderingDevice::CreateEvent() {
  events_[next_handle_];
  return next_handle_++;
}

absl::Status ReorderingDevice::DestroyEvent(EventHandle event) {
  return events_.erase(event) == 1 ? absl::OkStatus() : InvalidArgument("DestroyEvent: no event");
}

absl::Status ReorderingDevice::RecordEvent(EventHandle event, StreamHandle stream) {
  if (!events_.count(event)) return InvalidArgument("RecordEvent: no event");
  auto mark = std::make_shared<Mark>();
  events_[event] = mark;
  return Enqueue("RecordEvent", stream, {{}, {}, {}, mark});
}

absl::Status ReorderingDevice::SynchronizeEvent(EventHandle event) {
  if (!events_.count(event)) return InvalidArgument("SynchronizeEvent: no event");
  std::shared_ptr<Mark> mark = events_[event];
  return RunUntil("SynchronizeEvent", [&] { return mark == nullptr || mark->reached; });
}

absl::StatusOr<double> ReorderingDevice::ElapsedNs(EventHandle /*start*/, EventHandle /*end*/) {
  return absl::UnimplementedError("ElapsedNs: no clock");
}

absl::Status ReorderingDevice::Enqueue(std::string_view call, StreamHandle stream, Operation operation) {
  if (stream == 0) {
    if (operation.run) operation.run();
    return absl::OkStatus();
  }
  auto found = streams_.find(stream);
  if (found == streams_.end()) return InvalidArgument(absl::StrCat(ToAbsl(call), ": no stream ", stream));
  found->second.push_back(std::move(operation));
  SettleMarks();
  if (order_ == Order::kProgram) return RunUntil(call, [&] { return found->second.empty(); });
  const std::vector<StreamHandle> runnable = Runnable();
  most_concurrent_ = std::max(most_concurrent_, static_cast<int>(runnable.size()));
  if (order_ == Order::kRandom && random_() % 4 == 0) {
    const unsigned steps = random_() % 4;
    for (unsigned i = 0; i < steps; ++i) {
      if (const std::vector<StreamHandle> streams = Runnable(); !streams.empty()) RunNext(Choose(streams));
    }
  }
  return absl::OkStatus();
}

void ReorderingDevice::SettleMarks() {
  for (bool settled = true; settled;) {
    settled = false;
    for (auto& [stream, queue] : streams_) {
      while (!queue.empty() && !queue.front().run && (!queue.front().waits_for || queue.front().waits_for->reached)) {
        if (queue.front().reaches) queue.front().reaches->reached = true;
        queue.pop_front();
        settled = true;
      }
    }
  }
}

std::vector<StreamHandle> ReorderingDevice::Runnable() const {
  std::vector<StreamHandle> streams;
  for (const auto& [stream, queue] : streams_) {
    if (!queue.empty() && queue.front().run) streams.push_back(stream);
  }
  return streams;
}

StreamHandle ReorderingDevice::Choose(const std::vector<StreamHandle>& streams) {
  return order_ == Order::kRandom ? streams[random_() % streams.size()] : streams.back();
}

void ReorderingDevice::RunNext(StreamHandle stream) {
  Queue& queue = streams_[stream];
  Operation operation = std::move(queue.front());
  queue.pop_front();
  operation.run();
  SettleMarks();
}

absl::Status ReorderingDevice::RunUntil(std::string_view call, const std::function<bool()>& done) {
  while (!done()) {
    const std::vector<StreamHandle> runnable = Runnable();
    if (runnable.empty()) return Internal(absl::StrCat(ToAbsl(call), ": every stream waits"));
    RunNext(Choose(runnable));
  }
  return std::exchange(launch_error_, absl::OkStatus());
}

}  // namespace mmtune
