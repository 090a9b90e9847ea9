// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/simulator/race_detector/race_monitor.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "kernels/simulator/block/cluster_runner.h"
#include "proto/base/status.h"

namespace mmtune::simt {
namespace {

constexpr std::string_view kStore = "llvm.store";
constexpr std::string_view kOutside = "that are not all in one allocation";

const char* VerbOf(AccessKind kind) {
  if (!IsAtomic(kind)) return kind == AccessKind::kRead ? "reads" : "writes";
  if (!Writes(kind)) return "reads atomically";
  return Reads(kind) ? "updates atomically" : "writes atomically";
}

std::string NameOf(const Variable& variable) {
  return absl::StrCat("the ", variable.is_constant ? "constant" : "variable", " @", variable.name, " of ",
                      variable.bytes, " bytes");
}

/// True if the problem is between two lanes of a warp at one bulk store from one place in shared memory. A warp whose
/// lanes all issue it, as CUTLASS's do, writes the same values to the same place, whatever the order.
bool IsOneStoreOfWarp(const ClusterRunner& runner, const Site* sites, const GpuThread& thread, uint32_t site,
                      const GlobalProblem& problem) {
  if (problem.other.site() != site || problem.other_block != runner.index()) return false;
  const GpuThread& other = runner.threads()[problem.other.thread()];
  return other.cluster_rank == thread.cluster_rank && other.warp == thread.warp &&
         other.bulk_source == thread.bulk_source &&
         std::string_view(sites[site].operation).starts_with("nvvm.cp.async.bulk.");
}

std::string SharedText(size_t offset) { return absl::StrCat("shared+0x", absl::Hex(offset)); }

}  // namespace

RaceMonitor::RaceMonitor(const CheckedLaunch& launch)
    : launch_(launch), log_(launch.kernel, launch.tables.sites, launch.max_findings), global_(clocks_) {}

absl::StatusOr<std::unique_ptr<RaceMonitor>> RaceMonitor::Create(const CheckedLaunch& launch) {
  std::unique_ptr<RaceMonitor> monitor(new RaceMonitor(launch));
  for (uint32_t rank = 0; rank < launch.job->blocks_per_cluster(); ++rank) {
    SharedShadow& shared = monitor->blocks_.emplace_back(monitor->clocks_).shared;
    RETURN_IF_ERROR(shared.Create(launch.job->shared_bytes(), launch.tables.red_zones,
                                  /*reports_uninitialized=*/!launch.job->uninitialized_seed));
  }
  RETURN_IF_ERROR(monitor->global_.Create(*launch.memory));
  for (const Variable* variable = launch.tables.variables; variable != nullptr && variable->name != nullptr;
       ++variable) {
    RETURN_IF_ERROR(monitor->global_.Add(*variable));
  }
  return monitor;
}

void RaceMonitor::ReportWrites(const ReportedAccess& access, AccessKind kind, uint32_t other_site,
                               std::function<void()> report) {
  const bool is_store = kind == AccessKind::kWrite && launch_.tables.sites[access.site].operation == kStore;
  if (!is_store || other_site != access.site) return report();
  std::string before(static_cast<const char*>(access.address), access.bytes);
  repeated_.emplace(RepeatedWrite{access.address, std::move(before), std::move(report)});
}

void RaceMonitor::CompareRepeatedWrite() {
  const RepeatedWrite write = std::move(*repeated_);
  repeated_.reset();
  if (std::memcmp(write.address, write.before.data(), write.before.size()) != 0) write.report();
}

void RaceMonitor::BeginBlock(ClusterRunner& runner) {
  ReportRepeatedWrite();
  runner_ = &runner;
  clocks_.BeginBlock(runner.index(), static_cast<uint32_t>(runner.threads().size()), runner.thread_count());
  for (BlockState& state : blocks_) {
    state.shared.BeginBlock();
    state.has_exited = false;
    state.remote.clear();
  }
  global_.BeginEpoch();
}

void RaceMonitor::Access(GpuThread& thread, const void* address, size_t bytes, AccessKind kind, uint32_t site) {
  ReportRepeatedWrite();
  if (bytes == 0) return;
  const ReportedAccess access{thread, site, VerbOf(kind), address, bytes};
  const uint64_t alignment = launch_.tables.sites[site].alignment;
  // A power of two, as alignments are.
  if (alignment > 1 && (reinterpret_cast<uintptr_t>(address) & (alignment - 1)) != 0)
    ReportMisaligned(access, alignment);
  // Nothing races with reads of memory that is only read.
  if (kind == AccessKind::kRead && !runner_->IsShared(address) && global_.IsReadOnly(address, bytes)) return;
  Access(access, kind, kind);
}

void RaceMonitor::AccessMbarrier(GpuThread& thread, const void* address, size_t bytes, uint32_t site) {
  // Only its initialization is a write.
  Access({thread, site, VerbOf(AccessKind::kAtomic), address, bytes}, AccessKind::kAtomic, AccessKind::kRead);
}

void RaceMonitor::Access(const ReportedAccess& access, AccessKind kind, AccessKind shared_kind) {
  if (!runner_->IsShared(access.address)) return AccessGlobal(access, kind);
  const SharedPlace place = FindShared(access);
  const SharedProblem problem =
      place.block.shared.Access({access.thread.number, access.site}, place.offset, access.bytes, shared_kind);
  if (problem.kind.empty()) return;
  if (problem.kind != "race-waw") return ReportShared(access, place.rank, problem);
  ReportWrites(access, kind, problem.other.site(),
               [this, access, rank = place.rank, problem] { ReportShared(access, rank, problem); });
}

void RaceMonitor::AccessGlobal(const ReportedAccess& access, AccessKind kind) {
  if (const GlobalShadow::Region* region = global_.Find(access.address, access.bytes)) {
    if (Writes(kind) && region->is_read_only) {
      const std::string_view what = region->variable != nullptr ? "of a constant" : "of memory that kernels only read";
      ReportInvalidAccess(access, "constant-write", what, DescribeGlobal(access.address));
      runner_->EndLaunch();
    }
    const GlobalProblem problem =
        global_.Access(region, {access.thread.number, access.site}, access.address, access.bytes, kind);
    if (!problem.kind.empty() &&
        !IsOneStoreOfWarp(*runner_, launch_.tables.sites, access.thread, access.site, problem)) {
      const uint32_t other_site = problem.is_write ? problem.other.site() : UINT32_MAX;
      ReportWrites(access, kind, other_site,
                   [this, access, problem, region] { ReportGlobal(access, problem, *region); });
    }
    return;
  }
  if (runner_->IsOnStack(access.address)) return;
  ReportInvalidAccess(access, "global-out-of-bounds", kOutside, DescribeGlobal(access.address));
  runner_->EndLaunch();
}

std::string RaceMonitor::DescribeGlobal(const void* address) const {
  for (const Variable* variable = launch_.tables.variables; variable != nullptr && variable->name != nullptr;
       ++variable) {
    const size_t offset = static_cast<const char*>(address) - static_cast<const char*>(variable->address);
    if (offset < variable->bytes) return absl::StrCat("byte ", offset, " of ", NameOf(*variable));
    if (offset < variable->bytes + kRedZoneBytes) {
      return absl::StrCat(offset - variable->bytes, " bytes past the end of ", NameOf(*variable));
    }
  }
  return launch_.memory->Describe(address);
}

std::string RaceMonitor::SharedAddressOf(uint32_t rank, size_t offset, const GpuThread& thread) const {
  if (rank == thread.cluster_rank) return SharedText(offset);
  return absl::StrCat(SharedText(offset), " of block ", IndexText(runner_->ThreadsOf(rank).front().ctaid));
}

RaceMonitor::SharedPlace RaceMonitor::FindShared(const ReportedAccess& access) {
  const uint32_t rank = runner_->RankOf(access.thread, access.address);
  BlockState& state = blocks_[rank];
  const size_t bytes = state.shared.bytes();
  const size_t offset = static_cast<const char*>(access.address) - runner_->SharedOf(rank);
  if (offset <= bytes && access.bytes <= bytes - offset) {
    if (rank != access.thread.cluster_rank) AddRemoteAccess(access, rank);
    return {state, rank, offset};
  }
  const auto signed_offset = static_cast<int64_t>(offset);
  ReportInvalidAccess(access, "shared-out-of-bounds", kOutside,
                      absl::StrCat(signed_offset < 0 ? absl::StrCat(-signed_offset, " bytes before the begin of the ")
                                                     : absl::StrCat(SharedText(offset), " of the "),
                                   bytes, " bytes of shared memory"));
  runner_->EndLaunch();
}

void RaceMonitor::AddRemoteAccess(const ReportedAccess& access, uint32_t rank) {
  const GpuThread& thread = access.thread;
  BlockState& state = blocks_[rank];
  const GpuThread& first = runner_->ThreadsOf(rank).front();
  state.remote[thread.number] = {clocks_.Now(thread.number), access.site};
  const bool has_started = clocks_.IsOrderedAfterStart(thread.number, first.number, runner_->thread_count());
  if (has_started && !state.has_exited) return;
  Finding* finding = log_.Add("cluster-lifetime", access.thread, access.site);
  if (finding == nullptr) return;
  finding->what =
      absl::StrCat(access.verb, " ", access.bytes, " bytes of shared memory of block ", IndexText(first.ctaid),
                   " of its cluster, which ",
                   has_started ? "has exited" : "may not have started, as nothing orders the access after that");
  finding->address = SharedAddressOf(rank, static_cast<const char*>(access.address) - runner_->SharedOf(rank), thread);
}

void RaceMonitor::BlockExits(GpuThread& thread) {
  ReportRepeatedWrite();
  if (blocks_.size() == 1) return;
  const uint32_t rank = thread.cluster_rank;
  BlockState& state = blocks_[rank];
  state.has_exited = true;
  constexpr std::string_view kWhat =
      "the block exits while another block of its cluster may still access its shared memory";
  if (const std::optional<AccessPoint> copy = state.shared.FindPendingWrite()) {
    Report("cluster-lifetime", thread, thread.site, kWhat, &runner_->threads()[copy->thread()], copy->site());
  }
  // The block ends once all its threads have, so it is ordered after an access if one of them is.
  const std::span<const GpuThread> own = runner_->ThreadsOf(rank);
  for (const auto& [number, access] : state.remote) {
    const bool is_ordered = std::any_of(own.begin(), own.end(), [&](const GpuThread& thread) {
      return clocks_.IsOrderedAfter(thread.number, number, access.clock);
    });
    if (is_ordered) continue;
    return Report("cluster-lifetime", thread, thread.site, kWhat, &runner_->threads()[number], access.site);
  }
}

void RaceMonitor::SharedBegins(GpuThread& thread, const void* shared) {
  blocks_[thread.cluster_rank].shared.BeginBuffer(thread.number, static_cast<const char*>(shared) - thread.shared);
}

void RaceMonitor::Synchronize(std::span<GpuThread* const> threads) {
  ReportRepeatedWrite();
  if (!clocks_.Synchronize(threads)) return;
  for (BlockState& state : blocks_) state.shared.BeginEpoch();
  global_.BeginEpoch();
}

AsyncToken RaceMonitor::BeginAsyncWrite(GpuThread& thread, const void* shared, size_t bytes, uint32_t site) {
  const ReportedAccess access{thread, site, "copies asynchronously to", shared, bytes};
  SharedProblem problem;
  const SharedPlace place = FindShared(access);
  const AsyncToken token = place.block.shared.BeginAsyncWrite({thread.number, site}, place.offset, bytes, &problem);
  if (!problem.kind.empty()) ReportShared(access, place.rank, problem);
  return token * kMaxClusterBlocks + place.rank;
}

AsyncToken RaceMonitor::BeginAsyncRead(GpuThread& thread, const void* shared, size_t bytes, uint32_t site) {
  const ReportedAccess access{thread, site, "reads asynchronously", shared, bytes};
  SharedProblem problem;
  const SharedPlace place = FindShared(access);
  const AsyncToken token = place.block.shared.BeginAsyncRead({thread.number, site}, place.offset, bytes, &problem);
  if (!problem.kind.empty()) ReportShared(access, place.rank, problem);
  return token * kMaxClusterBlocks + place.rank;
}

void RaceMonitor::ReportShared(const ReportedAccess& access, uint32_t rank, const SharedProblem& problem) {
  Finding* finding = log_.Add(problem.kind, access.thread, access.site, problem.other.site());
  if (finding == nullptr) return;
  finding->what = absl::StrCat(access.verb, " ", access.bytes, " bytes of shared memory, ", ToAbsl(problem.what));
  finding->address = SharedAddressOf(rank, problem.offset, access.thread);
  if (!problem.has_other) return;
  finding->parties.push_back(log_.DescribeThread(runner_->threads()[problem.other.thread()], problem.other.site()));
}

void RaceMonitor::ReportGlobal(const ReportedAccess& access, const GlobalProblem& problem,
                               const GlobalShadow::Region& region) {
  Finding* finding = log_.Add(problem.kind, access.thread, access.site, problem.other.site());
  if (finding == nullptr) return;
  const LaunchJob& job = *launch_.job;
  finding->what = absl::StrCat(access.verb, " ", access.bytes, " bytes of global memory, ", ToAbsl(problem.what));
  const size_t bytes = region.end - region.begin;
  finding->address =
      absl::StrCat("global: ", problem.address - region.begin, " bytes into ",
                   region.variable == nullptr ? absl::StrCat("an allocation of ", bytes) : NameOf(*region.variable));
  // Global memory knows a cluster as one block.
  const uint32_t threads = job.threads_per_block();
  uint32_t other_block[3];
  job.BlockIndex(problem.other_block, problem.other.thread() / threads, other_block);
  finding->parties.push_back(
      log_.DescribeThread(other_block, problem.other.thread() % threads, job.block, problem.other.site()));
}

void RaceMonitor::ReportInvalidAccess(const ReportedAccess& access, std::string_view kind, std::string_view what,
                                      const std::string& where) {
  Finding* finding = log_.Add(kind, access.thread, access.site);
  if (finding == nullptr) return;
  finding->what = absl::StrCat(access.verb, " ", access.bytes, " bytes ", ToAbsl(what));
  finding->address = where;
}

void RaceMonitor::ReportMisaligned(const ReportedAccess& access, uint64_t alignment) {
  std::string where;
  if (runner_->IsShared(access.address)) {
    const uint32_t rank = runner_->RankOf(access.thread, access.address);
    where = SharedAddressOf(rank, static_cast<const char*>(access.address) - runner_->SharedOf(rank), access.thread);
  } else {
    where = DescribeGlobal(access.address);
  }
  ReportInvalidAccess(access, "misaligned", absl::StrCat("at an address that is not a multiple of ", alignment), where);
  runner_->EndLaunch();
}

void RaceMonitor::Report(std::string_view kind, GpuThread& thread, uint32_t site, std::string_view what,
                         const GpuThread* other, uint32_t other_site) {
  Finding* finding = log_.Add(kind, thread, site, other_site);
  if (finding == nullptr) return;
  finding->what = std::string(what);
  if (other != nullptr) finding->parties.push_back(log_.DescribeThread(*other, other_site));
}

}  // namespace mmtune::simt
