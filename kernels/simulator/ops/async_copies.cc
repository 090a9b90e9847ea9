// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/simulator/ops/async_copies.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "kernels/simulator/block/cluster_runner.h"
#include "kernels/simulator/ops/block_ops.h"
#include "kernels/simulator/ops/mbarriers.h"

namespace mmtune::simt {

void BulkStore::Read() {
  if (data.empty()) data.assign(shared, shared + bytes);
}

void BulkGroups::Issue(GpuThread& thread, std::shared_ptr<BulkStore> store) {
  if (open_ == nullptr) open_ = std::make_shared<Group>();
  open_->push_back(store);
  // The group names the queue, so it has to outlive the work.
  thread.runner->scheduler().PostAsync(
      [group = open_, store = std::move(store)] {
        store->Read();
        store->write(store->data.data());
      },
      open_.get());
}

void BulkGroups::Commit() {
  committed_.push_back(open_ != nullptr ? std::move(open_) : std::make_shared<Group>());
  open_ = nullptr;
}

void BulkGroups::Wait(GpuThread& thread, uint32_t groups, bool read) {
  const size_t finished = committed_.size() - std::min<size_t>(committed_.size(), groups);
  for (size_t i = 0; i < finished; ++i) {
    if (!read) thread.runner->scheduler().DrainAsync(committed_[i].get());
    for (const std::shared_ptr<BulkStore>& store : *committed_[i]) {
      store->Read();
      if (!read && store->report_write) store->report_write();
      if (store->token) thread.runner->monitor()->EndAsyncRead(*std::exchange(store->token, std::nullopt), thread);
    }
  }
  if (!read) committed_.erase(committed_.begin(), committed_.begin() + static_cast<std::ptrdiff_t>(finished));
}

void BulkGroups::ReportWrites() {
  if (open_ != nullptr) Commit();
  for (const std::shared_ptr<Group>& group : committed_) {
    for (const std::shared_ptr<BulkStore>& store : *group) {
      if (store->report_write) store->report_write();
    }
  }
}

bool BulkGroups::ReadsUnderWay() const {
  auto reads = [](const std::shared_ptr<Group>& group) {
    return std::any_of(group->begin(), group->end(), [](const auto& store) { return store->token.has_value(); });
  };
  return (open_ != nullptr && reads(open_)) || std::any_of(committed_.begin(), committed_.end(), reads);
}

extern "C" {

void mmtune_simt_bulk_commit(ThreadContext* context) {
  auto& self = *static_cast<GpuThread*>(context);
  self.ops->bulk_groups(self).Commit();
}

void mmtune_simt_bulk_wait(ThreadContext* context, uint32_t groups, uint32_t read, uint32_t site) {
  auto& self = *static_cast<GpuThread*>(context);
  self.site = site;
  self.ops->bulk_groups(self).Wait(self, groups, read != 0);
}

}  // extern "C"

namespace {

bool Aligned(const void* pointer, uint32_t bytes) { return reinterpret_cast<uintptr_t>(pointer) % bytes == 0; }

void RequireOperands(GpuThread* self, void* shared, const void* global, uint32_t bytes, uint32_t source_bytes) {
  if (bytes != 4 && bytes != 8 && bytes != 16) {
    self->runner->Fail(self, absl::StrCat("cp.async of ", bytes, " bytes; it copies 4, 8 or 16"));
  }
  if (source_bytes > bytes) {
    self->runner->Fail(self, absl::StrCat("cp.async reads ", source_bytes, " bytes to write ", bytes));
  }
  if (!Aligned(shared, bytes) || (source_bytes != 0 && !Aligned(global, bytes))) {
    self->runner->Fail(
        self, absl::StrCat("cp.async of ", bytes, " bytes from 0x", absl::Hex(reinterpret_cast<uintptr_t>(global)),
                           " to shared offset ", static_cast<char*>(shared) - self->shared,
                           "; both must be multiples of ", bytes));
  }
}

/// Issues a copy that completes at once or, with schedule fuzzing, when its thread waits for it. For a monitor it is
/// pending until then in any case.
[[gnu::noinline, gnu::cold]] void Issue(GpuThread* self, AsyncCopy copy, uint32_t site) {
  self->site = site;
  RequireOperands(self, copy.shared, copy.global, copy.bytes, copy.source_bytes);
  if (!self->tracks_copies) return copy.Complete();
  if (Monitor* monitor = self->runner->monitor()) {
    if (copy.source_bytes != 0) monitor->Access(*self, copy.global, copy.source_bytes, AccessKind::kRead, site);
    copy.token = monitor->BeginAsyncWrite(*self, copy.shared, copy.bytes, site);
  }
  if (self->runner->scheduler().copies_complete_late()) {
    std::memset(copy.shared, kPoison, copy.bytes);
  } else {
    copy.Complete();
  }
  self->copies.Issue(copy);
}

}  // namespace

void FinishCopies(GpuThread& thread, uint64_t end, void* barrier, uint32_t site) {
  while (thread.copies.finished() < end) {
    AsyncCopy copy = thread.copies.TakeOldest();
    copy.Complete();
    Monitor* monitor = thread.runner->monitor();
    if (monitor == nullptr) continue;
    SyncClock* clock = barrier == nullptr ? nullptr : &ArrivedClock(thread, barrier, site);
    monitor->EndAsyncWrite(copy.token, /*by_issuer=*/barrier == nullptr, clock);
  }
}

extern "C" {

void mmtune_simt_cp_async(ThreadContext* context, void* shared, const void* global, uint32_t bytes,
                          uint32_t source_bytes, uint32_t site) {
  GpuThread* self = ThreadOf(context);
  if (bytes == 16 && source_bytes == 16 && Aligned(shared, 16) && Aligned(global, 16) && !self->tracks_copies) {
    std::memcpy(shared, global, 16);
    return;
  }
  Issue(self, {static_cast<char*>(shared), static_cast<const char*>(global), bytes, source_bytes}, site);
}

void mmtune_simt_cp_async_commit(ThreadContext* context) {
  GpuThread* self = ThreadOf(context);
  if (self->tracks_copies) self->copies.Commit();
}

void mmtune_simt_cp_async_wait(ThreadContext* context, uint32_t groups, uint32_t site) {
  GpuThread* self = ThreadOf(context);
  if (!self->tracks_copies) return;
  self->site = site;
  const bool all = groups == UINT32_MAX;
  const uint64_t finished_groups = self->copies.FinishGroups(all ? 0 : groups);
  FinishCopies(*self, all ? self->copies.issued() : finished_groups);
}

void mmtune_simt_cp_async_mbarrier_arrive(ThreadContext* context, void* barrier, uint32_t no_increment, uint32_t site) {
  auto& self = *static_cast<GpuThread*>(context);
  self.site = site;
  AddPending(self, barrier, no_increment != 0 ? 0 : 1, site);
  const uint64_t end = self.copies.issued();
  auto arrive = [&self, end, barrier, site] {
    FinishCopies(self, end, barrier, site);
    ArriveAsynchronously(self, barrier, 1, site);
  };
  self.runner->scheduler().PostAsync(arrive, &self);
}

}  // extern "C"
}  // namespace mmtune::simt
