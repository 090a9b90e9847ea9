// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/metrics/server_metrics.h"

#include <prometheus/collectable.h>
#include <prometheus/exposer.h>
#include <sys/resource.h>
#include <unistd.h>
#include <ctime>
#include <exception>
#include <fstream>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "proto/base/clock.h"
#include "proto/base/log.h"
#include "proto/base/plain_text.h"
#include "proto/base/server_address.h"
#include "proto/base/status.h"
#include "server/coordinator/worker_registry.h"
#include "server/rpc/listen_address.h"

namespace mmtune {
namespace {

/// Returns the options of the HTTP server. Requests are few and small. A slow client occupies a thread until its
/// timeout, so there are more threads than needed.
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
  // Metrics change nothing, so every user of this host may read them.
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

namespace {

using prometheus::ClientMetric;
using prometheus::MetricFamily;
using prometheus::MetricType;

using Label = ClientMetric::Label;
using Labels = std::vector<Label>;

// The bounds of the buckets: from a commit to the disk's cache to one that delays jobs noticeably.
const prometheus::Histogram::BucketBoundaries kCommitSeconds = {0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05,
                                                                0.1,    0.2,   0.5,   1,     2,    5};

/// A metric family under construction.
class Family {
 public:
  Family(std::vector<MetricFamily>& families, std::string name, std::string help, MetricType type)
      : family_(families.emplace_back(MetricFamily{std::move(name), std::move(help), type, {}})) {}

  /// Adds a sample. Labels with texts of workers are made plain for terminals and browsers.
  void Add(double value, Labels labels = {}) {
    for (Label& label : labels) label.value = PlainText(label.value);
    ClientMetric& metric = family_.metric.emplace_back();
    metric.label = std::move(labels);
    (family_.type == MetricType::Counter ? metric.counter.value : metric.gauge.value) = value;
  }
  /// Adds one sample for each value, labelled `label`.
  void AddEach(const std::map<std::string, double>& values, const char* label) {
    for (const auto& [name, value] : values) Add(value, {{label, name}});
  }

 private:
  MetricFamily& family_;  // an element of a vector that never grows beyond its capacity
};

class Families {
 public:
  Families() { families_.reserve(kMost); }
  Family Gauge(std::string name, std::string help) { return Make(std::move(name), std::move(help), MetricType::Gauge); }
  Family Counter(std::string name, std::string help) {
    return Make(std::move(name), std::move(help), MetricType::Counter);
  }
  void AddHistogram(std::string name, std::string help, ClientMetric metric) {
    Make(std::move(name), std::move(help), MetricType::Histogram);
    families_.back().metric.push_back(std::move(metric));
  }
  std::vector<MetricFamily> Take() { return std::move(families_); }

 private:
  static constexpr size_t kMost = 64;
  Family Make(std::string name, std::string help, MetricType type) {
    return Family(families_, absl::StrCat("mmtune_", name), std::move(help), type);
  }
  std::vector<MetricFamily> families_;
};

int64_t ResidentBytes() {
  int64_t all = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> all >> resident;
  return resident * sysconf(_SC_PAGESIZE);
}

/// Adds the metrics that show the state of the server at the time of the scrape.
void AddFigures(Families& out, const absl::StatusOr<ServerFigures>& figures, std::optional<size_t> waiting) {
  Family jobs = out.Gauge("jobs", "Unfinished jobs by state.");
  Family candidates = out.Gauge("candidates_queued", "Candidates that were proposed and wait for a worker.");
  Family requests = out.Gauge("requests_queued", "Calls that wait for the thread that writes the log.");
  Family leases = out.Gauge("leases", "Candidates that workers have now.");
  Family oldest = out.Gauge("lease_oldest_age_seconds", "Age of the oldest live lease; 0 without leases.");
  Family workers = out.Gauge("workers", "Workers by state.");
  Family silence = out.Gauge("worker_silence_seconds", "Time since a worker was last heard of.");
  Family expiry = out.Gauge("certificate_expiry_timestamp_seconds", "When the certificate of the server expires.");
  Family unusable =
      out.Gauge("certificate_renewal_failed", "1 while the files hold a certificate that cannot be used.");
  if (waiting) requests.Add(static_cast<double>(*waiting));
  if (!figures.ok()) return;

  for (const auto& [state, count] : figures->unfinished) {
    jobs.Add(static_cast<double>(count), {{"state", std::string(JobStateName(state))}});
  }
  candidates.Add(static_cast<double>(figures->candidates));
  const v1::ServerInfo& info = figures->info;
  double age = 0;
  for (const v1::LeaseStatus& lease : info.leases()) age = std::max(age, lease.age_seconds());
  leases.Add(info.leases_size());
  oldest.Add(age);
  std::map<std::string, double> states;
  for (const std::string_view state : kWorkerStates) states[std::string(state)] = 0;
  for (const v1::WorkerStatus& worker : info.workers()) {
    ++states[std::string(WorkerStateName(worker))];
    silence.Add(worker.seconds_since_seen(), {{"worker", worker.worker_id()}});
  }
  workers.AddEach(states, "state");
  if (!info.has_certificate_seconds_left()) return;
  expiry.Add(static_cast<double>(std::time(nullptr)) + info.certificate_seconds_left());
  unusable.Add(info.certificate_trouble().empty() ? 0 : 1);
}

/// Adds the readings of devices whose workers are live.
void AddReadings(Families& out, const absl::StatusOr<ServerFigures>& figures,
                 const std::vector<DeviceReading>& readings) {
  Family temperature = out.Gauge("device_temperature_celsius", "Temperature of a device right after its last timing.");
  Family sm_clock = out.Gauge("device_sm_clock_hertz", "Clock of its multiprocessors right after its last timing.");
  Family memory_clock = out.Gauge("device_memory_clock_hertz", "Clock of its memory right after its last timing.");
  Family power = out.Gauge("device_power_watts", "Power that it draws right after its last timing.");
  if (!figures.ok()) return;
  std::map<std::string, bool> live;
  for (const v1::WorkerStatus& worker : figures->info.workers()) live[worker.worker_id()] = worker.live();
  for (const DeviceReading& reading : readings) {
    if (!live[reading.worker]) continue;
    const Labels labels = {{"worker", reading.worker}, {"device", reading.device}, {"name", reading.name}};
    const HealthSample& health = reading.health;
    if (health.temperature_c >= 0) temperature.Add(static_cast<double>(health.temperature_c), labels);
    if (health.sm_clock_mhz >= 0) sm_clock.Add(static_cast<double>(health.sm_clock_mhz) * 1e6, labels);
    if (health.memory_clock_mhz >= 0) memory_clock.Add(static_cast<double>(health.memory_clock_mhz) * 1e6, labels);
    if (health.power_mw >= 0) power.Add(static_cast<double>(health.power_mw) / 1e3, labels);
  }
}

}  // namespace

ServerMetrics::ServerMetrics(std::string version, const Clock& clock)
    : version_(std::move(version)),
      clock_(clock),
      started_(static_cast<double>(std::time(nullptr))),
      commits_(kCommitSeconds) {
  for (const JobState state : {JobState::kDone, JobState::kCancelled, JobState::kFailed, JobState::kInterrupted}) {
    counted_.jobs_ended[std::string(JobStateName(state))] = 0;
  }
  for (const AttemptState state :
       {AttemptState::kReported, AttemptState::kExpired, AttemptState::kReleased, AttemptState::kFailed}) {
    counted_.leases_ended[std::string(AttemptStateName(state))] = 0;
  }
  for (const Outcome outcome : kAllOutcomes) counted_.outcomes[std::string(OutcomeName(outcome))] = 0;
}

void ServerMetrics::SetSource(Figures figures, Requests requests) {
  MutexLock lock(&mutex_);
  figures_ = std::move(figures);
  requests_ = std::move(requests);
}

void ServerMetrics::Committed(const LogChanges& changes) {
  commits_.Observe(Seconds(changes.commit));
  MutexLock lock(&mutex_);
  counted_.jobs_submitted += static_cast<double>(changes.jobs_submitted);
  for (const auto& [state, count] : changes.jobs_ended) {
    counted_.jobs_ended[std::string(JobStateName(state))] += static_cast<double>(count);
  }
  for (const auto& [state, count] : changes.leases_ended) {
    counted_.leases_ended[std::string(AttemptStateName(state))] += static_cast<double>(count);
  }
  for (const auto& [outcome, count] : changes.outcomes) {
    counted_.outcomes[std::string(OutcomeName(outcome))] += static_cast<double>(count);
  }
  for (const DeviceReading& reading : changes.readings) {
    if (counted_.readings.size() >= kMaxReadings) counted_.readings.clear();  // the next timings add them again
    counted_.readings[{reading.worker, reading.device}] = {reading, clock_.Now()};
  }
}

std::vector<MetricFamily> ServerMetrics::Collect() const {
  Figures ask;
  Requests count;
  {
    MutexLock lock(&mutex_);
    ask = figures_;
    count = requests_;
  }
  const std::optional<size_t> waiting = count ? std::optional(count()) : std::nullopt;
  const absl::StatusOr<ServerFigures> figures = ask ? ask() : Unavailable("the server is starting");
  Counted counted;
  {
    MutexLock lock(&mutex_);
    counted = counted_;
  }
  Families out;
  out.Gauge("build_info", "1, labelled with the version.").Add(1, {{"version", version_}});
  out.Gauge("start_time_seconds", "When this process started, since 1970.").Add(started_);
  out.Gauge("resident_memory_bytes", "Memory of this process.").Add(static_cast<double>(ResidentBytes()));
  out.Gauge("up_to_date", "1 when the log writer answered this scrape and the log can be written.").Add(figures.ok());
  AddFigures(out, figures, waiting);
  out.Counter("jobs_submitted_total", "Jobs that were taken.").Add(counted.jobs_submitted);
  out.Counter("jobs_ended_total", "Jobs by how they ended.").AddEach(counted.jobs_ended, "state");
  out.Counter("leases_ended_total", "Leases by how they ended.").AddEach(counted.leases_ended, "state");
  out.Counter("outcomes_total", "Candidates measured, by outcome.").AddEach(counted.outcomes, "outcome");
  out.AddHistogram("commit_duration_seconds", "Commits of the log that wrote something.", commits_.Collect());
  std::vector<DeviceReading> readings;
  for (auto& [key, timed] : counted.readings) {
    if (clock_.Now() - timed.at <= kReadingLasts) readings.push_back(std::move(timed.reading));
  }
  AddReadings(out, figures, readings);
  return out.Take();
}

}  // namespace mmtune
