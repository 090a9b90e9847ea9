// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operations that every device has, to be declared once.
#pragma once

#include "kernels/runtime/device.h"

/// In the public part of a class of device: declares what it defines of Device's operations without a default.
#define MMTUNE_DEVICE_OVERRIDES                                                                                        \
  absl::StatusOr<DevicePtr> Allocate(size_t bytes) override;                                                           \
  absl::Status Free(DevicePtr ptr) override;                                                                           \
  absl::Status CopyToDevice(DevicePtr dst, const void* src, size_t bytes, StreamHandle stream) override;               \
  absl::Status CopyToHost(void* dst, DevicePtr src, size_t bytes, StreamHandle stream) override;                       \
  absl::Status CopyOnDevice(DevicePtr dst, DevicePtr src, size_t bytes, StreamHandle stream) override;                 \
  absl::Status Fill32(DevicePtr dst, uint32_t value, size_t count, StreamHandle stream) override;                      \
  absl::StatusOr<std::unique_ptr<DeviceModule>> LoadModule(ImageFormat format, std::string_view image) override;       \
  absl::Status Launch(DeviceKernel* kernel, const LaunchShape& shape, void** arguments, StreamHandle stream) override; \
  absl::StatusOr<StreamHandle> CreateStream() override;                                                                \
  absl::Status DestroyStream(StreamHandle stream) override;                                                            \
  absl::Status Synchronize(StreamHandle stream) override;                                                              \
  absl::Status StreamWaitEvent(StreamHandle stream, EventHandle event) override;                                       \
  absl::StatusOr<EventHandle> CreateEvent() override;                                                                  \
  absl::Status DestroyEvent(EventHandle event) override;                                                               \
  absl::Status RecordEvent(EventHandle event, StreamHandle stream) override;                                           \
  absl::Status SynchronizeEvent(EventHandle event) override;                                                           \
  absl::StatusOr<double> ElapsedNs(EventHandle start, EventHandle end) override
