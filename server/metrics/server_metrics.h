// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The metrics of mmtune-server, and the HTTP listener that serves them in Prometheus' text format. docs/operating.md
// has the table of them, which a test compares with this.
#pragma once

#include <prometheus/collectable.h>
#include <prometheus/histogram.h>
#include <prometheus/metric_family.h>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/base/clock.h"
#include "proto/base/mutex.h"
#include "server/coordinator/log_transaction.h"
#include "server/rpc/server.h"

namespace prometheus {
class Collectable;
class Exposer;
}  // namespace prometheus

namespace mmtune {

class MetricsListener {
 public:
  /// Serves http://`address`/metrics (port 0: a free one) until it is destroyed. InvalidArgument for a malformed
  /// address, and for one of another interface than loopback unless `anywhere`; Unavailable when it cannot be bound.
  static absl::StatusOr<std::unique_ptr<MetricsListener>> Start(const std::string& address, bool anywhere,
                                                                std::shared_ptr<prometheus::Collectable> metrics);
  ~MetricsListener();

  /// Returns the address with the real port.
  const std::string& address() const { return address_; }

 private:
  MetricsListener(std::string address, std::shared_ptr<prometheus::Collectable> metrics,
                  std::unique_ptr<prometheus::Exposer> exposer);

  const std::string address_;
  const std::shared_ptr<prometheus::Collectable> metrics_;  // the exposer does not own it
  std::unique_ptr<prometheus::Exposer> exposer_;
};

/// Counts what batches change, and asks the server for the rest when it is scraped. Thread-safe.
class ServerMetrics : public prometheus::Collectable {
 public:
  using Figures = std::function<absl::StatusOr<ServerFigures>()>;
  using Requests = std::function<size_t()>;

  /// `clock` must outlive it.
  explicit ServerMetrics(std::string version, const Clock& clock = Clock::Real());

  /// Sets the functions that a scrape calls. Before that, and whenever `figures` fails, the families that it would fill
  /// have no samples. `requests` counts the calls that wait for the log writer, and always answers.
  void SetSource(Figures figures, Requests requests);

  /// Counts the changes of a batch.
  void Committed(const LogChanges& changes);
  /// Returns every family of the table, in its order, with or without samples.
  std::vector<prometheus::MetricFamily> Collect() const override;

 private:
  static constexpr size_t kMaxReadings = 4096;
  /// A reading is dropped after this time, as the device may have cooled down.
  static constexpr Duration kReadingLasts = std::chrono::minutes(5);
  struct TimedReading {
    DeviceReading reading;
    TimePoint at;
  };
  struct Counted {
    double jobs_submitted = 0;
    std::map<std::string, double> jobs_ended, leases_ended, outcomes;      ///< By name, all from the start.
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
