// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Trust domains: several ids of one certificate on one host are one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "proto/wire/convert.h"
#include "server/coordinator/result_validator.h"
#include "tests/server/coordinator_work.h"

namespace mmtune {
namespace {

/// Workers with certificates: their ids begin with the name in it, and they dial from a host.
class TrustDomainsTest : public CoordinatorWorkTest {
 protected:
  void Add(const std::string& worker, const std::string& host) {
    v1::RegisterRequest request;
    request.set_worker_id(worker);
    request.set_protocol(kProtocol);
    *request.add_devices()->mutable_device() = ToWire(CudaDevice());
    const auto registered =
        h_.Call([&](Coordinator& coordinator) { return coordinator.Register(request, "ipv4:" + host); });
    ASSERT_TRUE(registered.ok()) << registered.status();
  }
  /// Returns the state of "faulty/1" after `first` contradicts one candidate with a result of it, and `second` another.
  v1::WorkerHold HoldAfter(const std::string& first, const std::string& second) {
    h_.Submit(FreeJob(12)).value();
    ReportCuda("good/1", h_.LeaseOne("good/1"), 9000).value();
    EXPECT_TRUE(h_.Hold("good/1", v1::WORKER_HOLD_CORDONED).ok());
    ContradictLiar(first, second);
    ContradictLiar(second, first);
    return Status("faulty/1").hold();
  }
  /// While `away` asks for nothing.
  void ContradictLiar(const std::string& worker, const std::string& away) {
    EXPECT_TRUE(h_.Hold(away, v1::WORKER_HOLD_CORDONED).ok());
    const v1::Lease disputed = h_.LeaseOne("faulty/1");
    EXPECT_FALSE(ReportCuda("faulty/1", disputed, 2900)->canonical());
    const v1::Lease again = h_.LeaseOne(worker);
    EXPECT_EQ(again.candidate_id(), disputed.candidate_id());
    EXPECT_TRUE(ReportCuda(worker, again, 8800)->canonical());
    EXPECT_TRUE(h_.Hold(away, v1::WORKER_HOLD_NONE).ok());
  }
  Outcome LastOutcome() { return h_.storage().records.rbegin()->second.record.measurement.outcome; }
};

TEST_F(TrustDomainsTest, TwoIdsOfOneCertificateOnOneHostCountOnce) {
  Add("good/1", "10.0.0.1");
  Add("faulty/1", "10.0.0.2");
  Add("one/1", "10.0.0.3");
  Add("one/2", "10.0.0.3");
  EXPECT_EQ(HoldAfter("one/1", "one/2"), v1::WORKER_HOLD_NONE);
}

TEST_F(TrustDomainsTest, TwoCertificatesCountTwice) {
  Add("good/1", "10.0.0.1");
  Add("faulty/1", "10.0.0.2");
  Add("one/1", "10.0.0.3");
  Add("two/1", "10.0.0.3");
  EXPECT_EQ(HoldAfter("one/1", "two/1"), v1::WORKER_HOLD_QUARANTINED);
}

TEST_F(TrustDomainsTest, OneCertificateOnTwoHostsCountsTwice) {
  Add("good/1", "10.0.0.1");
  Add("faulty/1", "10.0.0.2");
  Add("pool/1", "10.0.0.3");
  Add("pool/2", "10.0.0.4");
  EXPECT_EQ(HoldAfter("pool/1", "pool/2"), v1::WORKER_HOLD_QUARANTINED);
}

TEST_F(TrustDomainsTest, WorkerWhoseAddressChangesCountsOnce) {
  Add("good/1", "10.0.0.1");
  Add("faulty/1", "10.0.0.2");
  Add("one/1", "10.0.0.3");
  Add("away/1", "10.0.0.5");
  h_.Submit(FreeJob(12)).value();
  ReportCuda("good/1", h_.LeaseOne("good/1"), 9000).value();
  ASSERT_TRUE(h_.Hold("good/1", v1::WORKER_HOLD_CORDONED).ok());
  ContradictLiar("one/1", "away/1");
  Add("one/1", "10.0.0.4");
  ContradictLiar("one/1", "away/1");
  EXPECT_EQ(Status("faulty/1").hold(), v1::WORKER_HOLD_NONE);
  h_.Restart();
  for (const auto& [worker, host] :
       {std::pair("good/1", "10.0.0.1"), {"faulty/1", "10.0.0.2"}, {"away/1", "10.0.0.5"}}) {
    Add(worker, host);
  }
  ReportCuda("good/1", h_.LeaseOne("good/1"), 9000).value();
  ASSERT_TRUE(h_.Hold("good/1", v1::WORKER_HOLD_CORDONED).ok());
  Add("one/1", "10.0.0.4");
  ContradictLiar("one/1", "away/1");
  EXPECT_EQ(Status("faulty/1").hold(), v1::WORKER_HOLD_NONE) << "nor after a restart";
  ContradictLiar("away/1", "one/1");
  EXPECT_EQ(Status("faulty/1").hold(), v1::WORKER_HOLD_QUARANTINED) << "the first that is another";
}

TEST_F(TrustDomainsTest, IdsOfOneCertificateDoNotCheckEachOther) {
  Add("good/1", "10.0.0.1");
  Add("faulty/1", "10.0.0.2");
  Add("faulty/2", "10.0.0.2");
  h_.Submit(FreeJob(6)).value();
  ReportCuda("good/1", h_.LeaseOne("good/1"), 9000).value();
  const v1::Lease disputed = h_.LeaseOne("faulty/1");
  EXPECT_FALSE(ReportCuda("faulty/1", disputed, 2900)->canonical());
  EXPECT_NE(h_.LeaseOne("faulty/2").candidate_id(), disputed.candidate_id()) << "another trust domain is asked";
  const v1::Lease again = h_.LeaseOne("good/1");
  ASSERT_EQ(again.candidate_id(), disputed.candidate_id());
  EXPECT_TRUE(ReportCuda("good/1", again, 8900)->canonical());
  EXPECT_EQ(LastOutcome(), Outcome::kOk);
}

TEST_F(TrustDomainsTest, FailedCandidateMayGoToItsTrustDomain) {
  Add("a/1", "10.0.0.1");
  Add("a/2", "10.0.0.1");
  h_.Submit(FreeJob(6)).value();
  const v1::Lease failed = h_.LeaseOne("a/1");
  v1::CandidateReport report;
  report.set_token(failed.token());
  report.set_infrastructure_error("disk full");
  ASSERT_TRUE(h_.Report("a/1", report).ok());
  EXPECT_NE(h_.LeaseOne("a/1").candidate_id(), failed.candidate_id());
  EXPECT_EQ(h_.LeaseOne("a/2").candidate_id(), failed.candidate_id());
}

TEST_F(TrustDomainsTest, OnlyTrustDomainIsBelieved) {
  Add("a/1", "10.0.0.1");
  Add("a/2", "10.0.0.1");
  h_.Submit(FreeJob(6)).value();
  EXPECT_TRUE(ReportCuda("a/1", h_.LeaseOne("a/1"), 9000)->canonical());
  EXPECT_TRUE(ReportCuda("a/2", h_.LeaseOne("a/2"), 2900)->canonical());
  EXPECT_EQ(LastOutcome(), Outcome::kOk);
}

TEST_F(TrustDomainsTest, ConfirmedImprovementCounts) {
  for (const char* worker : {"a/1", "a/2", "a/3"}) Add(worker, "10.0.0.1");
  Add("b/1", "10.0.0.2");
  h_.Submit(FreeJob(8)).value();
  for (const char* worker : {"a/1", "a/2", "a/3", "b/1"}) {
    EXPECT_TRUE(ReportCuda(worker, h_.LeaseOne(worker), 9000)->canonical());
  }
  const v1::Lease found = h_.LeaseOne("a/1");
  EXPECT_FALSE(ReportCuda("a/1", found, 2900)->canonical());
  EXPECT_EQ(LastOutcome(), Outcome::kSuspect);
  for (const char* worker : {"a/1", "a/2", "a/3"}) {
    EXPECT_NE(h_.LeaseOne(worker).candidate_id(), found.candidate_id()) << worker;
  }
  const v1::Lease again = h_.LeaseOne("b/1");
  ASSERT_EQ(again.candidate_id(), found.candidate_id());
  EXPECT_TRUE(ReportCuda("b/1", again, 2950)->canonical());
  EXPECT_EQ(LastOutcome(), Outcome::kOk);
}

TEST_F(TrustDomainsTest, UnregisteredWorkerDoesNotCheckItsTrustDomain) {
  Add("a/1", "10.0.0.1");
  h_.Submit(FreeJob(6)).value();
  EXPECT_TRUE(ReportCuda("a/1", h_.LeaseOne("a/1"), 9000)->canonical());
  const v1::Lease held = h_.LeaseOne("a/1");
  h_.Restart();
  Add("a/2", "10.0.0.1");
  Add("b/1", "10.0.0.2");
  EXPECT_TRUE(ReportCuda("a/2", h_.LeaseOne("a/2"), 9000)->canonical());
  EXPECT_TRUE(ReportCuda("a/1", held, 2900)->canonical()) << "no other trust domain has found anything";
}

TEST(TrustDomainNames, PossiblyEqualDomainsCountOnce) {
  EXPECT_EQ(CountTrustDomains({}), 0u);
  EXPECT_EQ(CountTrustDomains({"a at h", "a at h", "b at h", "a at g"}), 3u);
  EXPECT_EQ(CountTrustDomains({"a at ", "a at h", "a at g"}), 2u);
  EXPECT_EQ(CountTrustDomains({"a at h", "a at "}), 1u);
  EXPECT_EQ(CountTrustDomains({"a at ", "b at "}), 2u);
  EXPECT_FALSE(SameTrustDomain("a at ", "ab at h"));
  EXPECT_FALSE(SameTrustDomain("a", "a at h"));
}

TEST(TrustDomainNames, FaultReporterIsParsedAsWritten) {
  EXPECT_EQ(FaultReporterText({"w", "w"}), "w");
  for (const char* host : {"10.0.0.1", "::1", ""}) {
    const FaultReporter read =
        ParseFaultReporter(FaultReporterText({"gpu-a/x at y", TrustDomainName("gpu-a/x at y", host)}));
    EXPECT_EQ(read.worker, "gpu-a/x at y");
    EXPECT_EQ(read.trust_domain, absl::StrCat("gpu-a at ", host));
  }
  for (const char* whole : {"w", "gpu-a at 10.0.0.1", "w at the top"}) {
    EXPECT_EQ(ParseFaultReporter(whole).worker, whole);
    EXPECT_EQ(ParseFaultReporter(whole).trust_domain, whole);
  }
}

}  // namespace
}  // namespace mmtune
