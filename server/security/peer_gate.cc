// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/security/peer_gate.h"

#include <grpcpp/security/auth_metadata_processor.h>
#include <grpcpp/security/server_credentials.h>
#include <grpcpp/security/tls_credentials_options.h>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/base/clock.h"
#include "proto/base/log.h"
#include "proto/base/status.h"
#include "proto/tls/channel.h"
#include "server/rpc/rpc.h"

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
    {"/mmtune.v1.Tuning/CancelJob", kTuners},  // the service checks that only admins cancel jobs of others
    {"/mmtune.v1.Tuning/ListJobs", kTuners},   // the service lists all jobs for admins, and only their own for others
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
  return absl::PermissionDeniedError(absl::StrCat("no role may call ", ToAbsl(path)));
}

namespace {

constexpr Duration kLogEvery = std::chrono::seconds(10);
constexpr size_t kMaxReasons = 256;
// The longest name of an unknown peer in the log.
constexpr size_t kMaxNameBytes = 100;
constexpr size_t kMaxCached = 4096;

std::string Text(const grpc::string_ref& text) { return std::string(text.data(), text.size()); }

class HandshakeVerifier : public grpc::experimental::ExternalCertificateVerifier {
 public:
  explicit HandshakeVerifier(std::shared_ptr<PeerGate> gate) : gate_(std::move(gate)) {}

  bool Verify(grpc::experimental::TlsCustomVerificationCheckRequest* request, std::function<void(grpc::Status)>,
              grpc::Status* verdict) override {
    *verdict = ToGrpc(gate_->CheckPeer(Text(request->peer_cert()), Text(request->peer_cert_full_chain())));
    return true;  // decided at once
  }
  void Cancel(grpc::experimental::TlsCustomVerificationCheckRequest*) override {}

 private:
  const std::shared_ptr<PeerGate> gate_;
};

std::optional<Identity> IdentityOf(const grpc::AuthContext& peer) {
  for (const grpc::string_ref& uri : peer.FindPropertyValues(GRPC_PEER_URI_PROPERTY_NAME)) {
    if (!IsIdentityUri(Text(uri))) continue;
    absl::StatusOr<Identity> identity = ParseIdentity(Text(uri));
    if (identity.ok()) return *std::move(identity);
  }
  return std::nullopt;
}

class CallChecker : public grpc::AuthMetadataProcessor {
 public:
  explicit CallChecker(std::shared_ptr<PeerGate> gate) : gate_(std::move(gate)) {}

  bool IsBlocking() const override { return false; }
  grpc::Status Process(const InputMetadata& metadata, grpc::AuthContext* context, OutputMetadata*,
                       OutputMetadata*) override {
    const auto path = metadata.find(":path");
    const auto shown = context->FindPropertyValues(GRPC_X509_PEM_CERT_PROPERTY_NAME);
    const auto chain = context->FindPropertyValues(GRPC_X509_PEM_CERT_CHAIN_PROPERTY_NAME);
    const auto first = [](const std::vector<grpc::string_ref>& values) {
      return values.empty() ? std::string() : Text(values.front());
    };
    const absl::Status checked =
        gate_->CheckCall(first(shown), first(chain), path == metadata.end() ? "" : Text(path->second));
    // Services rely on CallerOf(), so a call without an identity is refused.
    if (checked.ok() && !IdentityOf(*context)) {
      return ToGrpc(absl::UnauthenticatedError("the certificate contains no identity of the form mmtune:ROLE/NAME"));
    }
    return ToGrpc(checked);
  }

 private:
  const std::shared_ptr<PeerGate> gate_;
};

}  // namespace

void RefusalLog::Log(std::string_view who, const absl::Status& why) {
  LogOnce(absl::StrCat(ToAbsl(who), "\n", why.message()), who, why);
}

void RefusalLog::LogUnknownPeer(std::string_view who, const absl::Status& why) {
  LogOnce(std::string(why.message()), who.substr(0, kMaxNameBytes), why);
}

void RefusalLog::LogOnce(const std::string& key, std::string_view who, const absl::Status& why) {
  const TimePoint now = Clock::Real().Now();
  int64_t others = 0;
  {
    MutexLock lock(&mutex_);
    if (logged_.size() >= kMaxReasons) logged_.clear();
    auto [logged, first] = logged_.try_emplace(key, Logged{now});
    if (!first && now - logged->second.last < kLogEvery) {
      ++logged->second.since;
      return;
    }
    others = std::exchange(logged->second.since, 0);
    logged->second.last = now;
  }
  LogWarning("refused", {{"who", who}, {"why", ToStd(why.message())}, {"others_since", others}});
}

absl::StatusOr<std::shared_ptr<PeerGate>> PeerGate::Create(const TlsFiles& files, const std::string& revoked) {
  ASSIGN_OR_RETURN(std::unique_ptr<CertificateWatch> own, CertificateWatch::Start(files));
  ASSIGN_OR_RETURN(std::unique_ptr<RevocationList> list, RevocationList::Open(revoked, Clock::Real()));
  std::shared_ptr<PeerGate> gate(new PeerGate(files, std::move(own), std::move(list)));
  MutexLock lock(&gate->mutex_);
  RETURN_IF_ERROR(WithContext(gate->authorities_file_.Read(), "--tls-ca"));
  return gate;
}

std::shared_ptr<grpc::ServerCredentials> PeerGate::Credentials() {
  grpc::experimental::TlsServerCredentialsOptions options(
      std::make_shared<grpc::experimental::FileWatcherCertificateProvider>(own_->served_path(), own_->served_path(),
                                                                           kServedRefreshSeconds));
  options.watch_identity_key_cert_pairs();
  // The handshake shows that the peer has the key; CheckPeer does the rest, so that the log can say what is wrong.
  options.set_cert_request_type(GRPC_SSL_REQUEST_CLIENT_CERTIFICATE_BUT_DONT_VERIFY);
  options.set_certificate_verifier(
      grpc::experimental::ExternalCertificateVerifier::Create<HandshakeVerifier>(shared_from_this()));
  options.set_check_call_host(false);
  std::shared_ptr<grpc::ServerCredentials> credentials = grpc::experimental::TlsServerCredentials(options);
  credentials->SetAuthMetadataProcessor(std::make_shared<CallChecker>(shared_from_this()));
  return credentials;
}

PeerGate::PeerGate(const TlsFiles& files, std::unique_ptr<CertificateWatch> own,
                   std::unique_ptr<RevocationList> revoked)
    : own_(std::move(own)),
      revoked_(std::move(revoked)),
      authorities_file_(files.ca, Clock::Real(), "authorities_lost",
                        [this](const std::string& text) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
                          RETURN_IF_ERROR(ReadCertificate(text).status());
                          authorities_ = text;
                          ++authorities_version_;
                          return absl::OkStatus();
                        }) {}

absl::Status PeerGate::CheckPeer(std::string_view pem, std::string_view intermediates) {
  std::string authorities;
  absl::Status issued;
  {
    MutexLock lock(&mutex_);
    issued = authorities_file_.Read();  // each time, so that a new authority counts; handshakes are few
    authorities = authorities_;
  }
  if (issued.ok()) issued = CheckIssuedBy(pem, intermediates, authorities, CertificateUse::kClient);
  if (issued.ok()) return issued;
  const absl::StatusOr<Certificate> certificate = ReadCertificate(pem);
  refusals_.LogUnknownPeer(certificate.ok() ? certificate->Text() : "a peer without a certificate", issued);
  return absl::UnauthenticatedError(issued.message());
}

PeerGate::SharedCertificate PeerGate::Read(const std::string& pem, const std::string& intermediates) {
  MutexLock lock(&mutex_);
  authorities_file_.Refresh();
  const std::string key = pem + intermediates;
  auto known = shown_.find(key);
  if (known != shown_.end() && known->second->authorities == authorities_version_) return known->second;
  auto read = std::make_shared<const PresentedCertificate>(PresentedCertificate{
      ReadCertificate(pem), CheckIssuedBy(pem, intermediates, authorities_, CertificateUse::kClient),
      authorities_version_});
  if (known != shown_.end()) return known->second = std::move(read);
  if (shown_.size() >= kMaxCached) shown_.clear();
  if (read->certificate.ok() && read->certificate->identity.ok() &&
      read->certificate->identity->role == Role::kWorker) {
    if (workers_expire_.size() >= kMaxCached) workers_expire_.clear();
    workers_expire_[read->certificate->identity->name] = read->certificate->not_after;
  }
  return shown_[key] = std::move(read);
}

absl::Status PeerGate::CheckCall(const std::string& pem, const std::string& intermediates, std::string_view path) {
  const SharedCertificate shown = Read(pem, intermediates);
  const absl::StatusOr<Certificate>& certificate = shown->certificate;
  if (!certificate.ok())
    return absl::UnauthenticatedError("no client certificate was presented: give --tls-cert and --tls-key");
  absl::Status checked = certificate->CheckTime(NowUnixSeconds());
  if (checked.ok() && revoked_->Contains(certificate->serial)) {
    checked = absl::UnauthenticatedError(
        absl::StrCat("the certificate with serial ", certificate->serial, " was revoked: use another one"));
  }
  if (checked.ok()) checked = shown->issued;
  if (checked.ok() && !certificate->identity.ok()) {
    checked = absl::UnauthenticatedError(certificate->identity.status().message());
  }
  if (checked.ok()) checked = CheckAccess(certificate->identity->role, path);
  if (!checked.ok()) refusals_.Log(certificate->Text(), checked);
  return checked;
}

void PeerGate::AddExpiry(v1::ServerInfo* info) const {
  const int64_t now = NowUnixSeconds();
  info->set_certificate_seconds_left(static_cast<double>(own_->not_after() - now));
  info->set_certificate_trouble(own_->trouble());
  MutexLock lock(&mutex_);
  for (v1::WorkerStatus& worker : *info->mutable_workers()) {
    const auto expires = workers_expire_.find(worker.worker_id().substr(0, worker.worker_id().find('/')));
    if (expires != workers_expire_.end()) {
      worker.set_certificate_seconds_left(static_cast<double>(expires->second - now));
    }
  }
}

std::optional<Identity> CallerOf(const grpc::CallbackServerContext& context) {
  const std::shared_ptr<const grpc::AuthContext> peer = context.auth_context();
  return peer == nullptr ? std::nullopt : IdentityOf(*peer);
}

}  // namespace mmtune
