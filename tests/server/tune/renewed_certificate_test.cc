// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A client that runs for longer than the certificate that it connected with.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "proto/tls/authority.h"
#include "server/rpc/server.h"
#include "server/tune/session/console.h"
#include "server/tune/session/tuning_client.h"
#include "tests/temp_folder.h"

namespace mmtune {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr seconds kShort{10};

class RenewedCertificateTest : public testing::Test {
 protected:
  RenewedCertificateTest() {
    EXPECT_TRUE(CreateAuthority(folder_.File("ca"), "authority", 3600).ok());
    Issue({std::nullopt, "server", {"127.0.0.1"}, 3600});
    ServerOptions options;
    options.listen = "127.0.0.1:0";
    options.log_path = folder_.File("tuning.db");
    options.tls = Files("server");
    absl::StatusOr<std::unique_ptr<Server>> server = Server::Start(options);
    EXPECT_TRUE(server.ok()) << server.status();
    server_ = *std::move(server);
  }

  TlsFiles Files(const std::string& name) const {
    return {folder_.File("ca/ca.crt"), folder_.File(name + ".crt"), folder_.File(name + ".key")};
  }
  void Issue(const CertificateRequest& request) {
    const auto issued = IssueCertificate(folder_.File("ca"), request, folder_.path(), /*force=*/true);
    EXPECT_TRUE(issued.ok()) << issued.status();
  }
  void IssueToAlice(int64_t valid) { Issue({Identity{Role::kClient, "alice"}, "alice", {}, valid}); }
  /// Until the server no longer takes the certificate that `client` connected with; whatever is in the files by then.
  void AwaitExpiry() { std::this_thread::sleep_for(kShort + milliseconds(1100)); }

  TempFolder folder_;
  std::unique_ptr<Server> server_;
};

TEST_F(RenewedCertificateTest, CallsGoOnWithIt) {
  IssueToAlice(kShort.count());
  TuningClient client({server_->address(), Files("alice")}, seconds(5));
  const absl::StatusOr<v1::ServerInfo> before = client.Info();
  ASSERT_TRUE(before.ok()) << before.status();
  AwaitExpiry();
  EXPECT_EQ(ExitCodeOf(client.Info().status()), ExitCode::kCertificate) << "it was not renewed";
  IssueToAlice(3600);
  const absl::StatusOr<v1::ServerInfo> after = client.Info();
  EXPECT_TRUE(after.ok()) << after.status();
}

TEST_F(RenewedCertificateTest, EventsGoOnWithIt) {
  IssueToAlice(kShort.count());
  TuningClient client({server_->address(), Files("alice")}, seconds(5));
  v1::JobSpec spec;
  spec.mutable_problem()->set_m(64);
  spec.mutable_problem()->set_n(64);
  spec.mutable_problem()->set_k(64);
  spec.mutable_problem()->set_dtype("f32");
  spec.set_strategy("random");
  spec.set_trials(1);
  const absl::StatusOr<std::string> job = client.Submit(spec);
  ASSERT_TRUE(job.ok()) << job.status();
  // Each read is a call of its own: the later ones come after the expiry.
  EventStream stream(client, *job, seconds(10), milliseconds(500));
  IssueToAlice(3600);
  AwaitExpiry();
  EXPECT_FALSE(stream.ended()) << stream.status();
  ASSERT_TRUE(client.Cancel(*job).ok());
  std::optional<v1::JobEvent> event;
  for (int i = 0; i < 100 && !stream.ended(); ++i) {
    if (std::optional<v1::JobEvent> next = stream.Next(milliseconds(200))) event = std::move(next);
  }
  EXPECT_TRUE(stream.status().ok()) << stream.status();
  ASSERT_TRUE(event.has_value());
  EXPECT_EQ(event->state(), v1::JOB_STATE_CANCELLED);
}

}  // namespace
}  // namespace mmtune
