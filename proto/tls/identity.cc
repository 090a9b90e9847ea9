// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/tls/identity.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "proto/base/status.h"
#include "proto/types/names.h"

namespace mmtune {
namespace {

constexpr std::string_view kScheme = "mmtune:";
constexpr size_t kLongestName = 64;
constexpr Named<Role> kRoles[] = {{Role::kAdmin, "admin"}, {Role::kClient, "client"}, {Role::kWorker, "worker"}};

}  // namespace

std::string_view RoleName(Role role) { return NameIn(kRoles, role); }
absl::StatusOr<Role> ParseRole(std::string_view name) { return ValueIn(kRoles, name, "role"); }

std::string Identity::Uri() const { return absl::StrCat(ToAbsl(kScheme), ToAbsl(RoleName(role)), "/", name); }
std::string Identity::Text() const { return absl::StrCat(ToAbsl(RoleName(role)), " ", name); }

absl::Status CheckIdentityName(std::string_view name) {
  const bool plain = std::all_of(name.begin(), name.end(),
                                 [](char c) { return absl::ascii_isalnum(c) || c == '.' || c == '_' || c == '-'; });
  if (plain && !name.empty() && name.size() <= kLongestName) return absl::OkStatus();
  return InvalidArgument(absl::StrCat("the name '", ToAbsl(name), "' is none: give 1 to ", kLongestName,
                                      " letters, digits, '.', '_' or '-'"));
}

bool IsIdentityUri(std::string_view uri) { return uri.starts_with(kScheme); }

absl::StatusOr<Identity> ParseIdentity(std::string_view uri) {
  const size_t slash = uri.find('/');
  if (!IsIdentityUri(uri) || slash == std::string_view::npos) {
    return InvalidArgument(absl::StrCat("'", ToAbsl(uri), "' is not mmtune:<role>/<name>"));
  }
  Identity identity;
  ASSIGN_OR_RETURN(identity.role, ParseRole(uri.substr(kScheme.size(), slash - kScheme.size())));
  identity.name = uri.substr(slash + 1);
  RETURN_IF_ERROR(CheckIdentityName(identity.name));
  return identity;
}

}  // namespace mmtune
