// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/metrics/metrics_listener.h"

#include <prometheus/collectable.h>
#include <prometheus/exposer.h>

#include <exception>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "proto/base/server_address.h"
#include "proto/base/status.h"
#include "server/rpc/listen_address.h"

namespace mmtune {
namespace {

/// Scrapes are few and small. Who sends a request byte by byte has a thread until it is hung up on: there are some to
/// spare.
std::vector<std::string> HttpOptions(const std::string& address) {
  return {"listening_ports",  address, "num_threads",       "16", "request_timeout_ms", "2000",
          "max_request_size", "4096",  "enable_keep_alive", "no"};
}

}  // namespace

MetricsListener::MetricsListener(std::string address, std::shared_ptr<prometheus::Collectable> metrics,
                                 std::unique_ptr<prometheus::Exposer> exposer)
    : address_(std::move(address)), metrics_(std::move(metrics)), exposer_(std::move(exposer)) {}

MetricsListener::~MetricsListener() = default;

absl::StatusOr<std::unique_ptr<MetricsListener>> MetricsListener::Start(
    const std::string& address, bool anywhere, std::shared_ptr<prometheus::Collectable> metrics) {
  // They say what the fleet is and does, and change nothing: what is asked for is kept to this host, not to its users.
  ASSIGN_OR_RETURN(ListenAddress listen, ParseListenAddress(address, PortGuard::kTls));
  if (!listen.unix_path.empty()) {
    return InvalidArgument(
        absl::StrCat("--metrics '", address, "' is a socket: give ADDRESS:PORT, like 127.0.0.1:9464"));
  }
  if (!anywhere && !IsLoopbackHost(listen.host)) {
    return InvalidArgument(absl::StrCat("refusing to serve metrics on ", listen.host,
                                        ", where other hosts could read them: give 127.0.0.1, or --metrics-anywhere if "
                                        "that is what you want"));
  }
  RETURN_IF_ERROR(PrepareListenAddress(&listen).status());
  try {
    auto exposer = std::make_unique<prometheus::Exposer>(HttpOptions(listen.Text()));
    exposer->RegisterCollectable(metrics);
    return std::unique_ptr<MetricsListener>(new MetricsListener(listen.Text(), std::move(metrics), std::move(exposer)));
  } catch (const std::exception& error) {
    return Unavailable(absl::StrCat("cannot listen on ", listen.Text(), " for metrics: ", error.what()));
  }
}

}  // namespace mmtune
