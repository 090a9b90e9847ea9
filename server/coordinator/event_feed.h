// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The events of jobs, for watchers: appended on the log writer's thread after each commit, read by any number of
// streams at their own pace. The writer never waits for a reader.
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
#include "mmtune/v1/tuning.pb.h"
#include "proto/base/mutex.h"
#include "proto/types/measurement.h"

namespace mmtune {

/// An event before it is a message. Its record and schedule become messages when a watcher first reads it: most events
/// are never read, and the log writer's thread makes one for each candidate.
struct EventDraft {
  /// Converts a complete message.
  EventDraft(v1::JobEvent message) : message(std::move(message)) {}  // NOLINT(google-explicit-constructor)

  v1::JobEvent message;                        ///< Without the two below.
  std::shared_ptr<const Schedule> best;        ///< The best schedule of its progress; null: none.
  std::shared_ptr<const TuningRecord> record;  ///< Null: none.

  /// Returns about how much memory it owns.
  size_t Bytes() const;
  /// Converts the schedule and the record into messages.
  void WriteOut();
};

/// The events of one job. Thread-safe.
///
/// Sequence numbers grow by one. When the coordinator restarts, the events are sent again under higher numbers: a
/// client that resumes gets every event at least once. Only the newest kKept events, of at most kKeptBytes of memory or
/// what JobFeeds allows, are kept; a reader that lags further behind misses the oldest (progress is cumulative, and
/// records are in the log).
class JobFeed {
 public:
  static constexpr size_t kKept = 4096;
  static constexpr size_t kKeptBytes = size_t{8} << 20;

  /// Gives the first event the number `first_seq`.
  explicit JobFeed(int64_t first_seq) : next_seq_(first_seq) {}

  using Event = std::shared_ptr<const v1::JobEvent>;
  using Wake = std::function<void()>;

  /// Numbers and stores the event, and wakes the watchers; `last` ends the feed.
  void Append(EventDraft event, bool last);
  /// Ends the feed without an event: the coordinator stops or starts again.
  void Abandon();
  /// Forgets all but the last event.
  void Shorten();
  /// Limits the bytes that are kept from now on, beside the last event.
  void Limit(size_t bytes);

  struct Read {
    Event event;         ///< The first one after `after_seq`; null: none yet, or the end.
    bool ended = false;  ///< Nothing will come after what has been read.
    bool abandoned = false;
  };
  /// Reads the next event. A number that this feed has not given out yet (the clock of the server was set back before a
  /// restart) reads from the beginning.
  Read ReadAfter(int64_t after_seq) const;

  /// Calls `wake` on the writer's thread whenever there may be something new. It must not block or call the feed's
  /// Watch or Unwatch. Returns an id for Unwatch.
  int64_t Watch(Wake wake);
  void Unwatch(int64_t id);

 private:
  /// An event that is kept.
  class Kept {
   public:
    Kept(EventDraft draft, int64_t seq) : seq(seq), bytes(draft.Bytes()), draft_(std::move(draft)) {}
    const int64_t seq;
    const size_t bytes;
    /// Returns the message, which the first call writes out. Thread-safe.
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
  std::deque<std::shared_ptr<Kept>> events_ ABSL_GUARDED_BY(mutex_);
  size_t bytes_ ABSL_GUARDED_BY(mutex_) = 0;  ///< About the memory of events_.
  size_t most_bytes_ ABSL_GUARDED_BY(mutex_) = kKeptBytes;
  bool ended_ ABSL_GUARDED_BY(mutex_) = false;
  bool abandoned_ ABSL_GUARDED_BY(mutex_) = false;
  int64_t next_watcher_ ABSL_GUARDED_BY(mutex_) = 1;
  std::map<int64_t, std::shared_ptr<Wake>> watchers_ ABSL_GUARDED_BY(mutex_);
};

/// The feeds by job uuid. Thread-safe.
///
/// All of them together keep at most kKeptBytes, in equal parts: however many jobs there are, and however slowly they
/// are watched, memory is bounded.
class JobFeeds {
 public:
  static constexpr size_t kKeptBytes = size_t{96} << 20;

  std::shared_ptr<JobFeed> Find(std::string_view job_uuid) const;
  /// Returns the feed of the job, and makes it if there is none.
  std::shared_ptr<JobFeed> Open(std::string_view job_uuid, int64_t first_seq);
  void Drop(std::string_view job_uuid);
  /// Abandons and forgets every feed.
  void Clear();

 private:
  void ShareOut() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  mutable Mutex mutex_;
  std::map<std::string, std::shared_ptr<JobFeed>, std::less<>> feeds_ ABSL_GUARDED_BY(mutex_);
};

/// Holds events back until the changes that they report are committed. Not thread-safe.
class HeldEvents {
 public:
  /// `feeds` must outlive it.
  explicit HeldEvents(JobFeeds& feeds) : feeds_(feeds) {}

  void Hold(const std::string& job_uuid, EventDraft event) { held_.emplace_back(job_uuid, std::move(event)); }
  /// Appends the events to the feeds. One with a final state ends its feed.
  void Publish();
  void Clear() { held_.clear(); }

 private:
  JobFeeds& feeds_;
  std::vector<std::pair<std::string, EventDraft>> held_;  ///< By job.
};

}  // namespace mmtune
