// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/tls/server_endpoint.h"

#include <unistd.h>

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "proto/base/folders.h"
#include "proto/base/json_tree.h"
#include "proto/base/server_address.h"
#include "proto/base/status.h"
#include "proto/base/whole_file.h"
#include "proto/json/json_reader.h"

namespace mmtune {
namespace {

constexpr int kDepth = 4;
constexpr char kOwnerTls[] = "tls:";

absl::Status ReadConfig(const std::string& text, TlsFiles* files) {
  ASSIGN_OR_RETURN(const JsonTree json, ParseStrictJson(text, kDepth));
  absl::Status status;
  ObjectReader config(json, "", &status);
  if (config.Has("tls")) {
    ObjectReader tls = config.Child("tls");
    for (auto [key, path] : {std::pair{"ca", &files->ca}, {"cert", &files->cert}, {"key", &files->key}}) {
      tls.Read(key, path);
      if (status.ok() && !path->starts_with('/')) tls.Fail(key, "is not an absolute path");
    }
    tls.Finish();
  }
  config.Finish();
  return status;
}

absl::StatusOr<ServerEndpoint> WithTls(std::string address, const TlsFiles& given) {
  ServerEndpoint endpoint = {std::move(address)};
  absl::StatusOr<std::string> config = ConfigPath();
  ASSIGN_OR_RETURN(endpoint.tls, ResolveTls(given, config.value_or("")));
  if (endpoint.tls.given()) RETURN_IF_ERROR(CheckTlsFiles(endpoint.tls, CertificateUse::kClient).status());
  return endpoint;
}

}  // namespace

absl::StatusOr<std::string> ConfigPath() {
  ASSIGN_OR_RETURN(const std::string folder, UserFolder("XDG_CONFIG_HOME", ".config"));
  return absl::StrCat(folder, "/config.json");
}

absl::StatusOr<TlsFiles> ResolveTls(const TlsFiles& given, const std::string& config_path) {
  const int named = !given.ca.empty() + !given.cert.empty() + !given.key.empty();
  if (named == 3) return given;
  if (named > 0) {
    return InvalidArgument(
        absl::StrCat("--tls-ca, --tls-cert and --tls-key", FromEnvironment(given), " go together: give all three"));
  }
  TlsFiles files;
  if (config_path.empty() || access(config_path.c_str(), F_OK) != 0) return files;
  absl::StatusOr<std::string> text = ReadTextFile(config_path);
  const absl::Status read = text.ok() ? ReadConfig(*text, &files) : text.status();
  if (!read.ok()) return InvalidArgument(absl::StrCat(config_path, ": ", read.message()));
  return files;
}

absl::StatusOr<ServerEndpoint> ResolveEndpoint(std::string_view server, const TlsFiles& given) {
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
