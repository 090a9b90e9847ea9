// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Events of jobs, held back until what they tell of is committed.
#pragma once

#include <string>
#include <vector>

#include "mmtune/v1/tuning.pb.h"
#include "server/job_feed.h"
#include "server/tuning_job.h"

namespace mmtune {

/// Not thread-safe.
class HeldEvents {
 public:
  /// `feeds` must outlive it.
  explicit HeldEvents(JobFeeds& feeds) : feeds_(feeds) {}

  void Hold(const TuningJob& job, v1::JobEvent event);
  void Publish();
  void Clear() { held_.clear(); }

 private:
  struct Held {
    std::string job_uuid;
    v1::JobEvent event;
    bool last = false;
  };

  JobFeeds& feeds_;
  std::vector<Held> held_;
};

}  // namespace mmtune
