// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/measure/delayed_stream.h"

#include <algorithm>

#include "proto/base/log.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

constexpr int kTries = 6;
constexpr double kLongestDelayNs = 50e6;
constexpr int kShorterAfter = 16;

void LogIfFailed(const absl::Status& status, std::string_view what) {
  if (!status.ok()) LogError("device_release_failed", {{"what", what}, {"error", ToStd(status.message())}});
}

}  // namespace

absl::StatusOr<std::unique_ptr<DelayedStream>> DelayedStream::Create(Device* device) {
  std::unique_ptr<DelayedStream> stream(new DelayedStream(device));
  ASSIGN_OR_RETURN(stream->stream_, device->CreateStream());
  ASSIGN_OR_RETURN(stream->start_, device->CreateEvent());
  ASSIGN_OR_RETURN(stream->end_, device->CreateEvent());
  return stream;
}

DelayedStream::~DelayedStream() {
  if (start_ != 0) LogIfFailed(device_->DestroyEvent(start_), "event");
  if (end_ != 0) LogIfFailed(device_->DestroyEvent(end_), "event");
  if (stream_ != 0) LogIfFailed(device_->DestroyStream(stream_), "stream");
}

absl::StatusOr<double> DelayedStream::Time(absl::FunctionRef<absl::Status(StreamHandle)> enqueue) {
  ++timings_;
  for (int attempt = 1;; ++attempt) {
    ASSIGN_OR_RETURN(const bool held, device_->Delay(delay_ns_, stream_));
    RETURN_IF_ERROR(device_->RecordEvent(start_, stream_));
    RETURN_IF_ERROR(enqueue(stream_));
    RETURN_IF_ERROR(device_->RecordEvent(end_, stream_));
    bool in_time = false;
    if (held) {
      ASSIGN_OR_RETURN(const bool begun, device_->EventReached(start_));
      in_time = !begun;
    }
    RETURN_IF_ERROR(device_->SynchronizeEvent(end_));
    if (held && !in_time) delay_ns_ = std::min(4 * delay_ns_, kLongestDelayNs);
    in_a_row_ = in_time ? in_a_row_ + 1 : 0;
    if (in_a_row_ == kShorterAfter) {  // what made it so long may be over
      delay_ns_ = std::max(delay_ns_ / 2, kFirstDelayNs);
      in_a_row_ = 0;
    }
    if (held && !in_time && attempt < kTries) continue;
    delayed_ += in_time;
    return device_->ElapsedNs(start_, end_);
  }
}

}  // namespace mmtune
