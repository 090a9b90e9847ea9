// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The metrics of mmtune-server, and the HTTP listener that serves them in Prometheus' text format. The table of all
// metrics is in docs/operating.md; a test checks that it is complete.
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
#include "server/coordinator/log_writer.h"
#include "server/rpc/server.h"

namespace prometheus {
class Exposer;
}  // namespace prometheus

namespace mmtune {

/// An HTTP server of metrics, which stops when it is destroyed.
class MetricsListener {
 public:
  /// Starts to serve http://ADDRESS/metrics; port 0 means any free port. Returns InvalidArgument if the address is
  /// malformed, or is no loopback address although `anywhere` is false, and Unavailable if it cannot be bound.
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

/// The metrics. Counters are updated after each commit; all other values are read from the server when Prometheus
/// scrapes them. Thread-safe.
class ServerMetrics : public prometheus::Collectable {
 public:
  using Figures = std::function<absl::StatusOr<ServerFigures>()>;
  using Requests = std::function<size_t()>;

  /// `clock` must outlive the object.
  explicit ServerMetrics(std::string version, const Clock& clock = Clock::Real());

  /// Sets the functions that a scrape calls. `figures` returns the state of the server; if it fails, or is not set yet,
  /// the metrics that depend on it have no samples. `requests` returns the number of calls that wait for the log
  /// writer.
  void SetSource(Figures figures, Requests requests);

  /// Adds the changes of a committed transaction to the counters.
  void Committed(const LogChanges& changes);
  /// Returns all metrics, in the order of the table in docs/operating.md, with or without samples.
  std::vector<prometheus::MetricFamily> Collect() const override;

 private:
  static constexpr size_t kMaxReadings = 4096;
  /// A device's reading is dropped after this time, because the device may have cooled down.
  static constexpr Duration kReadingLasts = std::chrono::minutes(5);
  struct TimedReading {
    DeviceReading reading;
    TimePoint at;
  };
  struct Counted {
    double jobs_submitted = 0;
    std::map<std::string, double> jobs_ended, leases_ended,
        outcomes;  ///< By name. All names have a counter from the start.
    std::map<std::pair<std::string, std::string>, TimedReading> readings;  ///< The newest one by worker and device.
  };

  const std::string version_;
  const Clock& clock_;
  const double started_;  ///< In Unix seconds.
  mutable prometheus::Histogram commits_;
  mutable Mutex mutex_;
  Figures figures_ ABSL_GUARDED_BY(mutex_);
  Requests requests_ ABSL_GUARDED_BY(mutex_);
  Counted counted_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace mmtune
