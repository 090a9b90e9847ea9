// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Certificates that are made, read, checked and refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <filesystem>

#include "absl/strings/ascii.h"
#include "proto/base/folders.h"
#include "proto/base/whole_file.h"
#include "proto/tls/authority.h"
#include "proto/tls/certificate.h"
#include "proto/tls/server_endpoint.h"
#include "proto/tls/tls_files.h"

namespace mmtune {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

class TlsTest : public testing::Test {
 protected:
  TlsTest() { EXPECT_TRUE(CreateAuthority(Path("ca"), "test authority", 3600).ok()); }

  std::string Path(const std::string& name) const { return folder_.path() + "/" + name; }
  /// In the folder "<name>": a worker's certificate, of "<folder>/<ca>".
  TlsFiles Issue(const std::string& name, int64_t seconds = 3600, const std::string& ca = "ca") {
    CertificateRequest request{Identity{Role::kWorker, name}, name};
    request.seconds = seconds;
    return FilesOf(IssueCertificate(Path(ca), request, Path(name), /*force=*/true));
  }
  TlsFiles IssueServer(const std::string& name, std::vector<std::string> hosts) {
    CertificateRequest request{std::nullopt, name, std::move(hosts)};
    request.seconds = 3600;
    return FilesOf(IssueCertificate(Path("ca"), request, Path(name), /*force=*/true));
  }
  TlsFiles FilesOf(const absl::StatusOr<IssuedFiles>& issued) {
    EXPECT_TRUE(issued.ok()) << issued.status();
    return {Path("ca/ca.crt"), issued->cert, issued->key};
  }
  static std::string Text(const std::string& path) { return ReadWholeFile(path).value_or(""); }
  static unsigned Mode(const std::string& path) {
    struct stat info = {};
    EXPECT_EQ(stat(path.c_str(), &info), 0) << path;
    return info.st_mode & 07777;
  }
  std::string Refusal(const TlsFiles& files, CertificateUse use, absl::StatusCode code) {
    const absl::Status status = CheckTlsFiles(files, use).status();
    EXPECT_EQ(status.code(), code) << status;
    return std::string(status.message());
  }

  OwnedFolder folder_ = *OwnedFolder::Temporary("tls-test-");
};

TEST_F(TlsTest, IssuedCertificateNamesItsHolder) {
  const TlsFiles files = Issue("gpu-a", 3600);
  const absl::StatusOr<Certificate> certificate = CheckTlsFiles(files, CertificateUse::kClient);
  ASSERT_TRUE(certificate.ok()) << certificate.status();
  EXPECT_EQ(*certificate->identity, (Identity{Role::kWorker, "gpu-a"}));
  EXPECT_EQ(certificate->serial.size(), 32u);
  EXPECT_NEAR(static_cast<double>(certificate->not_after - NowUnixSeconds()), 3600, 60);
  EXPECT_LT(certificate->not_before, NowUnixSeconds() - 200) << "no room for a clock that is slow";
  EXPECT_NE(ReadCertificate(Text(Issue("gpu-a").cert))->serial, certificate->serial);
}

TEST_F(TlsTest, KeysArePrivate) {
  const mode_t old = umask(0);
  const TlsFiles files = Issue("gpu-a");
  chmod(files.key.c_str(), 0644);
  Issue("gpu-a");
  EXPECT_TRUE(CreateAuthority(Path("ca2"), "another", 60).ok());
  umask(old);
  EXPECT_EQ(Mode(files.key), 0600u) << "a new key took the mode of the one that it replaced";
  EXPECT_EQ(Mode(Path("ca2/ca.key")), 0600u);
  EXPECT_EQ(Mode(Path("ca2")), 0700u);
}

TEST_F(TlsTest, RefusesAKeyThatOthersCanRead) {
  const TlsFiles files = Issue("gpu-a");
  chmod(files.key.c_str(), 0604);
  EXPECT_THAT(Refusal(files, CertificateUse::kClient, absl::StatusCode::kInvalidArgument), HasSubstr("chmod 600"));
  // A group may read what root owns, as with PostgreSQL; nobody else's.
  chmod(files.key.c_str(), 0640);
  EXPECT_EQ(CheckTlsFiles(files, CertificateUse::kClient).ok(), geteuid() == 0);
  chmod(files.key.c_str(), 0400);
  EXPECT_TRUE(CheckTlsFiles(files, CertificateUse::kClient).ok());
}

TEST_F(TlsTest, ErrorNamesTheWrongFile) {
  const TlsFiles good = Issue("gpu-a"), other = Issue("gpu-b");
  for (auto [member, option] :
       {std::pair{&TlsFiles::ca, "--tls-ca"}, {&TlsFiles::cert, "--tls-cert"}, {&TlsFiles::key, "--tls-key"}}) {
    TlsFiles files = good;
    files.*member = Path("absent");
    EXPECT_THAT(Refusal(files, CertificateUse::kClient, absl::StatusCode::kInvalidArgument), HasSubstr(option));
    ASSERT_TRUE(WriteWholeFile(Path("nonsense"), "no PEM at all\n").ok());
    chmod(Path("nonsense").c_str(), 0600);
    files.*member = Path("nonsense");
    EXPECT_THAT(Refusal(files, CertificateUse::kClient, absl::StatusCode::kInvalidArgument), HasSubstr(option));
  }
  EXPECT_THAT(Refusal({good.ca, good.cert, other.key}, CertificateUse::kClient, absl::StatusCode::kInvalidArgument),
              HasSubstr("not the key"));
}

TEST_F(TlsTest, RefusesExpiredForeignAndMisusedCertificates) {
  EXPECT_THAT(Refusal(Issue("late", -10), CertificateUse::kClient, absl::StatusCode::kUnauthenticated),
              HasSubstr("expired at"));
  ASSERT_TRUE(CreateAuthority(Path("ca2"), "test authority", 3600).ok());
  EXPECT_THAT(Refusal(Issue("foreign", 3600, "ca2"), CertificateUse::kClient, absl::StatusCode::kUnauthenticated),
              HasSubstr("not issued by our authority"));
  const TlsFiles server = IssueServer("coordinator", {"tuner.example.org", "10.0.0.5"});
  EXPECT_TRUE(CheckTlsFiles(server, CertificateUse::kServer).ok());
  EXPECT_THAT(Refusal(server, CertificateUse::kClient, absl::StatusCode::kUnauthenticated), HasSubstr("for this use"));
  EXPECT_THAT(Refusal(Issue("gpu-a"), CertificateUse::kServer, absl::StatusCode::kUnauthenticated),
              HasSubstr("for this use"));
}

TEST_F(TlsTest, AuthorityCountsWhileItIsValid) {
  const TlsFiles files = Issue("gpu-a");
  const std::string cert = Text(files.cert), ca = Text(files.ca);
  const int64_t end = ReadCertificate(ca)->not_after;
  auto check = [&](const std::string& authorities, int64_t at) {
    return CheckAuthorityTime(cert, cert, authorities, CertificateUse::kClient, at);
  };
  EXPECT_TRUE(check(ca, end).ok());
  const absl::Status late = check(ca, end + 1);
  EXPECT_TRUE(absl::IsUnauthenticated(late));
  EXPECT_THAT(late.message(), HasSubstr("the authority test authority is valid from"));
  EXPECT_TRUE(absl::IsUnauthenticated(check(ca, ReadCertificate(ca)->not_before - 1)));
  // Another one that has expired does no harm; another one that is valid is none of this certificate's.
  ASSERT_TRUE(CreateAuthority(Path("old"), "old authority", -10).ok());
  EXPECT_TRUE(check(Text(Path("old/ca.crt")) + ca, NowUnixSeconds()).ok());
  ASSERT_TRUE(CreateAuthority(Path("new"), "test authority", 7200).ok());
  EXPECT_TRUE(absl::IsUnauthenticated(check(ca + Text(Path("new/ca.crt")), end + 1)));
}

TEST_F(TlsTest, CertificateCannotSignAnother) {
  const TlsFiles leaf = Issue("gpu-a");
  std::filesystem::create_directory(Path("rogue"));
  std::filesystem::copy(leaf.cert, Path("rogue/ca.crt"));
  std::filesystem::copy(leaf.key, Path("rogue/ca.key"));
  CertificateRequest request{Identity{Role::kAdmin, "x"}, "x", {}, 60};
  EXPECT_THAT(std::string(IssueCertificate(Path("rogue"), request, Path("out"), false).status().message()),
              HasSubstr("is not the certificate of an authority"));
  EXPECT_TRUE(CheckIssuedBy(Text(leaf.cert), "", Text(Path("ca/ca.crt")), CertificateUse::kClient).ok());
}

TEST_F(TlsTest, ReplacesNothingUnlessForced) {
  const TlsFiles files = Issue("gpu-a");
  const std::string cert = Text(files.cert);
  CertificateRequest request{Identity{Role::kWorker, "gpu-a"}, "gpu-a"};
  request.seconds = 60;
  std::filesystem::rename(files.key, files.key + ".away");
  EXPECT_TRUE(absl::IsInvalidArgument(IssueCertificate(Path("ca"), request, Path("gpu-a"), /*force=*/false).status()));
  EXPECT_FALSE(std::filesystem::exists(files.key)) << "a key without a certificate was left";
  EXPECT_EQ(Text(files.cert), cert);
  const std::string authority = Text(Path("ca/ca.crt"));
  EXPECT_TRUE(absl::IsInvalidArgument(CreateAuthority(Path("ca"), "again", 60)));
  EXPECT_EQ(Text(Path("ca/ca.crt")), authority);
}

/// While it lives, no file grows beyond so many bytes, as on a disk that is full.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) : signal_(signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &old_);
    const struct rlimit limit = {bytes, old_.rlim_max};
    EXPECT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
  }
  ~FullDisk() {
    EXPECT_EQ(setrlimit(RLIMIT_FSIZE, &old_), 0);
    signal(SIGXFSZ, signal_);
  }

 private:
  struct rlimit old_ = {};
  const sighandler_t signal_;
};

constexpr rlim_t kRoomForAKeyAlone = 400;

TEST_F(TlsTest, OnAFullDiskNothingIsLeftAndNothingIsLost) {
  CertificateRequest request{Identity{Role::kWorker, "gpu-b"}, "gpu-b", {}, 60};
  const TlsFiles old = Issue("gpu-a");
  const std::string key = Text(old.key), cert = Text(old.cert);
  absl::Status again, anew, authority;
  {
    const FullDisk full(kRoomForAKeyAlone);
    anew = IssueCertificate(Path("ca"), request, Path("gpu-b"), /*force=*/false).status();
    request = {Identity{Role::kWorker, "gpu-a"}, "gpu-a", {}, 60};
    again = IssueCertificate(Path("ca"), request, Path("gpu-a"), /*force=*/true).status();
    authority = CreateAuthority(Path("ca2"), "another", 60);
  }
  for (const absl::Status& failed : {again, anew, authority}) EXPECT_TRUE(absl::IsInvalidArgument(failed)) << failed;
  EXPECT_TRUE(std::filesystem::is_empty(Path("gpu-b")));
  EXPECT_TRUE(std::filesystem::is_empty(Path("ca2")));
  EXPECT_EQ(Text(old.key), key);
  EXPECT_EQ(Text(old.cert), cert);
  EXPECT_TRUE(CreateAuthority(Path("ca2"), "another", 60).ok());
}

TEST_F(TlsTest, FailedAuthorityLeavesNoKey) {
  std::filesystem::create_directory(Path("ca2"));
  std::filesystem::create_symlink(Path("absent/ca.crt"), Path("ca2/ca.crt"));
  EXPECT_THAT(std::string(CreateAuthority(Path("ca2"), "another", 60).message()), HasSubstr("No such file"));
  EXPECT_FALSE(std::filesystem::exists(Path("ca2/ca.key")));
  std::filesystem::remove(Path("ca2/ca.crt"));
  EXPECT_TRUE(CreateAuthority(Path("ca2"), "another", 60).ok());
}

TEST_F(TlsTest, FailedReplacementKeepsTheOldKey) {
  const TlsFiles files = Issue("gpu-a");
  const std::string key = Text(files.key);
  std::filesystem::remove(files.cert);
  std::filesystem::create_symlink(Path("absent/gpu-a.crt"), files.cert);
  CertificateRequest request{Identity{Role::kWorker, "gpu-a"}, "gpu-a", {}, 60};
  EXPECT_TRUE(absl::IsInvalidArgument(IssueCertificate(Path("ca"), request, Path("gpu-a"), /*force=*/true).status()));
  EXPECT_EQ(Text(files.key), key);
}

TEST_F(TlsTest, RefusesNamesThatMeanSomethingElse) {
  for (const char* name : {"", "a/b", "a,URI:mmtune:admin/x", "../x", "ä", "a b"}) {
    CertificateRequest worker{Identity{Role::kWorker, name}, name};
    EXPECT_FALSE(IssueCertificate(Path("ca"), worker, Path("out"), false).ok()) << name;
    CertificateRequest server{std::nullopt, "server", {name}};
    EXPECT_FALSE(IssueCertificate(Path("ca"), server, Path("out"), false).ok()) << name;
    EXPECT_FALSE(ParseIdentity(std::string("mmtune:worker/") + name).ok()) << name;
  }
  for (const char* uri : {"mmtune:root/x", "mmtune:worker", "mmtune:/x", "spiffe://worker/x", ""}) {
    EXPECT_FALSE(ParseIdentity(uri).ok()) << uri;
  }
}

TEST_F(TlsTest, RevokedSerialIsListedOnce) {
  const TlsFiles files = Issue("gpu-a"), other = Issue("gpu-b");
  for (const std::string& cert : {files.cert, files.cert, other.cert}) {
    ASSERT_EQ(RevokeCertificate(Path("ca"), cert).value_or(""), Path("ca/revoked"));
  }
  const std::string list = Text(Path("ca/revoked"));
  EXPECT_EQ(std::count(list.begin(), list.end(), '\n'), 2) << list;
  EXPECT_THAT(list, HasSubstr(ReadCertificate(Text(files.cert))->serial));
  EXPECT_FALSE(RevokeCertificate(Path("ca"), Path("absent")).ok());
}

TEST_F(TlsTest, RevokingKeepsTheList) {
  const TlsFiles files = Issue("gpu-a");
  const std::string serial = ReadCertificate(Text(files.cert))->serial, list = Path("ca/revoked");
  ASSERT_TRUE(WriteWholeFile(list, "00FF # not " + serial).ok());
  ASSERT_TRUE(RevokeCertificate(Path("ca"), files.cert).ok());
  EXPECT_THAT(*ParseRevoked(Text(list)), testing::UnorderedElementsAre("ff", serial));
  // By another spelling it is listed all the same.
  ASSERT_TRUE(WriteWholeFile(list, "0" + absl::AsciiStrToUpper(serial) + "\n").ok());
  const std::string before = Text(list);
  ASSERT_TRUE(RevokeCertificate(Path("ca"), files.cert).ok());
  EXPECT_EQ(Text(list), before);
  ASSERT_TRUE(WriteWholeFile(list, "nonsense\n").ok());
  EXPECT_TRUE(absl::IsInvalidArgument(RevokeCertificate(Path("ca"), files.cert).status()));
  EXPECT_EQ(Text(list), "nonsense\n");
  std::filesystem::remove(list);
  std::filesystem::create_symlink(Path("away"), list);  // as on a volume that is not mounted
  EXPECT_TRUE(absl::IsInvalidArgument(RevokeCertificate(Path("ca"), files.cert).status()));
}

TEST_F(TlsTest, NeverReplacesTheFilesOfTheAuthority) {
  const std::string cert = Text(Path("ca/ca.crt")), key = Text(Path("ca/ca.key"));
  std::filesystem::create_directory(Path("out"));
  std::filesystem::create_symlink(Path("ca/ca.key"), Path("out/gpu-a.key"));
  std::filesystem::create_hard_link(Path("ca/ca.crt"), Path("out/gpu-b.crt"));
  for (auto [name, folder] : {std::pair{"ca", "ca"}, {"ca", "ca/../ca/"}, {"gpu-a", "out"}, {"gpu-b", "out"}}) {
    CertificateRequest request{Identity{Role::kWorker, name}, name, {}, 60};
    EXPECT_TRUE(absl::IsInvalidArgument(IssueCertificate(Path("ca"), request, Path(folder), /*force=*/true).status()))
        << name << " in " << folder;
  }
  EXPECT_EQ(Text(Path("ca/ca.crt")), cert);
  EXPECT_EQ(Text(Path("ca/ca.key")), key);
}

TEST_F(TlsTest, CertificateEndsWithItsAuthority) {
  CertificateRequest request{Identity{Role::kWorker, "gpu-a"}, "gpu-a", {}, 7200};
  const absl::StatusOr<IssuedFiles> issued = IssueCertificate(Path("ca"), request, Path("out"), false);
  ASSERT_TRUE(issued.ok()) << issued.status();
  EXPECT_TRUE(issued->shortened);
  const int64_t end = ReadCertificate(Text(Path("ca/ca.crt")))->not_after;
  EXPECT_NEAR(static_cast<double>(ReadCertificate(Text(issued->cert))->not_after - end), 0, 2);
  EXPECT_NEAR(static_cast<double>(issued->not_after - end), 0, 2);
  ASSERT_TRUE(CreateAuthority(Path("old"), "expired", -10).ok());
  EXPECT_TRUE(absl::IsUnauthenticated(IssueCertificate(Path("old"), request, Path("out"), true).status()));
}

TEST_F(TlsTest, FolderMayEndInASlash) {
  ASSERT_TRUE(CreateAuthority(Path("a/new/"), "another", 60).ok());
  EXPECT_EQ(Mode(Path("a/new")), 0700u);
  const absl::Status refused = CreateAuthority(Path("a/new/ca.crt/below"), "another", 60);
  EXPECT_THAT(std::string(refused.message()), HasSubstr("Not a directory"));
}

using EndpointTest = TlsTest;

TEST_F(EndpointTest, FilesAreGivenAllOrNone) {
  EXPECT_TRUE(CheckAllGiven({}).ok());
  EXPECT_TRUE(CheckAllGiven({"a", "b", "k"}).ok());
  for (const TlsFiles& some : {TlsFiles{"a", "", ""}, TlsFiles{"a", "b", ""}, TlsFiles{"", "", "k"}}) {
    EXPECT_THAT(std::string(CheckAllGiven(some).message()), HasSubstr("all three"));
    EXPECT_FALSE(ResolveEndpoint("127.0.0.1:7077", some).ok());
  }
}

TEST_F(EndpointTest, ErrorsNameTheEnvironmentVariables) {
  const TlsFiles some{"a", "b", ""};
  EXPECT_EQ(FromEnvironment(some), "");
  setenv("MMTUNE_TLS_CA", "a", 1);
  setenv("MMTUNE_TLS_CERT", "else", 1);  // which an option overruled
  EXPECT_EQ(FromEnvironment(some), " (of MMTUNE_TLS_CA in the environment)");
  EXPECT_THAT(std::string(CheckAllGiven(some).message()), HasSubstr("MMTUNE_TLS_CA"));
  unsetenv("MMTUNE_TLS_CA");
  unsetenv("MMTUNE_TLS_CERT");
}

TEST_F(EndpointTest, DialsAnotherHostOnlyWithTls) {
  const TlsFiles files = Issue("gpu-a");
  EXPECT_TRUE(ResolveEndpoint("gpu-box:7077", files)->tls.given());
  EXPECT_TRUE(ResolveEndpoint("127.0.0.1:7077", files)->tls.given());
  EXPECT_FALSE(ResolveEndpoint("unix:/run/s", files)->tls.given());
  const absl::StatusOr<ServerEndpoint> several = ResolveEndpoint("gpu-a:7077,gpu-b:7077", files);
  ASSERT_TRUE(several.ok());
  ASSERT_EQ(several->Each().size(), 2u);
  EXPECT_EQ(several->Each()[1].address, "gpu-b:7077");
  EXPECT_TRUE(several->Each()[1].tls.given());
  for (const char* wrong : {"gpu-a:7077,", "gpu-a:7077,gpu-a:7077", "gpu-a:7077,gpu-b", ",gpu-a:7077"}) {
    EXPECT_TRUE(absl::IsInvalidArgument(ResolveEndpoint(wrong, files).status())) << wrong;
  }
  EXPECT_FALSE(ResolveEndpoint("127.0.0.1:7077", {})->tls.given());
  const absl::Status refused = ResolveEndpoint("gpu-box:7077", {}).status();
  EXPECT_TRUE(absl::IsInvalidArgument(refused));
  EXPECT_THAT(std::string(refused.message()), testing::AllOf(HasSubstr("--tls-ca"), HasSubstr("ssh")));
  EXPECT_TRUE(absl::IsUnauthenticated(ResolveEndpoint("gpu-box:7077", Issue("late", -10)).status()));
}

TEST_F(EndpointTest, LogOwnerEndpointSaysIfItWantsTls) {
  const TlsFiles files = Issue("alice");
  EXPECT_FALSE(ResolveOwnerEndpoint(OwnerEndpointText("127.0.0.1:7", false), files)->tls.given());
  const std::string tls = OwnerEndpointText("127.0.0.1:7", true);
  EXPECT_EQ(ResolveOwnerEndpoint(tls, files)->address, "127.0.0.1:7");
  EXPECT_TRUE(ResolveOwnerEndpoint(tls, files)->tls.given());
  EXPECT_TRUE(absl::IsInvalidArgument(ResolveOwnerEndpoint(tls, {}).status()));
}

}  // namespace
}  // namespace mmtune
