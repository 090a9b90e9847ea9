// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The events of jobs, which clients follow by WatchJob calls, one stream for each call. The log writer's thread appends
// events after each commit. Any number of streams read them, each at its own pace; the writer never waits for a reader.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/functional/function_ref.h"
#include "mmtune/v1/tuning.pb.h"
#include "proto/base/mutex.h"
#include "proto/types/measurement.h"

namespace mmtune {

/// An event whose record and schedule are not converted into messages yet. That is done when a stream first reads the
/// event, because the log writer's thread makes an event for each candidate, and most are never read.
struct EventDraft {
  /// Makes an event of a complete message.
  EventDraft(v1::JobEvent message) : message(std::move(message)) {}  // NOLINT(google-explicit-constructor)

  v1::JobEvent message;                        ///< The event without the schedule and the record.
  std::shared_ptr<const Schedule> best;        ///< The best schedule so far; null if there is none.
  std::shared_ptr<const TuningRecord> record;  ///< The record that the event reports; null if there is none.

  /// Returns an estimate of the memory that the event owns, in bytes.
  size_t Bytes() const;
  /// Writes the schedule and the record into the message.
  void WriteOut();
};

/// The events of one job. Thread-safe.
///
/// Each event has the number of the one before plus 1. After a restart of the coordinator the events are sent again
/// under higher numbers, so that a client that resumes gets each event at least once. The newest events are kept: at
/// most kKept of them, with at most kKeptBytes or the limit that JobFeeds sets. A reader that falls behind misses the
/// oldest events. It can continue, because the progress in an event is cumulative and the records are in the log.
class JobFeed {
 public:
  static constexpr size_t kKept = 4096;
  static constexpr size_t kKeptBytes = size_t{8} << 20;

  /// Gives the first event the number `first_seq`.
  explicit JobFeed(int64_t first_seq) : next_seq_(first_seq) {}

  using Event = std::shared_ptr<const v1::JobEvent>;
  using Wake = std::function<void()>;

  /// Numbers and stores the event, and wakes the watchers. `last` ends the feed.
  void Append(EventDraft event, bool last);
  /// Ends the feed without a last event, because the coordinator stops or starts again.
  void Abandon();
  /// Drops all events but the last.
  void Shorten();
  /// Limits the memory of the events, in bytes, from now on. The last event is always kept.
  void Limit(size_t bytes);

  struct Read {
    Event event;             ///< The first event after `after_seq`; null if there is none yet, or will be none.
    bool ended = false;      ///< True if there will be no further event.
    bool abandoned = false;  ///< True if Abandon() ended the feed.
  };
  /// Reads the next event after the one with the number `after_seq`. If this feed has not used that number yet, reads
  /// from the beginning. This happens if the server's clock, from which the first number is taken, was set back before
  /// a restart.
  Read ReadAfter(int64_t after_seq) const;

  /// Calls `wake` on the writer's thread whenever there may be a new event. `wake` must not block, and must not call
  /// the feed's Watch or Unwatch. Returns an id for Unwatch.
  int64_t Watch(Wake wake);
  /// Ends the calls of the function that was passed to Watch(), which has returned this id.
  void Unwatch(int64_t id);

 private:
  /// An event with its number.
  class NumberedEvent {
   public:
    NumberedEvent(EventDraft draft, int64_t seq) : seq(seq), bytes(draft.Bytes()), draft_(std::move(draft)) {}
    const int64_t seq;
    const size_t bytes;
    /// Returns the message. The first call completes it (EventDraft::WriteOut). Thread-safe.
    const v1::JobEvent& Message();

   private:
    std::once_flag written_;
    EventDraft draft_;
  };

  void Trim() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void DropOldest() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  std::vector<std::shared_ptr<Wake>> Watchers() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  mutable Mutex mutex_;
  int64_t next_seq_ ABSL_GUARDED_BY(mutex_);
  std::deque<std::shared_ptr<NumberedEvent>> events_ ABSL_GUARDED_BY(mutex_);
  size_t bytes_ ABSL_GUARDED_BY(mutex_) = 0;  ///< The sum of NumberedEvent::bytes.
  size_t most_bytes_ ABSL_GUARDED_BY(mutex_) = kKeptBytes;
  bool ended_ ABSL_GUARDED_BY(mutex_) = false;
  bool abandoned_ ABSL_GUARDED_BY(mutex_) = false;
  int64_t next_watcher_ ABSL_GUARDED_BY(mutex_) = 1;
  std::map<int64_t, std::shared_ptr<Wake>> watchers_ ABSL_GUARDED_BY(mutex_);
};

/// The feeds of all jobs, by job uuid. Thread-safe. Each feed may keep an equal share of kKeptBytes, so that memory is
/// bounded however many jobs there are.
class JobFeeds {
 public:
  static constexpr size_t kKeptBytes = size_t{96} << 20;

  /// Returns null if the job has no feed.
  std::shared_ptr<JobFeed> Find(std::string_view job_uuid) const;
  /// Returns the feed of the job. Makes it if there is none; its first event then gets the number `first_seq`.
  std::shared_ptr<JobFeed> Open(std::string_view job_uuid, int64_t first_seq);
  /// Removes the feed of a job. Streams that read it continue.
  void Drop(std::string_view job_uuid);
  /// Abandons and removes the feeds of jobs for which `keeps` returns false.
  void KeepIf(absl::FunctionRef<bool(const std::string& job_uuid)> keeps);
  /// Abandons and removes every feed.
  void Clear();
  /// Returns the number of feeds.
  size_t size() const;

 private:
  /// Gives each feed its share of the memory.
  void ShareOut() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  mutable Mutex mutex_;
  std::map<std::string, std::shared_ptr<JobFeed>, std::less<>> feeds_ ABSL_GUARDED_BY(mutex_);
};

/// Holds events back until the changes that they report are committed. Not thread-safe.
class HeldEvents {
 public:
  /// `feeds` must outlive the object.
  explicit HeldEvents(JobFeeds& feeds) : feeds_(feeds) {}

  /// Adds an event of a job.
  void Hold(const std::string& job_uuid, EventDraft event) { held_.emplace_back(job_uuid, std::move(event)); }
  /// Appends the events to their feeds. An event with a final state ends its feed.
  void Publish();
  /// Drops the events, because their changes were not committed.
  void Clear() { held_.clear(); }

 private:
  JobFeeds& feeds_;
  std::vector<std::pair<std::string, EventDraft>> held_;  ///< Each with its job.
};

}  // namespace mmtune
