// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What each group of the tuning log changed, told once it is durable. For metrics: the coordinator does not know of it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "db/tuning_log.h"
#include "proto/base/clock.h"
#include "proto/types/conditions.h"

namespace mmtune {

/// How a device was right after a timing, as its worker says.
struct DeviceReading {
  std::string worker;
  std::string device;  ///< Its uuid.
  std::string name;
  HealthSample health;
};

/// One durable group that wrote something.
struct LoggedGroup {
  Duration commit{};  ///< From the call of Commit to its OK.
  int64_t jobs_submitted = 0;
  std::map<JobState, int64_t> jobs_ended;
  std::map<AttemptState, int64_t> leases_ended;
  std::map<Outcome, int64_t> outcomes;  ///< Of the canonical records that were stored.
  std::vector<DeviceReading> readings;
};

class LogObserver {
 public:
  virtual ~LogObserver() = default;
  /// On the record writer's thread, which waits for it.
  virtual void Committed(const LoggedGroup& group) = 0;
};

/// `log`, with `observer` told of each group between Begin and Commit.
std::unique_ptr<TuningLog> ObserveLog(std::unique_ptr<TuningLog> log, std::shared_ptr<LogObserver> observer);

}  // namespace mmtune
