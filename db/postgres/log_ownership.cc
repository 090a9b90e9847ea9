// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "db/postgres/log_ownership.h"

#include <unistd.h>

#include <optional>
#include <thread>

#include "absl/strings/str_cat.h"
#include "db/log_lock.h"
#include "proto/base/digest.h"
#include "proto/base/log.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

constexpr Duration kPoll = std::chrono::milliseconds(250);

/// The deadline of a lease that begins now.
constexpr char kDeadline[] = "clock_timestamp() + interval '10 seconds'";
static_assert(LogOwnership::kLease == std::chrono::seconds(10), "kDeadline has the same");

/// The row, as another process reads it.
struct Owner {
  std::string name, host, endpoint;
  bool connected = false;  ///< Its session is there.
};

absl::StatusOr<Owner> ReadOwner(Database& database) {
  ASSIGN_OR_RETURN(
      Statement select,
      database.Prepare(
          "SELECT owner, host, endpoint, (SELECT count(*) FROM pg_stat_activity WHERE pid = "
          "backend AND pid <> pg_backend_pid() AND datname = current_database()) FROM ownership WHERE job_id = 0"));
  ASSIGN_OR_RETURN(const bool row, select.Step());
  if (!row) return Internal(absl::StrCat(database.path(), ": the table ownership has no row"));
  return Owner{select.Text(0), select.Text(1), select.Text(2), select.Int(3) > 0};
}

std::string NameOf(const Owner& owner) {
  return absl::StrCat(owner.name, " on ", owner.host,
                      owner.endpoint.empty() ? "" : absl::StrCat(" (", owner.endpoint, ")"));
}

/// Returns the owner's address; empty if it is a socket of another host.
std::string ReachableEndpoint(const Owner& owner) {
  return owner.host != HostName() && owner.endpoint.starts_with("unix:") ? "" : owner.endpoint;
}

absl::StatusOr<std::optional<int64_t>> TryAcquire(Database& database, const std::string& endpoint,
                                                  const std::string& token) {
  return database.FirstId(
      absl::StrCat("UPDATE ownership SET epoch = epoch + 1, token = ?4, owner = ?1, host = ?2, endpoint = ?3, "
                   "backend = pg_backend_pid(), deadline = ",
                   kDeadline,
                   " WHERE job_id = 0 AND deadline < clock_timestamp() AND NOT EXISTS (SELECT 1 FROM pg_stat_activity "
                   "WHERE pid = backend AND pid <> pg_backend_pid() AND datname = current_database()) RETURNING epoch"),
      absl::StrCat("process ", getpid()), HostName(), endpoint, token);
}

}  // namespace

absl::StatusOr<LogOwnership> LogOwnership::Acquire(Database& database, const std::string& endpoint,
                                                   std::string* owner_endpoint) {
  // The owner may renew the row once more between its last statement and its end.
  const TimePoint give_up = Clock::Real().Now() + 2 * kLease;
  const std::string token = RandomToken();
  for (bool told = false;;) {
    const absl::StatusOr<std::optional<int64_t>> epoch = TryAcquire(database, endpoint, token);
    // One that stores many records at once holds the row for long.
    const bool locked = absl::IsUnavailable(epoch.status());
    if (!locked) RETURN_IF_ERROR(epoch.status());
    if (epoch.ok() && *epoch) return LogOwnership(**epoch, token);
    ASSIGN_OR_RETURN(const Owner owner, ReadOwner(database));
    const bool late = Clock::Real().Now() > give_up;
    if (owner.name.empty() && !late) continue;  // It has given the row up in the meantime.
    if (locked || owner.connected || late) {
      if (owner_endpoint != nullptr) *owner_endpoint = ReachableEndpoint(owner);
      return Unavailable(absl::StrCat("the tuning log ", database.path(), " is in use by ", NameOf(owner),
                                      "; end it, or connect to it with --server"));
    }
    if (!told) {
      LogInfo("waiting for the lease of the log's former owner to end", {{"owner", NameOf(owner)}});
      told = true;
    }
    std::this_thread::sleep_for(kPoll);
  }
}

absl::StatusOr<std::string> LogOwnership::FindEndpoint(Database& database) {
  ASSIGN_OR_RETURN(const Owner owner, ReadOwner(database));
  return owner.connected ? ReachableEndpoint(owner) : std::string();
}

bool LogOwnership::IsDue(const Database& database) const {
  return !renewed_ || Clock::Real().Now() - *renewed_ > kLease / 3 || session_ != database.Session();
}

absl::Status LogOwnership::Hold(Database& database) {
  const TimePoint now = Clock::Real().Now();
  std::optional<int64_t> held;
  if (IsDue(database)) {
    ASSIGN_OR_RETURN(
        held, database.FirstId(absl::StrCat("UPDATE ownership SET backend = pg_backend_pid(), deadline = ", kDeadline,
                                            " WHERE job_id = 0 AND epoch = ?1 AND token = ?2 RETURNING epoch"),
                               epoch_, token_));
    renewed_ = now;
    session_ = database.Session();
  } else {
    ASSIGN_OR_RETURN(
        held, database.FirstId("SELECT epoch FROM ownership WHERE job_id = 0 AND epoch = ?1 AND token = ?2 FOR UPDATE",
                               epoch_, token_));
  }
  if (held) return absl::OkStatus();
  ASSIGN_OR_RETURN(const Owner owner, ReadOwner(database));
  return absl::DataLossError(absl::StrCat("the tuning log ", database.path(), " was taken over by ", NameOf(owner),
                                          ": this process stores nothing more; what it acknowledged is in the log"));
}

void LogOwnership::Release(Database& database) const {
  const absl::Status status = database.Run(
      "UPDATE ownership SET owner = '', host = '', endpoint = '', backend = 0, deadline = '-infinity' WHERE job_id = 0 "
      "AND epoch = ?1 AND token = ?2",
      epoch_, token_);
  if (!status.ok()) LogWarning("ownership_not_released", {{"why", status.message()}});
}

}  // namespace mmtune
