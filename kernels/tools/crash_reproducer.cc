// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/tools/crash_reproducer.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <ostream>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/base/output_file.h"
#include "proto/base/status.h"

namespace mmtune {

/// All that the signal handler needs, made before: it allocates nothing.
struct ExpectedCrash {
  std::string path;  ///< As the user gave it.
  bool force = false;
  OutputPlace place;
  std::string temporary;  ///< What is written; renamed to `place`, unless that is written in place.
  std::string note;
  std::string text;

  /// Safe in a signal handler.
  bool Write() const {
    const int flags = O_WRONLY | O_CLOEXEC | (place.in_place ? 0 : O_CREAT | O_EXCL);
    const int fd = open(temporary.c_str(), flags, 0666);
    if (fd < 0) return false;
    bool good = true;
    for (size_t done = 0; good && done < text.size();) {
      const ssize_t written = write(fd, text.data() + done, text.size() - done);
      good = written > 0 || (written < 0 && errno == EINTR);
      if (written > 0) done += static_cast<size_t>(written);
    }
    good = close(fd) == 0 && good;
    if (place.in_place) return good;
    if (good) {
      good = renameat2(AT_FDCWD, temporary.c_str(), AT_FDCWD, place.path.c_str(), force ? 0 : RENAME_NOREPLACE) == 0;
    }
    if (!good) unlink(temporary.c_str());
    return good;
  }
};

namespace {

std::atomic<const ExpectedCrash*> g_expected{nullptr};

}  // namespace

void WriteExpectedReproducer() {
  const ExpectedCrash* crash = g_expected.exchange(nullptr);
  if (crash == nullptr || crash->text.empty() || !crash->Write()) return;
  (void)!write(STDERR_FILENO, crash->note.data(), crash->note.size());
}

absl::StatusOr<std::unique_ptr<CrashReproducer>> CrashReproducer::At(const std::string& path, bool force) {
  ASSIGN_OR_RETURN(OutputPlace place, CheckOutput(path, force));
  const std::string folder = std::filesystem::absolute(place.path).parent_path();
  if (!place.in_place && access(folder.c_str(), W_OK | X_OK) != 0) {
    return InvalidArgument(absl::StrCat("cannot write ", path, ": ", strerror(errno)));
  }
  auto expected = std::make_unique<ExpectedCrash>();
  expected->path = path;
  expected->force = force;
  expected->place = place;
  expected->temporary = place.in_place ? place.path : absl::StrCat(place.path, ".", getpid(), ".partial");
  expected->note = absl::StrCat("mmtune-compile: note: mmtune-opt --run-reproducer ", path, " repeats what failed\n");
  return std::unique_ptr<CrashReproducer>(new CrashReproducer(std::move(expected)));
}

CrashReproducer::CrashReproducer(std::unique_ptr<ExpectedCrash> expected) : expected_(std::move(expected)) {
  g_expected.store(expected_.get());
}

CrashReproducer::~CrashReproducer() { g_expected.store(nullptr); }

void CrashReproducer::Expect(std::string reproducer) {
  g_expected.store(nullptr);
  expected_->text = std::move(reproducer);
  g_expected.store(expected_.get());
}

absl::Status CrashReproducer::Write() {
  if (expected_->text.empty()) return absl::OkStatus();
  RETURN_IF_ERROR(WriteOutput(expected_->path, expected_->force, [this](std::ostream& out) {
    out << expected_->text;
    return absl::OkStatus();
  }));
  (void)std::fputs(expected_->note.c_str(), stderr);
  return absl::OkStatus();
}

}  // namespace mmtune
