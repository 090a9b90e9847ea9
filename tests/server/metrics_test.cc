// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <prometheus/text_serializer.h>
#include <sys/socket.h>
#include <unistd.h>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "proto/base/status.h"
#include "proto/base/whole_file.h"
#include "server/coordinator/log_writer.h"
#include "server/metrics/server_metrics.h"
#include "tests/db/log_testing.h"
#include "tests/fake_clock.h"
#include "tests/server/fake_tuning_log.h"

namespace mmtune {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string Text(const ServerMetrics& metrics) { return prometheus::TextSerializer().Serialize(metrics.Collect()); }

/// With something in every family.
std::shared_ptr<ServerMetrics> FullMetrics(const Clock& clock = Clock::Real()) {
  auto metrics = std::make_shared<ServerMetrics>("1.2.3", clock);
  LogChanges group;
  group.commit = std::chrono::milliseconds(3);
  group.jobs_submitted = 2;
  group.jobs_ended[JobState::kDone] = 1;
  group.leases_ended[AttemptState::kReported] = 5;
  group.outcomes[Outcome::kOk] = 4;
  group.outcomes[Outcome::kTimedOut] = 1;
  DeviceReading reading{"w1", "GPU-1", "NVIDIA H100", {}};
  reading.health.temperature_c = 61;
  reading.health.sm_clock_mhz = 1980;
  reading.health.memory_clock_mhz = 2619;
  reading.health.power_mw = 650'500;
  group.readings = {reading};
  reading.worker = "w2";
  group.readings.push_back(reading);
  metrics->Committed(group);
  metrics->SetSource(
      []() -> absl::StatusOr<ServerFigures> {
        ServerFigures figures;
        figures.unfinished = {{JobState::kWaiting, 1}, {JobState::kRunning, 3}};
        figures.candidates = 17;
        v1::WorkerStatus* worker = figures.info.add_workers();
        worker->set_worker_id("w1");
        worker->set_live(true);
        worker->set_seconds_since_seen(0.5);
        worker = figures.info.add_workers();
        worker->set_worker_id("w2");
        worker->set_seconds_since_seen(90);
        figures.info.add_leases()->set_age_seconds(4);
        figures.info.add_leases()->set_age_seconds(40);
        figures.info.set_certificate_seconds_left(1000);
        figures.info.set_certificate_trouble("expired");
        return figures;
      },
      [] { return size_t{2}; });
  return metrics;
}

TEST(ServerMetricsTest, ReportsTheStateOfServerAndLog) {
  const std::string text = Text(*FullMetrics());
  for (const char* line :
       {"mmtune_build_info{version=\"1.2.3\"} 1\n",
        "mmtune_up_to_date 1\n",
        "mmtune_jobs{state=\"waiting\"} 1\n",
        "mmtune_jobs{state=\"running\"} 3\n",
        "mmtune_candidates_queued 17\n",
        "mmtune_requests_queued 2\n",
        "mmtune_leases 2\n",
        "mmtune_lease_oldest_age_seconds 40\n",
        "mmtune_workers{state=\"ready\"} 1\n",
        "mmtune_workers{state=\"silent\"} 1\n",
        "mmtune_workers{state=\"draining\"} 0\n",
        "mmtune_worker_silence_seconds{worker=\"w2\"} 90\n",
        "mmtune_certificate_renewal_failed 1\n",
        "mmtune_jobs_submitted_total 2\n",
        "mmtune_jobs_ended_total{state=\"done\"} 1\n",
        "mmtune_jobs_ended_total{state=\"failed\"} 0\n",
        "mmtune_leases_ended_total{state=\"reported\"} 5\n",
        "mmtune_leases_ended_total{state=\"expired\"} 0\n",
        "mmtune_outcomes_total{outcome=\"ok\"} 4\n",
        "mmtune_outcomes_total{outcome=\"timed_out\"} 1\n",
        "mmtune_outcomes_total{outcome=\"crashed\"} 0\n",
        "mmtune_commit_duration_seconds_count 1\n",
        "mmtune_commit_duration_seconds_bucket{le=\"0.005\"} 1\n",
        "mmtune_commit_duration_seconds_bucket{le=\"0.002\"} 0\n",
        "mmtune_device_temperature_celsius{worker=\"w1\",device=\"GPU-1\",name=\"NVIDIA H100\"} 61\n",
        "mmtune_device_sm_clock_hertz{worker=\"w1\",device=\"GPU-1\",name=\"NVIDIA H100\"} 1980000000\n",
        "mmtune_device_power_watts{worker=\"w1\",device=\"GPU-1\",name=\"NVIDIA H100\"} 650.5\n"}) {
    EXPECT_THAT(text, HasSubstr(line));
  }
  // Of a worker that is gone nothing is known.
  EXPECT_THAT(text, Not(HasSubstr("temperature_celsius{worker=\"w2\"")));
}

TEST(ServerMetricsTest, LabelsFromWorkersArePlainText) {
  constexpr char kHostile[] = "w\x1b[31m\x7f\xc2\x9b\xe2\x80\xae\xe2\x80\x8b\xef\xbb\xbf\n1";
  auto metrics = FullMetrics();
  LogChanges group;
  DeviceReading reading{kHostile, kHostile, kHostile, {}};
  reading.health.temperature_c = 61;
  group.readings = {reading};
  metrics->Committed(group);
  metrics->SetSource(
      [&]() -> absl::StatusOr<ServerFigures> {
        ServerFigures figures;
        v1::WorkerStatus* worker = figures.info.add_workers();
        worker->set_worker_id(kHostile);
        worker->set_live(true);
        worker->set_seconds_since_seen(0.5);
        return figures;
      },
      [] { return size_t{0}; });
  const std::string text = Text(*metrics);
  EXPECT_THAT(text, HasSubstr("mmtune_worker_silence_seconds{worker=\"w 1\"} 0.5\n"));
  EXPECT_THAT(text, HasSubstr("mmtune_device_temperature_celsius{worker=\"w 1\",device=\"w 1\",name=\"w 1\"} 61\n"));
  for (const char* part : {"\x1b", "\x7f", "\xc2\x9b", "\xe2\x80", "\xef\xbb\xbf"})
    EXPECT_THAT(text, Not(HasSubstr(part)));
}

TEST(ServerMetricsTest, ReportsCountersEvenIfTheServerDoesNotAnswer) {
  const auto metrics = FullMetrics();
  metrics->SetSource([] { return Unavailable("the log cannot be written"); }, [] { return size_t{4096}; });
  const std::string text = Text(*metrics);
  EXPECT_THAT(text, HasSubstr("mmtune_up_to_date 0\n"));
  EXPECT_THAT(text, HasSubstr("mmtune_requests_queued 4096\n")) << "most of all when nobody answers";
  EXPECT_THAT(text, HasSubstr("mmtune_outcomes_total{outcome=\"ok\"} 4\n"));
  EXPECT_THAT(text, Not(HasSubstr("\nmmtune_leases ")));
  EXPECT_THAT(text, Not(HasSubstr("\nmmtune_device_temperature_celsius{")));
}

TEST(ServerMetricsTest, AReadingOfAnIdleDeviceIsDropped) {
  FakeClock clock;
  const auto metrics = FullMetrics(clock);
  clock.Advance(std::chrono::minutes(5));
  EXPECT_THAT(Text(*metrics), HasSubstr("temperature_celsius{worker=\"w1\""));
  clock.Advance(std::chrono::seconds(1));
  EXPECT_THAT(Text(*metrics), Not(HasSubstr("temperature_celsius{worker=\"w1\"")));
}

TEST(ServerMetricsTest, IsScrapedWhileTheLogIsWritten) {
  ServerMetrics metrics("1");
  LogChanges group;
  group.jobs_submitted = 1;
  group.readings = {{"w1", "GPU-1", "NVIDIA H100", {}}};
  std::thread writer([&] {
    for (int i = 0; i < 1000; ++i) metrics.Committed(group);
  });
  for (int i = 0; i < 20; ++i) Text(metrics);
  writer.join();
  EXPECT_THAT(Text(metrics), HasSubstr("mmtune_jobs_submitted_total 1000\n"));
}

/// name -> "type: label, label", as the page has it, or as it is served.
using Table = std::map<std::string, std::string>;

Table TableOfThePage() {
  Table table;
  const absl::StatusOr<std::string> page = ReadWholeFile(MMTUNE_OPERATING_PAGE);
  EXPECT_TRUE(page.ok()) << page.status();
  for (absl::string_view line : absl::StrSplit(page.value_or(""), '\n')) {
    if (!absl::StartsWith(line, "| `mmtune_")) continue;
    const std::vector<std::string> cells = absl::StrSplit(line, " | ");
    EXPECT_EQ(cells.size(), 4) << line;
    if (cells.size() != 4) continue;
    table[cells[0].substr(3, cells[0].size() - 4)] = absl::StrCat(cells[1], ": ", cells[2]);
  }
  return table;
}

Table TableOf(const ServerMetrics& metrics) {
  const std::map<prometheus::MetricType, std::string> types = {{prometheus::MetricType::Gauge, "gauge"},
                                                               {prometheus::MetricType::Counter, "counter"},
                                                               {prometheus::MetricType::Histogram, "histogram"}};
  Table table;
  for (const prometheus::MetricFamily& family : metrics.Collect()) {
    EXPECT_FALSE(family.help.empty()) << family.name;
    std::vector<std::string> labels;
    EXPECT_FALSE(family.metric.empty()) << family.name;
    for (const auto& label :
         family.metric.empty() ? std::vector<prometheus::ClientMetric::Label>() : family.metric.front().label) {
      labels.push_back(absl::StrCat("`", label.name, "`"));
    }
    table[family.name] = absl::StrCat(types.at(family.type), ": ", absl::StrJoin(labels, ", "));
  }
  return table;
}

TEST(ServerMetricsTest, MatchesTheTableInTheManual) { EXPECT_EQ(TableOfThePage(), TableOf(*FullMetrics())); }

class LogTransactionTest : public ::testing::Test {
 protected:
  static JobRow Job(const std::string& name) {
    JobRow job;
    job.uuid = job.client_request_id = name;
    return job;
  }

  FakeLogStorage storage_;
  FakeTuningLog fake_{storage_};
  LogTransaction log_{fake_};
};

TEST_F(LogTransactionTest, CommitReturnsOnlyWhatIsDurable) {
  ASSERT_TRUE(log_.Begin().ok());
  const absl::StatusOr<int64_t> id = log_.InsertJob(Job("a"));
  ASSERT_TRUE(id.ok()) << id.status();
  ASSERT_TRUE(log_.SetJobState(*id, JobState::kRunning, "").ok());
  absl::StatusOr<LogChanges> changes = log_.Commit();
  ASSERT_TRUE(changes.ok()) << changes.status();
  EXPECT_TRUE(changes->wrote);
  EXPECT_EQ(changes->jobs_submitted, 1);
  EXPECT_TRUE(changes->jobs_ended.empty());

  ASSERT_TRUE(log_.Begin().ok());
  EXPECT_FALSE(log_.Commit()->wrote) << "nothing was written";
  ASSERT_TRUE(log_.Begin().ok());
  ASSERT_TRUE(log_.SetJobState(*id, JobState::kDone, "").ok());
  log_.Rollback();
  fake_.SetFull(true);
  ASSERT_TRUE(log_.Begin().ok());
  ASSERT_TRUE(log_.SetJobState(*id, JobState::kFailed, "").ok());
  EXPECT_TRUE(IsStorageFailure(log_.Commit().status()));
  log_.Rollback();
  fake_.SetFull(false);

  ASSERT_TRUE(log_.Begin().ok());
  ASSERT_TRUE(log_.SetJobState(*id, JobState::kCancelled, "").ok());
  TuningRecord record = mmtune::testing::TestRecord(1);
  record.measurement.conditions.health.source = "nvml";
  record.measurement.conditions.health.after.temperature_c = 50;
  const absl::StatusOr<InsertedRecord> inserted = log_.InsertRecord("", record);
  ASSERT_TRUE(inserted.ok()) << inserted.status();
  changes = log_.Commit();
  ASSERT_TRUE(changes.ok()) << changes.status();
  EXPECT_EQ(changes->jobs_ended, (std::map<JobState, int64_t>{{JobState::kCancelled, 1}}));
  EXPECT_EQ(changes->jobs_submitted, 0);
  EXPECT_EQ(changes->outcomes, (std::map<Outcome, int64_t>{{Outcome::kOk, 1}}));
  ASSERT_EQ(changes->readings.size(), 1);
  EXPECT_EQ(changes->readings[0].worker, record.worker);
  EXPECT_EQ(changes->readings[0].health.temperature_c, 50);
}

/// A connection to this port of the loopback interface that has sent the text.
std::unique_ptr<Descriptor> Send(const std::string& address, const std::string& request) {
  auto peer = std::make_unique<Descriptor>(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in name{};
  name.sin_family = AF_INET;
  name.sin_port = htons(static_cast<uint16_t>(std::stoi(address.substr(address.rfind(':') + 1))));
  name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  EXPECT_EQ(connect(peer->get(), reinterpret_cast<sockaddr*>(&name), sizeof(name)), 0);
  EXPECT_EQ(write(peer->get(), request.data(), request.size()), static_cast<ssize_t>(request.size()));
  return peer;
}

/// Returns the answer of a server there to the text.
std::string Ask(const std::string& address, const std::string& request) {
  const std::unique_ptr<Descriptor> peer = Send(address, request);
  std::string answer;
  char bytes[4096];
  for (ssize_t n; (n = read(peer->get(), bytes, sizeof(bytes))) > 0;) answer.append(bytes, static_cast<size_t>(n));
  return answer;
}

TEST(MetricsListenerTest, ServesMetricsOverHttp) {
  auto listener = MetricsListener::Start("127.0.0.1:0", /*anywhere=*/false, FullMetrics());
  ASSERT_TRUE(listener.ok()) << listener.status();
  const std::string& address = (*listener)->address();
  const std::string answer = Ask(address, "GET /metrics HTTP/1.0\r\nHost: a\r\n\r\n");
  EXPECT_THAT(answer, ::testing::StartsWith("HTTP/1.1 200"));
  EXPECT_THAT(answer, HasSubstr("\r\nContent-Type: text/plain;"));
  EXPECT_THAT(answer, HasSubstr("\n# TYPE mmtune_outcomes_total counter\n"));
  EXPECT_THAT(Ask(address, "GET /etc/passwd HTTP/1.0\r\nHost: a\r\n\r\n"), HasSubstr(" 404 Not Found\r\n"));
  EXPECT_THAT(Ask(address, "\x16\x03\x01 no HTTP\r\n\r\n"), Not(HasSubstr("mmtune_")));
  // Two servers do not share a port.
  EXPECT_TRUE(absl::IsUnavailable(MetricsListener::Start(address, false, FullMetrics()).status()));
}

TEST(MetricsListenerTest, AnswersDespiteSlowClients) {
  auto listener = MetricsListener::Start("127.0.0.1:0", /*anywhere=*/false, FullMetrics());
  ASSERT_TRUE(listener.ok()) << listener.status();
  std::vector<std::unique_ptr<Descriptor>> slow;
  for (int i = 0; i < 8; ++i) slow.push_back(Send((*listener)->address(), "GET /metr"));
  EXPECT_THAT(Ask((*listener)->address(), "GET /metrics HTTP/1.0\r\nHost: a\r\n\r\n"), HasSubstr(" 200 OK\r\n"));
  char byte;
  EXPECT_EQ(recv(slow.back()->get(), &byte, 1, MSG_DONTWAIT), -1) << "it was not waited for until it was hung up on";
  EXPECT_EQ(errno, EAGAIN);
}

TEST(MetricsListenerTest, RefusesOtherInterfacesUnlessAllowed) {
  for (const char* address : {"0.0.0.0:0", "192.0.2.1:9464", "[::]:0"}) {
    const absl::Status refused = MetricsListener::Start(address, /*anywhere=*/false, FullMetrics()).status();
    EXPECT_TRUE(absl::IsInvalidArgument(refused)) << address;
    EXPECT_THAT(refused.message(), HasSubstr("--metrics-anywhere"));
  }
  EXPECT_TRUE(MetricsListener::Start("0.0.0.0:0", /*anywhere=*/true, FullMetrics()).ok());
  for (const char* address : {"", "9464", "unix:/run/metrics", "localhost", "host.example.org:1", "127.0.0.1:70000"}) {
    EXPECT_TRUE(absl::IsInvalidArgument(MetricsListener::Start(address, false, FullMetrics()).status())) << address;
  }
}

}  // namespace
}  // namespace mmtune
