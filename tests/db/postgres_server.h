// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A PostgreSQL server for tests: in a temporary folder, on a UNIX socket alone. No service of the system is touched.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>

#include "tests/temp_folder.h"

namespace mmtune::testing {

/// A running server, stopped when it is destroyed or this process ends. Its superuser is `postgres`, who needs no
/// password.
class PostgresServer {
 public:
  /// Makes a cluster and starts it. Returns null if no server is installed, and sets `*why`.
  static std::unique_ptr<PostgresServer> Start(std::string* why);
  ~PostgresServer();

  /// Makes an empty database. Returns its URL for a role.
  std::string NewDatabase();
  std::string Url(const std::string& database, const std::string& role = "postgres") const;
  /// Runs SQL as the superuser. Returns what psql prints, without headers.
  std::string Psql(const std::string& database, const std::string& sql) const;
  /// Stops the server at once, as a crash does, and starts it again.
  void Crash();
  const std::string& folder() const { return folder_.path(); }
  /// Lets a line of pg_hba.conf come before all others.
  void Allow(const std::string& line);

 private:
  PostgresServer() = default;
  bool Run(const std::string& command) const;
  bool StartServer();
  void StopServer();

  TempFolder folder_;
  std::string bin_;  ///< The folder with the server's programs.
  pid_t process_ = 0;
  int databases_ = 0;
};

}  // namespace mmtune::testing
