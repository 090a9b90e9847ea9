// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/commands/fleet_commands.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>

#include "nlohmann/json.hpp"

namespace mmtune {
namespace {

v1::ServerInfo BusyServer() {
  v1::ServerInfo info;
  info.set_version("0.1.0");
  v1::Job* job = info.add_jobs();
  job->set_uuid("0123456789abcdef");
  job->set_state(v1::JOB_STATE_RUNNING);
  v1::MatmulProblem* problem = job->mutable_spec()->mutable_problem();
  problem->set_m(1024);
  problem->set_n(1024);
  problem->set_k(1024);
  problem->set_batch(1);
  problem->set_dtype("f32");
  job->mutable_device()->set_name("simt-cpu (a processor with a long name, 2 threads)");
  v1::WorkerStatus* worker = info.add_workers();
  worker->set_worker_id("a-host-with-a-long-name.example.org-12345-67890");
  worker->set_host("a-host-with-a-long-name.example.org");
  worker->set_live(true);
  v1::LeaseStatus* lease = info.add_leases();
  lease->set_job_uuid(job->uuid());
  lease->set_worker_id(worker->worker_id());
  lease->set_schedule("direct bx=16 by=16 tm=1 tn=2");
  return info;
}

TEST(ServerInfoTextTest, TablesFitANarrowTerminal) {
  for (const size_t width : {40, 60, 80, 120}) {
    std::istringstream text(ServerInfoText(BusyServer(), 0, {.width = width}));
    std::string line;
    std::getline(text, line);  // the server's own is text, and wraps as text does
    while (std::getline(text, line)) EXPECT_LE(line.size(), width) << line;
  }
  const std::string all = ServerInfoText(BusyServer(), 0);
  for (const char* word : {"1024x1024x1024", "long name, 2 threads", "example.org-12345-67890"}) {
    EXPECT_NE(all.find(word), std::string::npos) << word;
  }
}

TEST(ServerInfoTextTest, WhatAJobIsOutlivesHowFarItIs) {
  size_t without_planned = 0;
  bool fits = false;  // A narrower column may be shown where the problem does not fit.
  for (size_t width = 20; width < 120; ++width) {
    const std::string text = ServerInfoText(BusyServer(), 0, {.width = width});
    // The heading of a column, not the line that names those left out.
    const bool problem = text.find("  problem") != std::string::npos,
               planned = text.find("  planned") != std::string::npos;
    EXPECT_TRUE(problem || !fits) << "at " << width;
    fits |= problem;
    without_planned += problem && !planned;
  }
  EXPECT_GT(without_planned, 0) << "there is a width at which only the problem is left";
}

TEST(ServerInfoTextTest, ALeaseNamesTheTilesOfItsScheduleAtAnyWidth) {
  v1::ServerInfo info = BusyServer();
  EXPECT_NE(ServerInfoText(info, 0).find("direct, block tile 16x32, thread tile 1x2\n"), std::string::npos);
  for (const size_t width : {60, 80, 100}) {
    EXPECT_NE(ServerInfoText(info, 0, {.width = width}).find("direct, block tile"), std::string::npos) << width;
  }
  info.clear_jobs();  // Without the problem, the tiles are not known.
  EXPECT_NE(ServerInfoText(info, 0).find("direct bx=16 by=16 tm=1 tn=2"), std::string::npos);
}

TEST(ServerInfoTextTest, WhereThereIsNoRoomAJobIsItsNameStateAndCount) {
  std::istringstream text(ServerInfoText(BusyServer(), 0, {.width = 24}));
  std::string line;
  while (std::getline(text, line) && !line.starts_with("job ")) {
  }
  EXPECT_EQ(line, "job       state    done");
}

TEST(ServerInfoTextTest, SaysHowLongCertificatesAreValid) {
  v1::ServerInfo info = BusyServer();
  EXPECT_EQ(ServerInfoText(info, 0).find("certificate of"), std::string::npos);
  info.set_certificate_seconds_left(89.5 * 86400);
  info.mutable_workers(0)->set_certificate_seconds_left(-1);
  const std::string text = ServerInfoText(info, 0);
  EXPECT_NE(text.find("certificate of the server: 89 d\n"), std::string::npos) << text;
  EXPECT_NE(text.find("expired"), std::string::npos) << text;
}

TEST(ServerInfoTextTest, ARunningJobSaysWhatItWaitsFor) {
  v1::ServerInfo info = BusyServer();
  info.mutable_jobs(0)->set_message("no worker with simt-cpu is connected that gets leases (w is cordoned)");
  EXPECT_NE(ServerInfoText(info, 0).find("that gets leases (w is cordoned)"), std::string::npos);
  info.mutable_jobs(0)->set_state(v1::JOB_STATE_DONE);
  EXPECT_EQ(ServerInfoText(info, 0).find("that gets leases"), std::string::npos);
}

TEST(ServerInfoTextTest, ShowsLabelsAndHoldsWhereThereAreSome) {
  v1::ServerInfo info = BusyServer();
  EXPECT_EQ(ServerInfoText(info, 0).find("labels"), std::string::npos);
  (*info.mutable_workers(0)->mutable_labels())["rack"] = "7";
  info.mutable_workers(0)->set_live(false);
  const std::pair<v1::WorkerHold, const char*> holds[] = {{v1::WORKER_HOLD_CORDONED, "cordoned"},
                                                          {v1::WORKER_HOLD_DRAINED, "drained"},
                                                          {v1::WORKER_HOLD_QUARANTINED, "quarantined"},
                                                          {static_cast<v1::WorkerHold>(99), "unknown"}};
  for (const auto& [hold, name] : holds) {
    info.mutable_workers(0)->set_hold(hold);
    info.mutable_workers(0)->set_hold_reason("by alice");
    const std::string text = ServerInfoText(info, 0);
    for (const char* word : {name, "rack=7", "by alice"}) EXPECT_NE(text.find(word), std::string::npos) << word;
    const auto json = nlohmann::json::parse(ServerInfoJson(info, "workers").value());
    EXPECT_EQ(json["workers"][0]["hold"], name);
    EXPECT_EQ(json["workers"][0]["labels"]["rack"], "7");
    EXPECT_EQ(json.size(), 1u);
  }
}

TEST(ServerInfoTextTest, SaysWhyARenewedCertificateIsNotUsed) {
  v1::ServerInfo info = BusyServer();
  info.set_certificate_seconds_left(89.5 * 86400);
  EXPECT_EQ(ServerInfoText(info, 0).find("cannot be used"), std::string::npos);
  info.set_certificate_trouble("it expired");
  EXPECT_NE(ServerInfoText(info, 0).find("89 d\nits renewed certificate cannot be used: it expired\n"),
            std::string::npos);
}

TEST(ServerInfoTextTest, AJobHasItsTrace) {
  v1::ServerInfo info = BusyServer();
  info.mutable_jobs(0)->mutable_spec()->set_trace_id("0af7651916cd43dd8448eb211c80319c");
  EXPECT_NE(ServerInfoText(info, 0).find("  0af7651916cd43dd8448eb211c80319c\n"), std::string::npos);
}

TEST(ServerInfoJsonTest, NamesStatesAsTheTableDoes) {
  v1::ServerInfo info = BusyServer();
  *info.add_jobs() = info.jobs(0);
  info.mutable_jobs(1)->set_state(v1::JOB_STATE_INTERRUPTED);
  *info.add_jobs() = info.jobs(0);
  info.mutable_jobs(2)->set_state(static_cast<v1::JobState>(99));  // a newer server's
  const auto json = nlohmann::json::parse(ServerInfoJson(info).value());
  EXPECT_EQ(json["jobs"][0]["state"], "running");
  EXPECT_EQ(json["jobs"][1]["state"], "interrupted");
  EXPECT_EQ(json["jobs"][2]["state"], "unknown");
  EXPECT_EQ(json["jobs"][0]["spec"]["problem"]["m"], "1024");
  EXPECT_EQ(json["leases"][0]["ttl_seconds"], 0.0) << "zeros are said, too";
  const std::string table = ServerInfoText(info, 0);
  for (const char* state : {"running", "interrupted", "unknown"}) EXPECT_NE(table.find(state), std::string::npos);
}

}  // namespace
}  // namespace mmtune
