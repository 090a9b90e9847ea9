// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/simulator/race_detector/race_monitor.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "kernels/simulator/block/block.h"
#include "proto/base/status.h"

namespace mmtune::simt {
namespace {

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

std::string SharedText(size_t offset) { return absl::StrCat("shared+0x", absl::Hex(offset)); }

}  // namespace

RaceMonitor::RaceMonitor(const CheckedLaunch& launch)
    : launch_(launch),
      log_(launch.kernel, launch.tables.sites, launch.max_findings),
      shared_(clocks_),
      global_(clocks_) {}

absl::StatusOr<std::unique_ptr<RaceMonitor>> RaceMonitor::Create(const CheckedLaunch& launch) {
  std::unique_ptr<RaceMonitor> monitor(new RaceMonitor(launch));
  RETURN_IF_ERROR(monitor->shared_.Create(launch.job->shared_bytes(), launch.tables.red_zones));
  RETURN_IF_ERROR(monitor->global_.Create(*launch.memory));
  for (const Variable* variable = launch.tables.variables; variable != nullptr && variable->name != nullptr;
       ++variable) {
    RETURN_IF_ERROR(monitor->global_.Add(*variable));
  }
  return monitor;
}

void RaceMonitor::BeginBlock(Block& block) {
  block_ = &block;
  const GpuThread& first = block.threads().front();
  const uint64_t index =
      first.ctaid[0] + uint64_t{first.nctaid[0]} * (first.ctaid[1] + uint64_t{first.nctaid[1]} * first.ctaid[2]);
  clocks_.BeginBlock(index, block.thread_count());
  shared_.BeginBlock();
  global_.BeginEpoch();
}

void RaceMonitor::Access(GpuThread& thread, const void* address, size_t bytes, AccessKind kind, uint32_t site) {
  if (bytes == 0) return;
  const ReportedAccess access{thread, site, VerbOf(kind), address, bytes};
  const uint64_t alignment = launch_.tables.sites[site].alignment;
  if (alignment > 1 && reinterpret_cast<uintptr_t>(address) % alignment != 0) ReportMisaligned(access, alignment);
  Access(access, kind, kind);
}

void RaceMonitor::AccessMbarrier(GpuThread& thread, const void* address, size_t bytes, uint32_t site) {
  // Only its initialization is a write.
  Access({thread, site, VerbOf(AccessKind::kAtomic), address, bytes}, AccessKind::kAtomic, AccessKind::kRead);
}

void RaceMonitor::Access(const ReportedAccess& access, AccessKind kind, AccessKind shared_kind) {
  if (!block_->IsShared(access.address)) return AccessGlobal(access, kind);
  const size_t offset = SharedOffset(access);
  const SharedProblem problem =
      shared_.Access({access.thread.linear_tid, access.site}, offset, access.bytes, shared_kind);
  if (!problem.kind.empty()) ReportShared(access, problem);
}

void RaceMonitor::AccessGlobal(const ReportedAccess& access, AccessKind kind) {
  if (const GlobalShadow::Region* region = global_.Find(access.address, access.bytes)) {
    if (Writes(kind) && region->variable != nullptr && region->variable->is_constant) {
      ReportInvalidAccess(access, "constant-write", "of a constant", DescribeGlobal(access.address));
      block_->EndLaunch();
    }
    const GlobalProblem problem =
        global_.Access(region, {access.thread.linear_tid, access.site}, access.address, access.bytes, kind);
    if (!problem.kind.empty()) ReportGlobal(access, problem, *region);
    return;
  }
  if (block_->IsOnStack(access.address)) return;
  ReportInvalidAccess(access, "global-out-of-bounds", kOutside, DescribeGlobal(access.address));
  block_->EndLaunch();
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

size_t RaceMonitor::SharedOffset(const ReportedAccess& access) {
  const size_t offset = static_cast<const char*>(access.address) - access.thread.shared;
  if (offset <= shared_.bytes() && access.bytes <= shared_.bytes() - offset) return offset;
  const auto signed_offset = static_cast<int64_t>(offset);
  ReportInvalidAccess(access, "shared-out-of-bounds", kOutside,
                      absl::StrCat(signed_offset < 0 ? absl::StrCat(-signed_offset, " bytes before the begin of the ")
                                                     : absl::StrCat(SharedText(offset), " of the "),
                                   shared_.bytes(), " bytes of shared memory"));
  block_->EndLaunch();
}

void RaceMonitor::SharedBegins(GpuThread& thread, const void* shared) {
  shared_.BeginBuffer(thread.linear_tid, static_cast<const char*>(shared) - thread.shared);
}

void RaceMonitor::Synchronize(std::span<GpuThread* const> threads) {
  if (!clocks_.Synchronize(threads)) return;
  shared_.BeginEpoch();
  global_.BeginEpoch();
}

AsyncToken RaceMonitor::BeginAsyncWrite(GpuThread& thread, const void* shared, size_t bytes, uint32_t site) {
  const ReportedAccess access{thread, site, "copies asynchronously to", shared, bytes};
  SharedProblem problem;
  const AsyncToken token = shared_.BeginAsyncWrite({thread.linear_tid, site}, SharedOffset(access), bytes, &problem);
  if (!problem.kind.empty()) ReportShared(access, problem);
  return token;
}

AsyncToken RaceMonitor::BeginAsyncRead(GpuThread& thread, const void* shared, size_t bytes, uint32_t site) {
  const ReportedAccess access{thread, site, "reads asynchronously", shared, bytes};
  SharedProblem problem;
  const AsyncToken token = shared_.BeginAsyncRead({thread.linear_tid, site}, SharedOffset(access), bytes, &problem);
  if (!problem.kind.empty()) ReportShared(access, problem);
  return token;
}

void RaceMonitor::ReportShared(const ReportedAccess& access, const SharedProblem& problem) {
  Finding* finding = log_.Add(problem.kind, access.thread, access.site, problem.other.site());
  if (finding == nullptr) return;
  finding->what = absl::StrCat(access.verb, " ", access.bytes, " bytes of shared memory, ", ToAbsl(problem.what));
  finding->address = SharedText(problem.offset);
  if (!problem.has_other) return;
  finding->parties.push_back(log_.Party(block_->threads()[problem.other.thread()], problem.other.site()));
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
  finding->parties.push_back(
      log_.Party(problem.other_block, job.grid, problem.other.thread(), job.block, problem.other.site()));
}

void RaceMonitor::ReportInvalidAccess(const ReportedAccess& access, std::string_view kind, std::string_view what,
                                      const std::string& where) {
  Finding* finding = log_.Add(kind, access.thread, access.site);
  if (finding == nullptr) return;
  finding->what = absl::StrCat(access.verb, " ", access.bytes, " bytes ", ToAbsl(what));
  finding->address = where;
}

void RaceMonitor::ReportMisaligned(const ReportedAccess& access, uint64_t alignment) {
  const bool is_shared = block_->IsShared(access.address);
  const size_t offset = static_cast<const char*>(access.address) - access.thread.shared;
  ReportInvalidAccess(access, "misaligned", absl::StrCat("at an address that is not a multiple of ", alignment),
                      is_shared ? SharedText(offset) : DescribeGlobal(access.address));
  block_->EndLaunch();
}

void RaceMonitor::Report(std::string_view kind, GpuThread& thread, uint32_t site, std::string_view what,
                         const GpuThread* other, uint32_t other_site) {
  Finding* finding = log_.Add(kind, thread, site, other_site);
  if (finding == nullptr) return;
  finding->what = std::string(what);
  if (other != nullptr) finding->parties.push_back(log_.Party(*other, other_site));
}

}  // namespace mmtune::simt
