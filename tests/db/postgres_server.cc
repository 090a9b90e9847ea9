// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/db/postgres_server.h"

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"

namespace mmtune::testing {
namespace {

/// Returns the folder with the server's programs; empty if there is none.
std::string FindPrograms() {
  std::vector<std::string> folders = {"/usr/lib/postgresql/15/bin", "/usr/local/bin", "/usr/bin"};
  for (const std::string& folder : folders) {
    if (access((folder + "/initdb").c_str(), X_OK) == 0 && access((folder + "/psql").c_str(), X_OK) == 0) {
      return folder;
    }
  }
  return "";
}

/// Returns the words that start a program as an ordinary user, as whom alone the server runs, and end it with this
/// process.
std::string AsUser() {
  return absl::StrCat("setpriv --pdeathsig INT ", geteuid() == 0 ? "--reuid=65534 --regid=65534 --clear-groups " : "");
}

}  // namespace

bool PostgresServer::Run(const std::string& command) const {
  const std::string output = folder_.File("output");
  if (std::system(absl::StrCat("cd ", folder_.path(), " && ", command, " >>", output, " 2>&1").c_str()) == 0) {
    return true;
  }
  std::ifstream in(output);
  std::stringstream text;
  text << in.rdbuf();
  std::fprintf(stderr, "%s failed:\n%s\n", command.c_str(), text.str().c_str());
  return false;
}

bool PostgresServer::StartServer() {
  const std::string command =
      absl::StrCat("cd ", folder_.path(), " && exec ", AsUser(), bin_, "/postgres -D data -k ", folder_.path(),
                   " -c listen_addresses='' -c fsync=off -c shared_buffers=32MB -c max_connections=40 >>data/log 2>&1");
  process_ = fork();
  if (process_ == 0) {
    execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
    _exit(127);
  }
  return Run(absl::StrCat("for i in $(seq 600); do ", bin_, "/pg_isready -q -h ", folder_.path(),
                          " && exit 0; sleep 0.1; done; exit 1"));
}

void PostgresServer::StopServer() {
  if (process_ <= 0) return;
  kill(process_, SIGQUIT);  // at once
  waitpid(process_, nullptr, 0);
  process_ = 0;
}

std::unique_ptr<PostgresServer> PostgresServer::Start(std::string* why) {
  std::unique_ptr<PostgresServer> server(new PostgresServer());
  server->bin_ = FindPrograms();
  if (server->bin_.empty()) {
    *why = "no PostgreSQL server is installed: deploy/install-deps --deploy-tests";
    return nullptr;
  }
  if (geteuid() == 0 && chown(server->folder_.path().c_str(), 65534, 65534) != 0) {
    *why = "the server's folder cannot be given to an ordinary user";
    return nullptr;
  }
  // TempFolder makes folders that only their owner may enter, and the clients are of another user.
  chmod(server->folder_.path().c_str(), 0755);
  if (!server->Run(absl::StrCat(AsUser(), server->bin_,
                                "/initdb -D data -U postgres -A trust -E UTF8 --locale=C.UTF-8 --no-sync")) ||
      !server->StartServer()) {
    *why = "the server does not start";
    return nullptr;
  }
  return server;
}

PostgresServer::~PostgresServer() { StopServer(); }

void PostgresServer::Crash() {
  StopServer();
  StartServer();
}

std::string PostgresServer::NewDatabase() {
  const std::string name = absl::StrCat("log", ++databases_);
  Psql("postgres", "CREATE DATABASE " + name);
  return Url(name);
}

std::string PostgresServer::Url(const std::string& database, const std::string& role) const {
  return absl::StrCat("postgres://", role, "@/", database, "?host=", folder_.path());
}

std::string PostgresServer::Psql(const std::string& database, const std::string& sql) const {
  const std::string script = folder_.File("script.sql");
  std::ofstream(script) << sql << ";\n";
  const std::string command =
      absl::StrCat(bin_, "/psql -X -q -A -t -v ON_ERROR_STOP=1 -f ", script, " '", Url(database), "'");
  FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return "";
  std::string text;
  char buffer[4096];
  for (size_t got; (got = fread(buffer, 1, sizeof(buffer), pipe)) > 0;) text.append(buffer, got);
  if (pclose(pipe) != 0) std::fprintf(stderr, "psql failed: %s\n", sql.c_str());
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

void PostgresServer::Allow(const std::string& line) {
  const std::string path = folder_.File("data/pg_hba.conf");
  std::ifstream in(path);
  std::stringstream rest;
  rest << in.rdbuf();
  std::ofstream(path) << line << "\n" << rest.str();
  Psql("postgres", "SELECT pg_reload_conf()");
}

}  // namespace mmtune::testing
