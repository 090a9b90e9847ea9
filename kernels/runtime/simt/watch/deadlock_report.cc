// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/runtime/simt/watch/deadlock_report.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "kernels/runtime/simt/block/gpu_thread.h"

namespace mmtune::simt {
namespace {

using State = GpuThread::State;

struct Group {
  const GpuThread* first = nullptr;
  std::string state;
  uint32_t count = 0;
};

/// Threads in the same state at the same program point, in the order of their first; those that have exited last.
std::vector<Group> GroupThreads(std::span<GpuThread> threads) {
  std::vector<Group> groups;
  std::map<std::pair<std::string, uint32_t>, size_t> index;
  Group exited;
  for (const GpuThread& thread : threads) {
    std::string state = StateText(thread);
    Group* group = &exited;
    if (thread.state != State::kExited) {
      auto [entry, is_new] = index.try_emplace({state, thread.site}, groups.size());
      if (is_new) groups.emplace_back();
      group = &groups[entry->second];
    }
    if (group->count++ == 0) *group = {&thread, std::move(state), 1};
  }
  if (exited.count != 0) groups.push_back(std::move(exited));
  return groups;
}

/// What usually mends a block that waits in a loop for a value in memory.
constexpr char kPollingHint[] =
    "a store, by a thread of this block, of what is polled for; blocks run one after another here, so a block that "
    "waits for another cannot be verified, though it may end on a GPU";

/// A lane waits in a warp operation for one that can never come to it, as it has exited or waits for others.
const GpuThread* FindDivergence(std::span<GpuThread> threads) {
  for (const GpuThread& thread : threads) {
    if (thread.state != State::kInWarpOperation && thread.state != State::kAtWarpBarrier) continue;
    const GpuThread* warp = &thread - thread.lane;
    for (uint32_t lane = 0; lane < kWarpSize; ++lane) {
      if ((thread.waits_for >> lane & 1) == 0) continue;
      const GpuThread& other = warp[lane];
      const bool is_there = other.state == thread.state && other.waits_for == thread.waits_for;
      // A lane that sleeps or polls waits for something that is missing itself.
      if (!is_there && other.state != State::kAsleep && other.state != State::kPolling) return &thread;
    }
  }
  return nullptr;
}

}  // namespace

void ReportDeadlock(std::span<GpuThread> threads, FindingLog& log) {
  const GpuThread* diverged = FindDivergence(threads);
  const std::vector<Group> groups = GroupThreads(threads);
  const GpuThread* first = diverged != nullptr ? diverged : groups.front().first;
  Finding* finding = log.Add(diverged != nullptr ? "warp-divergence" : "deadlock", first->site, 0);
  if (finding == nullptr) return;
  finding->what = diverged != nullptr ? absl::StrCat("lane ", diverged->lane, " ", StateText(*diverged),
                                                     ", and other lanes of it never come")
                                      : "no thread can go on";
  for (const Group& group : groups) {
    const bool exited = group.first->state == State::kExited;
    if (group.first->state == State::kPolling) finding->hint = kPollingHint;
    absl::StrAppend(&finding->what, &group == &groups.front() ? " (" : "; ", group.count, ": ", group.state);
    FindingParty party = log.Party(*group.first, group.first->site);
    if (exited) {
      party.operation = "return";
      party.location = "unknown";
    }
    party.state = group.state;
    finding->parties.push_back(std::move(party));
    finding->party_counts.push_back(group.count);
  }
  finding->what += ")";
}

}  // namespace mmtune::simt
