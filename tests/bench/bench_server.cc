// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/bench/bench_server.h"

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <thread>

#include "absl/strings/str_cat.h"
#include "proto/tls/authority.h"

namespace mmtune {
namespace {

constexpr int64_t kValidSeconds = 24 * 3600;
constexpr std::chrono::seconds kStartPatience{20};
constexpr char kListening[] = "listening on ";

void Require(const absl::Status& status) {
  if (!status.ok()) FailBench(std::string(status.message()));
}

std::string ReadAll(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

}  // namespace

void FailBench(const std::string& what) {
  std::fprintf(stderr, "%s: %s\n", program_invocation_short_name, what.c_str());
  std::exit(1);
}

BenchServer::BenchServer(const BenchServerOptions& options) : options_(options) {
  const std::string& folder = options_.folder;
  SubprocessOptions spawn;
  spawn.argv = {options_.executable, "--log", options_.log.empty() ? folder + "/log" : options_.log};
  spawn.argv.insert(spawn.argv.end(), options_.more.begin(), options_.more.end());
  if (options_.mtls) {
    Require(CreateAuthority(folder + "/ca", "bench", kValidSeconds));
    Issue(std::nullopt, "server", {"127.0.0.1"});
    Issue(Identity{Role::kWorker, "worker"}, "worker", {});
    Issue(Identity{Role::kClient, "client"}, "client", {});
    const TlsFiles files = FilesOf("server");
    for (const std::string& word :
         {std::string("--listen"), std::string("127.0.0.1:0"), std::string("--tls-ca"), files.ca,
          std::string("--tls-cert"), files.cert, std::string("--tls-key"), files.key}) {
      spawn.argv.push_back(word);
    }
  } else {
    spawn.argv.insert(spawn.argv.end(), {"--listen", absl::StrCat("unix:", folder, "/s")});
  }
  spawn.output_path = folder + "/output";
  absl::StatusOr<Subprocess> process = Subprocess::Spawn(spawn);
  Require(process.status());
  process_ = *std::move(process);
  address_ = Listening();
}

std::string BenchServer::Listening() const {
  const auto give_up = std::chrono::steady_clock::now() + kStartPatience;
  while (std::chrono::steady_clock::now() < give_up) {
    const std::string said = ReadAll(options_.folder + "/output");
    const size_t at = said.find(kListening);
    const size_t end = said.find(", log", at);
    if (end != std::string::npos) return said.substr(at + sizeof(kListening) - 1, end - at - sizeof(kListening) + 1);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  FailBench(absl::StrCat("the server does not listen: ", ReadAll(options_.folder + "/output")));
}

TlsFiles BenchServer::FilesOf(const std::string& name) const {
  const std::string& folder = options_.folder;
  return {folder + "/ca/ca.crt", absl::StrCat(folder, "/", name, ".crt"), absl::StrCat(folder, "/", name, ".key")};
}

void BenchServer::Issue(std::optional<Identity> identity, const std::string& name, std::vector<std::string> hosts) {
  const CertificateRequest request{std::move(identity), name, std::move(hosts), kValidSeconds};
  Require(IssueCertificate(options_.folder + "/ca", request, options_.folder, /*force=*/false).status());
}

ServerEndpoint BenchServer::endpoint(Role role) const {
  return {address_, options_.mtls ? FilesOf(role == Role::kWorker ? "worker" : "client") : TlsFiles()};
}

double BenchServer::CpuSeconds() const {
  const std::string stat = ReadAll(absl::StrCat("/proc/", process_->pid(), "/stat"));
  // After the name, in parentheses: state, then ten numbers, then user and system time in ticks (proc(5)).
  std::istringstream fields(stat.substr(stat.rfind(')') + 1));
  std::string skipped;
  for (int i = 0; i < 11; ++i) fields >> skipped;
  int64_t user = 0, system = 0;
  if (!(fields >> user >> system)) FailBench("the server is gone");
  return static_cast<double>(user + system) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

int64_t BenchServer::StatusKiB(const std::string& field) const {
  std::istringstream fields(ReadAll(absl::StrCat("/proc/", process_->pid(), "/status")));
  for (std::string word; fields >> word;) {
    int64_t kib = 0;
    if (word == field + ":" && fields >> kib) return kib;
  }
  FailBench("the server is gone");
}

}  // namespace mmtune
