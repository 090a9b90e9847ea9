// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/tls/server_endpoint.h"

#include <algorithm>
#include <optional>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "proto/base/server_address.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

constexpr char kOwnerTls[] = "tls:";

absl::StatusOr<ServerEndpoint> WithTls(std::string address, const TlsFiles& given) {
  ServerEndpoint endpoint = {std::move(address)};
  endpoint.tls = given;
  RETURN_IF_ERROR(CheckAllGiven(given));
  if (endpoint.tls.given()) RETURN_IF_ERROR(CheckTlsFiles(endpoint.tls, CertificateUse::kClient).status());
  return endpoint;
}

}  // namespace

absl::Status CheckAllGiven(const TlsFiles& files) {
  const int named = !files.ca.empty() + !files.cert.empty() + !files.key.empty();
  if (named == 0 || named == 3) return absl::OkStatus();
  return InvalidArgument(
      absl::StrCat("--tls-ca, --tls-cert and --tls-key", FromEnvironment(files), " go together: give all three"));
}

std::vector<ServerEndpoint> ServerEndpoint::Each() const {
  std::vector<ServerEndpoint> each = {{address, tls}};
  for (const std::string& other : others) each.push_back({other, tls});
  return each;
}

namespace {

absl::StatusOr<ServerEndpoint> ResolveOne(std::string_view server, const TlsFiles& given) {
  ASSIGN_OR_RETURN(std::string address, ParseServerAddress(server));
  if (IsUnixAddress(address)) return ServerEndpoint{std::move(address)};
  ASSIGN_OR_RETURN(ServerEndpoint endpoint, WithTls(std::move(address), given));
  const std::string host = ParseHostPort(endpoint.address)->host;
  if (endpoint.tls.given() || IsLoopbackHost(host)) return endpoint;
  return InvalidArgument(absl::StrCat("server address '", endpoint.address,
                                      "' is not on this host, and no certificate was given: give --tls-ca, --tls-cert "
                                      "and --tls-key, or tunnel it, as in ssh -N -L 7077:127.0.0.1:7077 ",
                                      host, ", and give 127.0.0.1:7077"));
}

}  // namespace

absl::StatusOr<ServerEndpoint> ResolveEndpoint(std::string_view server, const TlsFiles& given) {
  std::optional<ServerEndpoint> endpoint;
  for (const absl::string_view address : absl::StrSplit(ToAbsl(server), ',')) {
    ASSIGN_OR_RETURN(ServerEndpoint one, ResolveOne(ToStd(address), given));
    if (!endpoint) {
      endpoint = std::move(one);
      continue;
    }
    const std::vector<std::string>& others = endpoint->others;
    if (one.address == endpoint->address || std::find(others.begin(), others.end(), one.address) != others.end()) {
      return InvalidArgument(absl::StrCat("the server address '", one.address, "' is given twice"));
    }
    if (one.tls.given()) endpoint->tls = one.tls;
    endpoint->others.push_back(std::move(one.address));
  }
  return *std::move(endpoint);
}

std::string OwnerEndpointText(std::string_view address, bool tls) {
  return absl::StrCat(tls ? kOwnerTls : "", ToAbsl(address));
}

absl::StatusOr<ServerEndpoint> ResolveOwnerEndpoint(std::string_view text, const TlsFiles& given) {
  absl::string_view address = ToAbsl(text);
  if (!absl::ConsumePrefix(&address, kOwnerTls)) return ServerEndpoint{std::string(address)};
  ASSIGN_OR_RETURN(ServerEndpoint endpoint, WithTls(std::string(address), given));
  if (endpoint.tls.given()) return endpoint;
  return InvalidArgument(absl::StrCat("the coordinator that has the log, at ", address,
                                      ", takes certificates only: give --tls-ca, --tls-cert and --tls-key"));
}

}  // namespace mmtune
