// The SIMT device in fast mode: every operation is done when it returns.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "kernels/runtime/device.h"
#include "kernels/runtime/simt/device_memory.h"
#include "kernels/runtime/simt/fiber.h"
#include "kernels/runtime/simt/launch_pool.h"
#include "proto/base/clock.h"

namespace mmtune::simt {

struct SimtOptions {
  std::string arch = "sm_80";  ///< The limits it reports and keeps.
  int threads = 0;             ///< OS threads; 0: one per core.
  FiberKind fibers = DefaultFiberKind();
};

class SimtDevice : public Device {
 public:
  /// InvalidArgument for an unknown arch or a negative number of threads.
  static absl::StatusOr<std::unique_ptr<Device>> Create(const SimtOptions& options);

  const DeviceInfo& info() const override { return info_; }
  absl::StatusOr<DevicePtr> Allocate(size_t bytes) override;
  absl::Status Free(DevicePtr ptr) override;
  absl::Status CopyToDevice(DevicePtr dst, const void* src, size_t bytes, StreamHandle stream) override;
  absl::Status CopyToHost(void* dst, DevicePtr src, size_t bytes, StreamHandle stream) override;
  absl::Status CopyOnDevice(DevicePtr dst, DevicePtr src, size_t bytes, StreamHandle stream) override;
  absl::Status Fill32(DevicePtr dst, uint32_t value, size_t count, StreamHandle stream) override;
  absl::StatusOr<std::unique_ptr<DeviceModule>> LoadModule(ImageFormat format, std::string_view image) override;
  absl::Status Launch(DeviceKernel* kernel, const LaunchShape& shape, void** arguments, StreamHandle stream) override;
  absl::StatusOr<StreamHandle> CreateStream() override;
  absl::Status DestroyStream(StreamHandle stream) override;
  absl::Status Synchronize(StreamHandle stream) override;
  absl::Status StreamWaitEvent(StreamHandle stream, EventHandle event) override;
  absl::StatusOr<EventHandle> CreateEvent() override;
  absl::Status DestroyEvent(EventHandle event) override;
  absl::Status RecordEvent(EventHandle event, StreamHandle stream) override;
  absl::Status SynchronizeEvent(EventHandle event) override;
  absl::StatusOr<double> ElapsedNs(EventHandle start, EventHandle end) override;
  std::string_view clock_name() const override { return "steady"; }

 private:
  SimtDevice(DeviceInfo info, int threads, FiberKind fibers);

  /// The state of the device, then of the stream; `call` names the operation in errors.
  absl::Status Ready(std::string_view call, StreamHandle stream = 0) const;
  absl::Status CheckEvent(std::string_view call, EventHandle event) const;
  absl::Status LaunchError(std::string_view kernel, const BlockFailure& failure);

  const DeviceInfo info_;
  DeviceMemory memory_;
  LaunchPool pool_;
  absl::Status poisoned_;  ///< Not OK once a kernel may have damaged the process's memory.

  uint64_t next_handle_ = 1;
  std::set<StreamHandle> streams_;
  std::map<EventHandle, std::optional<TimePoint>> events_;
};

}  // namespace mmtune::simt
