// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Metrics in Prometheus' text format, over HTTP without TLS.
#pragma once

#include <memory>
#include <string>

#include "absl/status/statusor.h"

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

  /// With the real port.
  const std::string& address() const { return address_; }

 private:
  MetricsListener(std::string address, std::shared_ptr<prometheus::Collectable> metrics,
                  std::unique_ptr<prometheus::Exposer> exposer);

  const std::string address_;
  const std::shared_ptr<prometheus::Collectable> metrics_;  // the exposer does not own it
  std::unique_ptr<prometheus::Exposer> exposer_;
};

}  // namespace mmtune
