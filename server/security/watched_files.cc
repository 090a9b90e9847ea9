// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/security/watched_files.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/base/clock.h"
#include "proto/base/log.h"
#include "proto/base/status.h"
#include "proto/base/whole_file.h"
#include "proto/tls/certificate.h"

namespace mmtune {
namespace {

constexpr Duration kLookEvery = std::chrono::seconds(1);

}  // namespace

FileMark MarkOf(const std::string& path) {
  struct stat info = {};
  if (stat(path.c_str(), &info) != 0) return {};
  return {info.st_ino, info.st_size, info.st_mtim.tv_sec * 1'000'000'000 + info.st_mtim.tv_nsec};
}

absl::Status WatchedFile::Read() {
  looked_ = clock_.Now();
  const absl::Status read = ParseAgain();
  if (read.ok()) {
    told_ = false;
  } else if (taken_ != FileMark() && !std::exchange(told_, true)) {
    LogError(lost_, {{"error", ToStd(read.message())}});
  }
  return read;
}

absl::Status WatchedFile::ParseAgain() {
  const FileMark mark = MarkOf(path_);
  if (mark == taken_ && mark != FileMark()) return absl::OkStatus();
  absl::StatusOr<std::string> text = ReadTextFile(path_);
  if (!text.ok()) return InvalidArgument(ToStd(text.status().message()));
  RETURN_IF_ERROR(WithContext(take_(*text), path_));
  taken_ = mark;
  return absl::OkStatus();
}

void WatchedFile::Refresh() {
  if (clock_.Now() - looked_ >= kLookEvery) Read().IgnoreError();
}

RevocationList::RevocationList(const std::string& path, const Clock& clock) {
  if (path.empty()) return;
  file_.emplace(path, clock, "revocation_list_lost",
                [this](const std::string& text) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
                  ASSIGN_OR_RETURN(serials_, ParseRevoked(text));
                  return absl::OkStatus();
                });
}

absl::StatusOr<std::unique_ptr<RevocationList>> RevocationList::Open(const std::string& path, const Clock& clock) {
  std::unique_ptr<RevocationList> list(new RevocationList(path, clock));
  MutexLock lock(&list->mutex_);
  if (list->file_) RETURN_IF_ERROR(WithContext(list->file_->Read(), "--tls-revoked"));
  return list;
}

bool RevocationList::Contains(std::string_view serial) {
  MutexLock lock(&mutex_);
  if (file_) file_->Refresh();
  return serials_.contains(PlainSerial(serial));
}

namespace {

constexpr char kName[] = "mmtune-certificate";

absl::Status Failed(const char* what) {
  return Unavailable(absl::StrCat("cannot keep the certificate in memory: ", what, ": ", std::strerror(errno)));
}

}  // namespace

CertificateWatch::CertificateWatch(TlsFiles files)
    : files_(std::move(files)),
      served_(memfd_create(kName, MFD_CLOEXEC)),
      served_path_(absl::StrCat("/proc/self/fd/", served_.get())) {}

absl::StatusOr<std::unique_ptr<CertificateWatch>> CertificateWatch::Start(const TlsFiles& files) {
  std::unique_ptr<CertificateWatch> watch(new CertificateWatch(files));
  watch->seen_ = watch->told_of_ = watch->MarksOf();
  ASSIGN_OR_RETURN(const LoadedTls loaded, LoadTlsFiles(files, CertificateUse::kServer));
  RETURN_IF_ERROR(watch->Serve(loaded));
  watch->thread_ = std::thread([watch = watch.get()] { watch->Run(); });
  return watch;
}

CertificateWatch::~CertificateWatch() {
  {
    MutexLock lock(&mutex_);
    stopping_ = true;
  }
  if (thread_.joinable()) thread_.join();
}

int64_t CertificateWatch::not_after() const {
  MutexLock lock(&mutex_);
  return not_after_;
}

std::string CertificateWatch::trouble() const {
  MutexLock lock(&mutex_);
  return trouble_;
}

CertificateWatch::Marks CertificateWatch::MarksOf() const {
  return {MarkOf(files_.ca), MarkOf(files_.cert), MarkOf(files_.key)};
}

absl::Status CertificateWatch::Serve(const LoadedTls& loaded) {
  const std::string text = absl::StrCat(loaded.cert, "\n", loaded.key);
  if (text != served_text_) {
    const Descriptor file(memfd_create(kName, MFD_CLOEXEC));
    if (file.get() < 0) return Failed("memfd_create");
    if (write(file.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size())) return Failed("write");
    const timespec time = {++versions_, 0};
    const timespec times[] = {time, time};
    if (futimens(file.get(), times) != 0) return Failed("futimens");
    if (dup3(file.get(), served_.get(), O_CLOEXEC) < 0) return Failed("dup3");
    served_text_ = text;
    if (versions_ > 1) LogInfo("certificate_renewed", {{"until", IsoTime(loaded.certificate.not_after)}});
  }
  MutexLock lock(&mutex_);
  not_after_ = loaded.certificate.not_after;
  trouble_.clear();
  return absl::OkStatus();
}

void CertificateWatch::Refresh() {
  const Marks marks = MarksOf();
  const bool settled = marks == std::exchange(seen_, marks);
  if (settled && trouble().empty() && marks == told_of_) return;
  const absl::StatusOr<LoadedTls> loaded = LoadTlsFiles(files_, CertificateUse::kServer);
  const absl::Status served = loaded.ok() ? Serve(*loaded) : loaded.status();
  if (served.ok()) {
    told_of_ = marks;
    return;
  }
  // The files may be replaced one after the other, and match at the next check.
  if (!settled) return;
  const bool told = marks == std::exchange(told_of_, marks) && !trouble().empty();
  if (!told) LogError("certificate_unusable", {{"why", ToStd(served.message())}, {"served", "the one from before"}});
  MutexLock lock(&mutex_);
  trouble_ = std::string(served.message());
}

void CertificateWatch::Run() {
  while (true) {
    {
      MutexLock lock(&mutex_);
      mutex_.AwaitFor(std::chrono::seconds(kServedRefreshSeconds),
                      [this]() ABSL_SHARED_LOCKS_REQUIRED(mutex_) { return stopping_; });
      if (stopping_) return;
    }
    Refresh();
  }
}

}  // namespace mmtune
