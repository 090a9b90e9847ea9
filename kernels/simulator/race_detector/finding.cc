// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/simulator/race_detector/finding.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "kernels/runtime/device/device.h"
#include "kernels/simulator/block/cluster_runner.h"

namespace mmtune::simt {
namespace {

using Json = nlohmann::ordered_json;

std::string ThreadText(const FindingThread& party) {
  return absl::StrCat("block ", IndexText(party.block), ", thread ", IndexText(party.thread), ", warp ", party.warp,
                      ", lane ", party.lane);
}

std::string PartyText(const Finding& finding, size_t i) {
  const FindingThread& party = finding.parties[i];
  std::string text = absl::StrCat("\n  ", party.location, ": ", party.operation);
  if (i >= finding.party_counts.size()) return absl::StrCat(text, " by ", ThreadText(party));
  const uint32_t count = finding.party_counts[i];
  return absl::StrCat(text, ": ", count, count == 1 ? " thread of " : " threads of ", party.warps,
                      count == 1 ? ", which " : ", each of which ", party.state, ", the first: ", ThreadText(party));
}

Json PartyJson(const Finding& finding, size_t i) {
  const FindingThread& party = finding.parties[i];
  Json json = {{"operation", party.operation}, {"location", party.location}, {"block", party.block},
               {"thread", party.thread},       {"warp", party.warp},         {"lane", party.lane}};
  if (!party.state.empty()) json["state"] = party.state;
  if (!party.warps.empty()) json["warps"] = party.warps;
  if (i < finding.party_counts.size()) json["count"] = finding.party_counts[i];
  return json;
}

struct Hint {
  std::string_view kind;
  std::string_view text;
};

constexpr Hint kHints[] = {
    {"race-raw", "put a barrier between the write and the read"},
    {"race-war", "put a barrier between the read and the write that reuses the memory, or add a pipeline stage"},
    {"race-waw", "let one thread write each element, or put a barrier between the writes"},
    {"uninitialized-read", "write these bytes before the read, and put a barrier between them"},
    {"async-race",
     "wait for the asynchronous operation (cp.async.wait_group, mbarrier.try_wait, wgmma.wait_group) "
     "and put a barrier before the access"},
    {"shared-out-of-bounds", "check the index, and the size of the shared buffer"},
    {"global-out-of-bounds", "check the predicate at the edge of the matrix, and the strides"},
    {"misaligned",
     "keep each address a multiple of its access's bytes: check strides, offsets and alignment of buffers"},
    {"constant-write", "write to a variable that is not constant, or to a buffer that is an output"},
    {"global-race", "let one thread access each element, or use atomics; order blocks by a fence and an atomic"},
    {"barrier-divergence", "move the barrier out of the branch"},
    {"warp-divergence", "move the operation to where all lanes of its mask reach it"},
    {"wgmma-registers", "wait with wgmma.wait_group before the access, and execute wgmma.fence after it"},
    {"cluster-lifetime",
     "synchronise the cluster (barrier.cluster.arrive and .wait) before the first access of another block's shared "
     "memory, and after the last one before a block exits"},
    {"missed-phase", "let whoever completes the next phase wait until all threads that wait for this one have seen it"},
    {"deadlock", "let every thread execute the same barriers, and check arrival counts and byte counts"},
};

std::string HintFor(std::string_view kind) {
  for (const Hint& hint : kHints) {
    if (hint.kind == kind) return std::string(hint.text);
  }
  return {};
}

using State = GpuThread::State;

struct Group {
  const GpuThread* first = nullptr;
  std::string state;
  uint32_t count = 0;
  std::set<uint32_t> warps = {};
};

/// Returns "warp 4", or "warps 0 to 3, 8 (producer, consumer 2)" if the kernel says what these warps are for.
std::string WarpsText(const std::set<uint32_t>& warps, const LaunchJob& job) {
  std::string text = warps.size() == 1 ? "warp " : "warps ";
  const char* separator = "";
  for (auto warp = warps.begin(); warp != warps.end(); separator = ", ") {
    const uint32_t first = *warp;
    uint32_t last = first;
    while (++warp != warps.end() && *warp == last + 1) ++last;
    absl::StrAppend(&text, separator, first);
    if (last != first) absl::StrAppend(&text, " to ", last);
  }
  std::vector<std::string> roles;
  for (uint32_t warp : warps) {
    std::string role = job.NameOfWarp(warp);
    if (!role.empty() && (roles.empty() || roles.back() != role)) roles.push_back(std::move(role));
  }
  if (!roles.empty()) absl::StrAppend(&text, " (", absl::StrJoin(roles, ", "), ")");
  return text;
}

/// Groups threads of one block in the same state at the same program point, by their first thread; exited threads come
/// last.
std::vector<Group> GroupThreads(std::span<GpuThread> threads) {
  std::vector<Group> groups;
  std::map<std::tuple<uint32_t, std::string, uint32_t>, size_t> index;
  for (const GpuThread& thread : threads) {
    std::string state = StateText(thread);
    const uint32_t site = thread.state == State::kExited ? 0 : thread.site;
    auto [entry, is_new] = index.try_emplace({thread.cluster_rank, state, site}, groups.size());
    if (is_new) groups.emplace_back(&thread, std::move(state));
    Group& group = groups[entry->second];
    ++group.count;
    group.warps.insert(thread.warp);
  }
  std::stable_partition(groups.begin(), groups.end(),
                        [](const Group& group) { return group.first->state != State::kExited; });
  return groups;
}

/// The hint for a block that polls memory.
constexpr char kPollingHint[] =
    "let a thread of this block store the value that is polled for; blocks run one after another here, so a block that "
    "waits for another cannot be verified, though it may end on a GPU";

/// Finds a lane that waits in a warp operation for a lane that has exited or waits for something else.
const GpuThread* FindDivergence(std::span<GpuThread> threads) {
  for (const GpuThread& thread : threads) {
    if (thread.state != State::kInWarpOperation && thread.state != State::kAtWarpBarrier) continue;
    const GpuThread* warp = &thread - thread.lane;
    for (uint32_t lane = 0; lane < kWarpSize; ++lane) {
      if ((thread.waits_for >> lane & 1) == 0) continue;
      const GpuThread& other = warp[lane];
      const bool is_there = other.state == thread.state && other.waits_for == thread.waits_for;
      // A lane that sleeps or polls waits for something that is missing, and is not the cause.
      if (!is_there && other.state != State::kAsleep && other.state != State::kPolling) return &thread;
    }
  }
  return nullptr;
}

}  // namespace

bool IsRace(const Finding& finding) { return absl::StrContains(finding.kind, "race"); }

bool AreAtSamePoints(const Finding& one, const Finding& other) {
  const auto is_same = [](const FindingThread& a, const FindingThread& b) {
    return a.operation == b.operation && a.location == b.location;
  };
  return one.kind == other.kind && one.kernel == other.kernel &&
         std::equal(one.parties.begin(), one.parties.end(), other.parties.begin(), other.parties.end(), is_same);
}

std::string FindingText(const Finding& finding) {
  std::string text = absl::StrCat(finding.kind, ": kernel ", finding.kernel, ": ", finding.what);
  if (!finding.address.empty()) absl::StrAppend(&text, " (", finding.address, ")");
  for (size_t i = 0; i < finding.parties.size(); ++i) absl::StrAppend(&text, PartyText(finding, i));
  if (finding.occurrences > 1) absl::StrAppend(&text, "\n  seen ", finding.occurrences, " times");
  if (!finding.hint.empty()) absl::StrAppend(&text, "\n  hint: ", finding.hint);
  return text;
}

std::string FindingsJson(const std::vector<Finding>& findings) {
  Json array = Json::array();
  for (const Finding& finding : findings) {
    Json json = {{"kind", finding.kind}, {"kernel", finding.kernel}, {"what", finding.what}};
    if (!finding.address.empty()) json["address"] = finding.address;
    json["parties"] = Json::array();
    for (size_t i = 0; i < finding.parties.size(); ++i) json["parties"].push_back(PartyJson(finding, i));
    json["occurrences"] = finding.occurrences;
    if (!finding.hint.empty()) json["hint"] = finding.hint;
    array.push_back(std::move(json));
  }
  return array.dump(2, ' ', false, Json::error_handler_t::replace);
}

FindingLog::FindingLog(std::string kernel, const Site* sites, int limit)
    : kernel_(std::move(kernel)), sites_(sites), limit_(std::max(limit, 1)) {
  while (sites_ != nullptr && sites_[site_count_].operation != nullptr) ++site_count_;
}

Finding* FindingLog::Add(std::string_view kind, const GpuThread& thread, uint32_t site, uint32_t other_site) {
  Finding* finding = AddBare(kind, site, other_site);
  if (finding != nullptr) finding->parties.push_back(DescribeThread(thread, site));
  return finding;
}

Finding* FindingLog::AddBare(std::string_view kind, uint32_t site, uint32_t other_site) {
  auto [entry, is_new] = index_.try_emplace({std::string(kind), site, other_site}, findings_.size());
  if (!is_new) {
    if (entry->second < findings_.size()) ++findings_[entry->second].occurrences;
    return nullptr;
  }
  if (full()) {
    index_.erase(entry);
    return nullptr;
  }
  Finding& finding = findings_.emplace_back();
  finding.kind = std::string(kind);
  finding.kernel = kernel_;
  finding.hint = HintFor(kind);
  return &finding;
}

FindingThread FindingLog::DescribeThread(const GpuThread& thread, uint32_t site) const {
  FindingThread party;
  const bool known = site < site_count_;
  if (known) party.operation = sites_[site].name != nullptr ? sites_[site].name : sites_[site].operation;
  party.location = known ? sites_[site].location : "unknown";
  std::copy(thread.ctaid, thread.ctaid + 3, party.block);
  std::copy(thread.tid, thread.tid + 3, party.thread);
  party.warp = thread.warp;
  party.lane = thread.lane;
  return party;
}

FindingThread FindingLog::DescribeThread(const uint32_t* block, uint32_t thread, const uint32_t* shape,
                                         uint32_t site) const {
  GpuThread gone;
  std::copy(block, block + 3, gone.ctaid);
  Unflatten(shape, thread, gone.tid);
  gone.warp = thread / kWarpSize;
  gone.lane = thread % kWarpSize;
  return DescribeThread(gone, site);
}

void FindingLog::AddDeadlock(std::span<GpuThread> threads) {
  const GpuThread* diverged = FindDivergence(threads);
  const std::vector<Group> groups = GroupThreads(threads);
  const bool has_clusters = threads.back().cluster_rank != 0;
  const GpuThread* first = diverged != nullptr ? diverged : groups.front().first;
  Finding* finding = AddBare(diverged != nullptr ? "warp-divergence" : "deadlock", first->site, 0);
  if (finding == nullptr) return;
  finding->what = diverged != nullptr ? absl::StrCat("lane ", diverged->lane, " ", StateText(*diverged),
                                                     ", which other lanes never reach")
                                      : "no thread can continue";
  for (const Group& group : groups) {
    const bool exited = group.first->state == State::kExited;
    if (group.state == "polls") finding->hint = kPollingHint;
    std::string warps = WarpsText(group.warps, group.first->runner->job());
    if (has_clusters) absl::StrAppend(&warps, " of block ", IndexText(group.first->ctaid));
    absl::StrAppend(&finding->what, &group == &groups.front() ? " (" : "; ", group.count, " of ", warps, ": ",
                    group.state);
    FindingThread party = DescribeThread(*group.first, group.first->site);
    if (exited) {
      party.operation = "return";
      party.location = "unknown";
    }
    party.state = group.state;
    party.warps = warps;
    finding->parties.push_back(std::move(party));
    finding->party_counts.push_back(group.count);
  }
  finding->what += ")";
}

std::vector<Finding> FindingLog::Take() {
  index_.clear();
  return std::exchange(findings_, {});
}

}  // namespace mmtune::simt
