// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/security/access_rules.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

constexpr unsigned Bit(Role role) { return 1u << static_cast<unsigned>(role); }
constexpr unsigned kTuners = Bit(Role::kAdmin) | Bit(Role::kClient);
constexpr unsigned kWorkers = Bit(Role::kWorker);
constexpr unsigned kEverybody = kTuners | kWorkers;

struct Rule {
  std::string_view path;
  unsigned roles;
};

constexpr Rule kRules[] = {
    {"/mmtune.v1.Tuning/SubmitJob", kTuners},
    {"/mmtune.v1.Tuning/GetJob", kTuners},
    {"/mmtune.v1.Tuning/WatchJob", kTuners},
    {"/mmtune.v1.Tuning/CancelJob", kTuners},  // of another's job: admin only, which the service checks
    {"/mmtune.v1.Tuning/ListJobs", kTuners},   // their own; an admin all, which the service sees to
    {"/mmtune.v1.Tuning/QueryRecords", kTuners},
    {"/mmtune.v1.Tuning/GetBest", kTuners},
    {"/mmtune.v1.Tuning/GetServerInfo", kTuners},
    {"/mmtune.v1.WorkQueue/Register", kWorkers},
    {"/mmtune.v1.WorkQueue/Lease", kWorkers},
    {"/mmtune.v1.WorkQueue/Heartbeat", kWorkers},
    {"/mmtune.v1.WorkQueue/Report", kWorkers},
    {"/mmtune.v1.WorkQueue/ReportCompiled", kWorkers},
    {"/mmtune.v1.WorkQueue/FindMeasured", kWorkers},
    {"/mmtune.v1.Fleet/HoldWorker", Bit(Role::kAdmin)},
    {"/grpc.health.v1.Health/Check", kEverybody},
    {"/grpc.health.v1.Health/Watch", kEverybody},
};

std::string RolesText(unsigned roles) {
  std::string text;
  for (Role role : {Role::kAdmin, Role::kClient, Role::kWorker}) {
    if ((roles & Bit(role)) == 0) continue;
    absl::StrAppend(&text, text.empty() ? "" : " or ", ToAbsl(RoleName(role)));
  }
  return text;
}

}  // namespace

absl::Status CheckAccess(Role role, std::string_view path) {
  for (const Rule& rule : kRules) {
    if (rule.path != path) continue;
    if ((rule.roles & Bit(role)) != 0) return absl::OkStatus();
    return absl::PermissionDeniedError(absl::StrCat("a certificate of the role ", ToAbsl(RoleName(role)),
                                                    " may not call ", ToAbsl(path), ": that takes one of the role ",
                                                    RolesText(rule.roles)));
  }
  return absl::PermissionDeniedError(absl::StrCat("nobody may call ", ToAbsl(path)));
}

}  // namespace mmtune
