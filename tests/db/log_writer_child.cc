// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// log_writer_child PATH hold|commit|ack-first FIRST_NUMBER SEED
//
// hold: opens the log, says "held", keeps it until the channel closes.
// commit: writes groups for ever and says "first last" after each Commit; ack-first says so before, which is the
// mistake the crash test must catch. Descriptor 3 is the channel.
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>

#include "absl/strings/str_cat.h"
#include "proto/base/subprocess.h"
#include "tests/db/log_testing.h"

namespace mmtune::testing {
namespace {

constexpr int kChannel = 3;
constexpr int64_t kMaxGroup = 24;

int Fail(const absl::Status& status) {
  fprintf(stderr, "%s\n", status.ToString().c_str());
  return 1;
}

bool Say(const std::string& text) { return WriteFrame(kChannel, text).ok(); }

int Hold() {
  if (!Say("held")) return 1;
  while (ReadFrame(kChannel, std::chrono::hours(1)).ok()) {
  }
  return 0;
}

int WriteForEver(TuningLog& log, bool ack_first, int64_t number, std::mt19937 random) {
  absl::StatusOr<int64_t> job = EnsureJob(log);
  if (!job.ok()) return Fail(job.status());
  while (true) {
    int64_t last = number + static_cast<int64_t>(random() % kMaxGroup);
    absl::Status status = log.Begin();
    if (status.ok()) status = WriteGroup(log, *job, number, last);
    if (!status.ok()) return Fail(status);
    std::string ack = absl::StrCat(number, " ", last);
    if (ack_first && !Say(ack)) return 1;
    status = log.Commit();
    if (!status.ok()) return Fail(status);
    if (!ack_first && !Say(ack)) return 1;
    number = last + 1;
  }
}

int Main(int argc, char** argv) {
  if (argc != 5) return 2;
  std::string mode = argv[2];
  absl::StatusOr<std::unique_ptr<TuningLog>> log = OpenTuningLog(argv[1], {.endpoint = "unix:/run/owner.sock"});
  if (!log.ok()) return Fail(log.status());
  if (mode == "hold") return Hold();
  return WriteForEver(**log, mode == "ack-first", atoll(argv[3]), std::mt19937(atoi(argv[4])));
}

}  // namespace
}  // namespace mmtune::testing

int main(int argc, char** argv) { return mmtune::testing::Main(argc, argv); }
