// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who a certificate speaks for: a URI of its subject alternative names, "mmtune:<role>/<name>".
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace mmtune {

enum class Role { kAdmin, kClient, kWorker };

std::string_view RoleName(Role role);
absl::StatusOr<Role> ParseRole(std::string_view name);

struct Identity {
  Role role = Role::kClient;
  std::string name;  ///< As CheckIdentityName wants it; stays the same when the certificate is renewed.

  std::string Uri() const;   ///< "mmtune:worker/gpu-a"
  std::string Text() const;  ///< "worker gpu-a"
  bool operator==(const Identity&) const = default;
};

/// InvalidArgument unless it has 1 to 64 characters, letters, digits, '.', '_' and '-'.
absl::Status CheckIdentityName(std::string_view name);

/// Whether a URI is meant to be read by ParseIdentity.
bool IsIdentityUri(std::string_view uri);
/// InvalidArgument for anything but "mmtune:<role>/<name>".
absl::StatusOr<Identity> ParseIdentity(std::string_view uri);

}  // namespace mmtune
