// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which command lines are a child's, and what it makes of its requests.
#include "worker/children/child_server.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "proto/base/subprocess.h"
#include "proto/wire/convert.h"

namespace mmtune {
namespace {

std::optional<ChildRole> RoleOf(std::vector<std::string> words) {
  words.insert(words.begin(), "mmtune-worker");
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  return FindChildRole(static_cast<int>(argv.size()), argv.data());
}

TEST(FindChildRoleTest, ReadsWhatTheDaemonWrites) {
  const std::optional<ChildRole> bare = RoleOf({"--child-role", "compile", "--child-fd", "7"});
  ASSERT_TRUE(bare.has_value());
  EXPECT_EQ(bare->role, "compile");
  EXPECT_EQ(bare->fd, 7);
  EXPECT_EQ(bare->device + bare->arch + bare->verifications, "");
  const std::optional<ChildRole> whole =
      RoleOf({"--child-role", "measure", "--child-fd", "3", "--child-device", "cuda:1", "--child-arch", "sm_90",
              "--child-verifications", "/verifications"});
  ASSERT_TRUE(whole.has_value());
  EXPECT_EQ(whole->role, "measure");
  EXPECT_EQ(whole->device, "cuda:1");
  EXPECT_EQ(whole->arch, "sm_90");
  EXPECT_EQ(whole->verifications, "/verifications");
  EXPECT_EQ(whole->log_fd, -1);
}

TEST(FindChildRoleTest, SaysWhereLogLinesGo) {
  const std::optional<ChildRole> role =
      RoleOf({"--child-role", "measure", "--child-fd", "3", "--child-log", "4:1:1", "--child-worker", "w1"});
  ASSERT_TRUE(role.has_value());
  EXPECT_EQ(role->log_fd, 4);
  EXPECT_EQ(role->log_level, LogLevel::kInfo);
  EXPECT_EQ(role->log_style.format, LogFormat::kJson);
  EXPECT_EQ(role->log_style.component, "worker/measure");
  EXPECT_EQ(role->log_style.worker, "w1");
}

TEST(FindChildRoleTest, WhatPeopleWriteIsNoRole) {
  EXPECT_FALSE(RoleOf({}));
  EXPECT_FALSE(RoleOf({"--child-role", "compile", "--child-fd"}));
  for (const char* other : {"--arch", "--server"}) {  // before and after it in the alphabet
    EXPECT_FALSE(RoleOf({other, "compile", "--child-fd", "7"})) << other;
    EXPECT_FALSE(RoleOf({"--child-role", "compile", other, "7"})) << other;
  }
}

/// The requests of a compile child.
struct Asked {
  MatmulProblem problem;
  Schedule schedule;
  CompileTarget target;
  VerificationRequest verification;
};

class AskedCompiler : public Compiler {
 public:
  explicit AskedCompiler(Asked& asked) : asked_(asked) {}
  absl::StatusOr<CompiledKernel> Compile(const MatmulProblem& problem, const Schedule& schedule,
                                         const CompileTarget& target) override {
    asked_.problem = problem;
    asked_.schedule = schedule;
    asked_.target = target;
    return CompiledKernel();
  }

 private:
  Asked& asked_;
};

class AskedVerifier : public Verifier {
 public:
  explicit AskedVerifier(Asked& asked) : asked_(asked) {}
  absl::StatusOr<VerificationReport> Verify(const VerificationRequest& request) override {
    asked_.verification = request;
    return VerificationReport();
  }

 private:
  Asked& asked_;
};

TEST(ServeChildTest, CompilesAndVerifiesWhatItIsAskedFor) {
  const MatmulProblem problem = {16, 24, 32, DataType::kBf16};
  const Schedule schedule{"fma", {{"bm", 64}}};
  DeviceInfo device = *ArchitectureLimits("sm_90");
  device.name = "a device";
  worker::Request compile, verify;
  worker::Subject& subject = *compile.mutable_compile()->mutable_subject();
  *subject.mutable_problem() = ToWire(problem);
  *subject.mutable_schedule() = ToWire(schedule);
  *subject.mutable_device() = ToWire(device);
  compile.mutable_compile()->set_assemble(true);
  *verify.mutable_verify()->mutable_subject() = subject;
  verify.mutable_verify()->set_fuzzing_runs(7);
  verify.mutable_verify()->set_check_full_size_races(true);

  int channel[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, channel), 0);
  for (const worker::Request& request : {compile, verify})
    ASSERT_TRUE(WriteFrame(channel[0], request.SerializeAsString()).ok());
  shutdown(channel[0], SHUT_WR);
  Asked asked;
  ChildParts parts;
  parts.make_compiler = [&asked] { return std::make_unique<AskedCompiler>(asked); };
  parts.make_verifier = [&asked](Compiler*, const std::string&) { return std::make_unique<AskedVerifier>(asked); };
  ChildRole role;
  role.role = "compile";
  role.fd = channel[1];
  EXPECT_EQ(ServeChild(role, parts), 0);

  for (int expected : {worker::Reply::kReady, worker::Reply::kKernel, worker::Reply::kVerification}) {
    worker::Reply reply;
    const absl::StatusOr<std::string> frame = ReadFrame(channel[0], std::chrono::seconds(60));
    ASSERT_TRUE(frame.ok() && reply.ParseFromString(*frame)) << frame.status();
    EXPECT_EQ(reply.reply_case(), expected) << reply.failure().message();
  }
  EXPECT_EQ(asked.problem, problem);
  EXPECT_EQ(asked.schedule, schedule);
  EXPECT_EQ(asked.target.device, device);
  EXPECT_TRUE(asked.target.assemble);
  EXPECT_EQ(asked.verification.problem, problem);
  EXPECT_EQ(asked.verification.schedule, schedule);
  EXPECT_EQ(asked.verification.device, device);
  EXPECT_EQ(asked.verification.fuzzing_runs, 7);
  EXPECT_TRUE(asked.verification.check_full_size_races);
  for (int end : channel) close(end);
}

}  // namespace
}  // namespace mmtune
