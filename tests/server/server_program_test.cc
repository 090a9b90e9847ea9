// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mmtune-server as people run it: flags, exit codes, one line for every error, signals.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <thread>
#include <vector>

#include "proto/base/subprocess.h"
#include "tests/temp_folder.h"

namespace mmtune {
namespace {

using testing::HasSubstr;

struct Ended {
  ExitStatus exit;
  std::string output;
};

class ServerProgramTest : public testing::Test {
 protected:
  void TearDown() override {
    for (const auto& [name, fd] : pipes_) close(fd);
  }

  std::string Path(const std::string& name) const { return folder_.File(name); }

  Subprocess Spawn(std::vector<std::string> arguments, const std::string& output) {
    SubprocessOptions options;
    options.argv = {MMTUNE_SERVER};
    options.argv.insert(options.argv.end(), arguments.begin(), arguments.end());
    options.output_path = Path(output);
    absl::StatusOr<Subprocess> process = Subprocess::Spawn(options);
    EXPECT_TRUE(process.ok()) << process.status();
    return *std::move(process);
  }
  std::string Output(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(Path(name)).rdbuf();
    return text.str();
  }
  Ended Run(std::vector<std::string> arguments) {
    const std::string name = "out" + std::to_string(++runs_);
    Subprocess process = Spawn(std::move(arguments), name);
    std::optional<ExitStatus> exit = process.Wait(std::chrono::seconds(30));
    EXPECT_TRUE(exit) << "hangs";
    return {exit.value_or(ExitStatus()), Output(name)};
  }
  /// Reads what a program writes to the pipe `name` until it holds `text`.
  bool Prints(const std::string& name, const std::string& text) {
    std::string seen;
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (seen.find(text) == std::string::npos) {
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
      pollfd ready{pipes_.at(name), POLLIN, 0};
      if (left.count() <= 0 || poll(&ready, 1, static_cast<int>(left.count())) <= 0) return false;
      char bytes[4096];
      const ssize_t n = read(ready.fd, bytes, sizeof(bytes));
      if (n <= 0) return false;
      seen.append(bytes, static_cast<size_t>(n));
    }
    return true;
  }
  /// Like Spawn, with the output in a pipe for Prints.
  Subprocess SpawnServer(const std::vector<std::string>& arguments, const std::string& name) {
    EXPECT_EQ(mkfifo(Path(name).c_str(), 0600), 0);
    // Open for both, so that it neither blocks nor ends before the program has opened its side.
    pipes_[name] = open(Path(name).c_str(), O_RDWR | O_CLOEXEC);
    return Spawn(arguments, name);
  }
  static int Lines(const std::string& text) { return static_cast<int>(std::count(text.begin(), text.end(), '\n')); }

  TempFolder folder_;
  int runs_ = 0;
  std::map<std::string, int> pipes_;
};

TEST_F(ServerProgramTest, HelpNamesEveryFlagAndExitCode) {
  Ended ended = Run({"--help"});
  EXPECT_EQ(ended.exit.code, 0);
  for (const char* text :
       {"--listen", "--log", "--verbose", "--tls-ca", "--insecure-loopback", "127.0.0.1:7077", "Exit codes"}) {
    EXPECT_THAT(ended.output, HasSubstr(text));
  }
}

TEST_F(ServerProgramTest, UnwritableHelpIsAnError) {
  SubprocessOptions options;
  options.argv = {"/bin/sh", "-c", "\"$0\" --help >/dev/full", MMTUNE_SERVER};
  options.output_path = Path("said");
  absl::StatusOr<Subprocess> process = Subprocess::Spawn(options);
  ASSERT_TRUE(process.ok()) << process.status();
  std::optional<ExitStatus> exit = process->Wait(std::chrono::seconds(30));
  ASSERT_TRUE(exit);
  EXPECT_EQ(exit->code, 1);
  EXPECT_EQ(Output("said"), "mmtune-server: cannot write standard output: No space left on device\n");
}

TEST_F(ServerProgramTest, UsageErrorsExitWithTwo) {
  const std::string log = Path("a.log");
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {},
           {"--log"},
           {"--log", ""},
           {"--log", log, "--listen", ""},
           {"--log", log, "--nonsense"},
           {"--log", log, "--listen", "unix:" + Path("s"), "--lease-seconds", "14"},
           {"--log", log, "--listen", "0.0.0.0:7077"},
           {"--log", log, "--listen", "0.0.0.0:7077", "--insecure-loopback"},
           {"--log", log, "--listen", "127.0.0.1:0"},
           {"--log", log, "--listen", "127.0.0.1:0", "--tls-ca", log},
           {"--log", log, "--listen", "unix:" + Path("s"), "--tls-revoked", log},
           {"--log", log, "--listen", "unix:" + Path("s"), "--tls-ca", log, "--tls-cert", log, "--tls-key", log},
           {"--log", log, "--listen", "nowhere"}}) {
    Ended ended = Run(arguments);
    EXPECT_EQ(ended.exit.code, 2) << ended.output;
    EXPECT_EQ(Lines(ended.output), 1) << ended.output;
  }
  EXPECT_FALSE(std::filesystem::exists(log));
}

TEST_F(ServerProgramTest, LogErrorsExitWithThreeInOneLine) {
  std::ofstream(Path("foreign")) << std::string(5000, 'x');
  for (const std::string& log : {Path("foreign"), Path("no/such/folder/a.log"), folder_.path()}) {
    Ended ended = Run({"--log", log, "--listen", "127.0.0.1:0", "--insecure-loopback"});
    EXPECT_EQ(ended.exit.code, 3) << ended.output;
    EXPECT_EQ(Lines(ended.output), 1) << ended.output;
    EXPECT_THAT(ended.output, HasSubstr(folder_.path()));
  }
}

TEST_F(ServerProgramTest, PrintsItsAddressAndStopsOnSigterm) {
  Subprocess server = SpawnServer({"--log", Path("a.log"), "--listen", "unix:" + Path("s")}, "server");
  ASSERT_TRUE(Prints("server", "listening on unix:" + Path("s") + ", log " + Path("a.log") + "\n"));
  // A second one on the same log names the owner; one on the same socket says it is taken.
  Ended second = Run({"--log", Path("a.log"), "--listen", "127.0.0.1:0", "--insecure-loopback"});
  EXPECT_EQ(second.exit.code, 3);
  EXPECT_THAT(second.output, HasSubstr("unix:" + Path("s")));
  EXPECT_EQ(Lines(second.output), 1) << second.output;
  Ended third = Run({"--log", Path("b.log"), "--listen", "unix:" + Path("s")});
  EXPECT_EQ(third.exit.code, 4);
  EXPECT_EQ(Lines(third.output), 1) << third.output;

  server.Signal(SIGTERM);
  std::optional<ExitStatus> exit = server.Wait(std::chrono::seconds(30));
  ASSERT_TRUE(exit);
  EXPECT_EQ(exit->code, 0) << exit->Text();
  EXPECT_FALSE(std::filesystem::exists(Path("s")));
}

TEST_F(ServerProgramTest, StartsAgainAfterSigkill) {
  const std::vector<std::string> arguments = {"--log", Path("a.log"), "--listen", "unix:" + Path("s")};
  {
    Subprocess server = SpawnServer(arguments, "first");
    ASSERT_TRUE(Prints("first", "listening"));
    server.Signal(SIGKILL);
    ASSERT_TRUE(server.Wait(std::chrono::seconds(30)));
  }
  // The socket file is still there, and nobody answers on it.
  EXPECT_TRUE(std::filesystem::exists(Path("s")));
  const auto start = std::chrono::steady_clock::now();
  Subprocess server = SpawnServer(arguments, "second");
  EXPECT_TRUE(Prints("second", "listening"));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
  server.Signal(SIGINT);
  std::optional<ExitStatus> exit = server.Wait(std::chrono::seconds(30));
  ASSERT_TRUE(exit);
  EXPECT_EQ(exit->code, 0);
}

TEST_F(ServerProgramTest, EndsWhenItCannotAcceptConnections) {
  Subprocess server = SpawnServer({"--log", Path("a.log"), "--listen", "unix:" + Path("s")}, "server");
  ASSERT_TRUE(Prints("server", "listening on"));
  const rlimit none_left = {0, 0};
  ASSERT_EQ(prlimit(server.pid(), RLIMIT_NOFILE, &none_left, nullptr), 0);
  sockaddr_un address = {AF_UNIX, {}};
  const std::string path = Path("s");
  ASSERT_LT(path.size(), sizeof address.sun_path);
  path.copy(address.sun_path, path.size());
  const int caller = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  EXPECT_EQ(connect(caller, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  EXPECT_TRUE(Prints("server", "cannot_accept"));
  std::optional<ExitStatus> exit = server.Wait(std::chrono::seconds(30));
  close(caller);
  ASSERT_TRUE(exit) << "it lives on, deaf";
  EXPECT_EQ(exit->code, 1);
}

TEST_F(ServerProgramTest, EndsWhenItsLogIsReplaced) {
  const std::string log = Path("a.log");
  for (const bool replaced : {true, false}) {
    const std::string name = replaced ? "replaced" : "deleted";
    Subprocess server = SpawnServer({"--log", log, "--listen", "unix:" + Path("s")}, name);
    ASSERT_TRUE(Prints(name, "listening on"));
    if (replaced) {
      std::filesystem::copy_file(log, Path("backup"));
      std::filesystem::rename(Path("backup"), log);
    } else {
      std::filesystem::remove(log);
    }
    EXPECT_TRUE(Prints(name, "mmtune-server: the write of the tuning log failed, nothing was changed: " + log +
                                 (replaced ? " was replaced" : " was deleted")));
    std::optional<ExitStatus> exit = server.Wait(std::chrono::seconds(10));
    ASSERT_TRUE(exit) << "it lives on";
    EXPECT_EQ(exit->code, 3);
    EXPECT_FALSE(std::filesystem::exists(Path("s")));
  }
}

TEST_F(ServerProgramTest, OnlyOneServerTakesAStaleSocket) {
  for (int round = 0; round < 5; ++round) {
    const std::string socket = Path("s" + std::to_string(round));
    {
      const std::string dead = "dead" + std::to_string(round);
      Subprocess server = SpawnServer({"--log", Path("dead.log"), "--listen", "unix:" + socket}, dead);
      ASSERT_TRUE(Prints(dead, "listening on"));
      server.Kill();
    }
    ASSERT_TRUE(std::filesystem::exists(socket));
    std::vector<Subprocess> servers;
    for (const char* name : {"a", "b"}) {
      servers.push_back(Spawn({"--log", Path(std::string(name) + ".log"), "--listen", "unix:" + socket},
                              name + std::to_string(round)));
    }
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (servers[0].running() && servers[1].running() && std::chrono::steady_clock::now() < end) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    const bool first_serves = servers[0].running();
    ASSERT_NE(first_serves, servers[1].running()) << "both live";
    EXPECT_EQ(servers[first_serves ? 1 : 0].Wait(std::chrono::seconds(1))->code, 4);
    Subprocess& serves = servers[first_serves ? 0 : 1];
    const std::string said = (first_serves ? "a" : "b") + std::to_string(round);
    while (Output(said).find("listening on") == std::string::npos && std::chrono::steady_clock::now() < end) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    EXPECT_TRUE(std::filesystem::exists(socket)) << "the other one removed it";
    serves.Signal(SIGTERM);
    ASSERT_TRUE(serves.Wait(std::chrono::seconds(30)));
    EXPECT_FALSE(std::filesystem::exists(socket));
    EXPECT_FALSE(std::filesystem::exists(socket + ".lock"));
  }
}

TEST_F(ServerProgramTest, KeepsAFileThatIsNotASocket) {
  std::ofstream(Path("s")) << "precious";
  Ended ended = Run({"--log", Path("a.log"), "--listen", "unix:" + Path("s")});
  EXPECT_EQ(ended.exit.code, 4);
  EXPECT_EQ(Output("s"), "precious");
}

}  // namespace
}  // namespace mmtune
