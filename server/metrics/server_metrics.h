// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The metrics of mmtune-server. docs/operating.md has the table of them, which a test compares with this.
#pragma once

#include <prometheus/collectable.h>
#include <prometheus/histogram.h>
#include <prometheus/metric_family.h>

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/base/clock.h"
#include "proto/base/mutex.h"
#include "server/coordinator/log_observer.h"
#include "server/rpc/server.h"

namespace mmtune {

/// Counts what is logged, and asks the server for the rest when it is scraped. Thread-safe.
class ServerMetrics : public LogObserver, public prometheus::Collectable {
 public:
  using Figures = std::function<absl::StatusOr<ServerFigures>()>;
  using Requests = std::function<size_t()>;

  /// `clock` must outlive it.
  explicit ServerMetrics(std::string version, const Clock& clock = Clock::Real());

  /// What a scrape asks; before that, and whenever `figures` fails, the families that it would fill have no samples.
  /// `requests` counts the calls that wait for the record writer: it is asked first, and always answers.
  void SetSource(Figures figures, Requests requests);

  void Committed(const LoggedGroup& group) override;
  /// Every family of the table, in its order, whether it has samples or not.
  std::vector<prometheus::MetricFamily> Collect() const override;

 private:
  static constexpr size_t kMaxReadings = 4096;
  /// A device that was not timed for so long may have cooled down.
  static constexpr Duration kReadingLasts = std::chrono::minutes(5);
  struct TimedReading {
    DeviceReading reading;
    TimePoint at;
  };
  struct Counted {
    double jobs_submitted = 0;
    std::map<std::string, double> jobs_ended, leases_ended, outcomes;      ///< By name, all of them from the start.
    std::map<std::pair<std::string, std::string>, TimedReading> readings;  ///< By worker and device: the newest.
  };

  const std::string version_;
  const Clock& clock_;
  const double started_;  ///< Seconds since 1970.
  mutable prometheus::Histogram commits_;
  mutable Mutex mutex_;
  Figures figures_ ABSL_GUARDED_BY(mutex_);
  Requests requests_ ABSL_GUARDED_BY(mutex_);
  Counted counted_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace mmtune
