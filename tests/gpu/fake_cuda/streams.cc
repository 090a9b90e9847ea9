// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The stand-in for the driver (driver.cc): streams, events and the clock.
#include <utility>

#include "tests/gpu/fake_cuda/fake_cuda.h"

using namespace mmtune::cuda;
using namespace fake_cuda;

namespace {

/// So many times cuEventQuery() finds an event that is not reached, before the host is taken to have waited for it.
constexpr int kPolls = 64;

StreamObject& QueueOf(Stream stream) { return stream != nullptr ? *stream : *Current()->default_stream; }

/// Runs the next work of a stream. An error is sticky, and nothing runs behind it.
void RunNext(StreamObject* stream) {
  const std::function<Result()> work = std::move(stream->work.front());
  stream->work.pop_front();
  State& driver = FakeDriver();
  if (driver.sticky == kSuccess) {
    const Result result = work();
    if (driver.sticky == kSuccess) driver.sticky = result;
  }
  ++stream->done;
}

void RunWhole(StreamObject* stream) {
  while (!stream->work.empty()) RunNext(stream);
}

/// The host has waited for all that has run.
Result Waited() {
  FakeDriver().waited = FakeDriver().now;
  return FakeDriver().sticky;
}

bool IsReached(const EventObject& event) {
  return event.mark == nullptr || (event.mark->time >= 0 && event.mark->time <= FakeDriver().waited);
}

}  // namespace

namespace fake_cuda {

bool IsStream(Stream stream) { return stream == nullptr || FakeDriver().streams.count(stream) != 0; }

void Enqueue(Stream stream, std::function<Result()> work) {
  StreamObject& queue = QueueOf(stream);
  queue.work.push_back(std::move(work));
  ++queue.enqueued;
}

void RunUntil(Stream stream, uint64_t ticket) {
  if (!IsStream(stream)) return;  // It was destroyed, and had ended.
  StreamObject& queue = QueueOf(stream);
  while (queue.done < ticket && !queue.work.empty()) RunNext(&queue);
}

void RunAll() {
  for (Stream stream : FakeDriver().streams) RunWhole(stream);
  for (auto& [device, context] : FakeDriver().contexts) RunWhole(context.default_stream.get());
}

}  // namespace fake_cuda

extern "C" {

Result cuStreamCreate(Stream* stream, unsigned flags) {
  FAIL_AS_SCRIPTED_OR_WITHOUT_CONTEXT();
  REQUIRE(flags == kStreamNonBlocking, kInvalidValue);
  *stream = new StreamObject;
  FakeDriver().streams.insert(*stream);
  return kSuccess;
}

/// Its work is not lost.
Result cuStreamDestroy_v2(Stream stream) {
  FAIL_AS_SCRIPTED_OR_WITHOUT_CONTEXT();
  REQUIRE(stream != nullptr && IsStream(stream), kInvalidHandle);
  RunWhole(stream);
  FakeDriver().streams.erase(stream);
  delete stream;
  return kSuccess;
}

Result cuStreamSynchronize(Stream stream) {
  FAIL_AS_SCRIPTED_OR_WITHOUT_CONTEXT();
  REQUIRE(IsStream(stream), kInvalidHandle);
  RunWhole(&QueueOf(stream));
  return Waited();
}

Result cuStreamWaitEvent(Stream stream, Event event, unsigned) {
  FAIL_AS_SCRIPTED_OR_WITHOUT_CONTEXT();
  REQUIRE(IsStream(stream), kInvalidHandle);
  Enqueue(stream, [mark = event->mark] {
    if (mark != nullptr && mark->time < 0) RunUntil(mark->stream, mark->ticket);
    return kSuccess;
  });
  return kSuccess;
}

Result cuEventCreate(Event* event, unsigned) {
  FAIL_AS_SCRIPTED_OR_WITHOUT_CONTEXT();
  *event = new EventObject;
  return kSuccess;
}

Result cuEventDestroy_v2(Event event) {
  FAIL_AS_SCRIPTED_OR_WITHOUT_CONTEXT();
  delete event;
  return kSuccess;
}

Result cuEventRecord(Event event, Stream stream) {
  FAIL_AS_SCRIPTED_OR_WITHOUT_CONTEXT();
  REQUIRE(IsStream(stream), kInvalidHandle);
  auto mark = std::make_shared<Mark>();
  Enqueue(stream, [mark] {
    mark->time = FakeDriver().now;
    return kSuccess;
  });
  mark->stream = stream;
  mark->ticket = QueueOf(stream).enqueued;
  event->mark = std::move(mark);
  event->polls = 0;
  return kSuccess;
}

Result cuEventSynchronize(Event event) {
  FAIL_AS_SCRIPTED_OR_WITHOUT_CONTEXT();
  if (event->mark != nullptr) RunUntil(event->mark->stream, event->mark->ticket);
  return Waited();
}

Result cuEventQuery(Event event) {
  FAIL_AS_SCRIPTED_OR_WITHOUT_CONTEXT();
  if (IsReached(*event)) return kSuccess;
  return ++event->polls < kPolls ? kNotReady : cuEventSynchronize(event);
}

Result cuEventElapsedTime(float* milliseconds, Event start, Event end) {
  FAIL_AS_SCRIPTED_OR_WITHOUT_CONTEXT();
  REQUIRE(start->mark != nullptr && end->mark != nullptr, kInvalidHandle);
  REQUIRE(IsReached(*start) && IsReached(*end), kNotReady);
  *milliseconds = static_cast<float>(end->mark->time - start->mark->time) / 1e6f;
  return kSuccess;
}

/// Not part of the driver: lets the device be busy for so long behind all its work, as with the work of a library.
void FakeCudaAdvance(int64_t nanoseconds) {
  RunAll();
  FakeDriver().now += nanoseconds;
}

}  // extern "C"
