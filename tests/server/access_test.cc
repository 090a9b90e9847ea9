// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who may call what, and whose certificate no longer counts.
#include <gmock/gmock.h>
#include <google/protobuf/descriptor.h>
#include <gtest/gtest.h>

#include <fstream>

#include "mmtune/v1/fleet.pb.h"
#include "mmtune/v1/tuning.pb.h"
#include "mmtune/v1/work_queue.pb.h"
#include "proto/base/folders.h"
#include "proto/tls/certificate.h"
#include "server/security/peer_gate.h"
#include "server/security/watched_files.h"
#include "tests/fake_clock.h"

namespace mmtune {
namespace {

using testing::HasSubstr;

bool May(Role role, const std::string& path) { return CheckAccess(role, path).ok(); }

TEST(AccessRulesTest, EachMethodIsAllowedForItsRolesOnly) {
  for (const auto* service : {v1::SubmitJobRequest::descriptor()->file()->FindServiceByName("Tuning"),
                              v1::LeaseRequest::descriptor()->file()->FindServiceByName("WorkQueue")}) {
    const bool of_workers = service->name() == "WorkQueue";
    for (int i = 0; i < service->method_count(); ++i) {
      const std::string path = "/" + service->full_name() + "/" + service->method(i)->name();
      EXPECT_EQ(May(Role::kWorker, path), of_workers) << path;
      EXPECT_EQ(May(Role::kClient, path), !of_workers) << path;
      EXPECT_EQ(May(Role::kAdmin, path), !of_workers) << path;
    }
  }
}

TEST(AccessRulesTest, OnlyAdminsMayHoldWorkers) {
  const auto* fleet = v1::HoldWorkerRequest::descriptor()->file()->FindServiceByName("Fleet");
  ASSERT_GT(fleet->method_count(), 0);
  for (int i = 0; i < fleet->method_count(); ++i) {
    const std::string path = "/" + fleet->full_name() + "/" + fleet->method(i)->name();
    EXPECT_TRUE(May(Role::kAdmin, path)) << path;
    EXPECT_FALSE(May(Role::kClient, path)) << path;
    EXPECT_FALSE(May(Role::kWorker, path)) << path;
  }
}

TEST(AccessRulesTest, MethodsOutsideTheTableAreForbidden) {
  for (const char* path : {"", "/", "/mmtune.v1.Tuning", "/mmtune.v1.Tuning/", "/mmtune.v1.Tuning/GetJob2",
                           "mmtune.v1.Tuning/GetJob", "/grpc.reflection.v1alpha.ServerReflection/Info"}) {
    for (Role role : {Role::kAdmin, Role::kClient, Role::kWorker}) EXPECT_FALSE(May(role, path)) << path;
  }
  EXPECT_TRUE(May(Role::kWorker, "/grpc.health.v1.Health/Check"));
}

TEST(AccessRulesTest, ErrorNamesTheAllowedRoles) {
  const absl::Status refused = CheckAccess(Role::kWorker, "/mmtune.v1.Tuning/SubmitJob");
  EXPECT_TRUE(absl::IsPermissionDenied(refused));
  EXPECT_THAT(std::string(refused.message()), testing::AllOf(HasSubstr("role worker"), HasSubstr("admin or client")));
}

TEST(RevocationListTest, ParsesSerialsAndComments) {
  EXPECT_THAT(*ParseRevoked("# all of them\n3F2a # gpu-a\n\n  07\n"), testing::ElementsAre("3f2a", "7"));
  EXPECT_THAT(std::string(ParseRevoked("3f\ngpu-a\n").status().message()), HasSubstr("line 2"));
}

TEST(RevocationListTest, RereadsTheFileWhenItChanges) {
  const OwnedFolder folder = *OwnedFolder::Temporary("revoked-test-");
  const std::string path = folder.path() + "/revoked";
  FakeClock clock;
  EXPECT_TRUE(absl::IsInvalidArgument(RevocationList::Open(path, clock).status()));
  std::ofstream(path) << "aa\n";
  const std::unique_ptr<RevocationList> list = *RevocationList::Open(path, clock);
  EXPECT_TRUE(list->Contains("0AA"));
  EXPECT_TRUE(list->Contains("aa"));
  EXPECT_FALSE(list->Contains("bb"));
  std::ofstream(path) << "aa\nbb\n";
  clock.Advance(std::chrono::seconds(2));
  EXPECT_TRUE(list->Contains("bb"));
  // A file that is gone or bad takes nobody off the list.
  std::ofstream(path) << "aa, bb, what?\n";
  clock.Advance(std::chrono::seconds(2));
  EXPECT_TRUE(list->Contains("bb"));
  std::remove(path.c_str());
  clock.Advance(std::chrono::seconds(2));
  EXPECT_TRUE(list->Contains("aa"));
  EXPECT_FALSE((*RevocationList::Open("", clock))->Contains("aa"));
}

}  // namespace
}  // namespace mmtune
