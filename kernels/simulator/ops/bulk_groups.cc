// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/simulator/ops/bulk_groups.h"

#include <algorithm>
#include <utility>

#include "kernels/simulator/block/block.h"
#include "kernels/simulator/ops/block_ops.h"

namespace mmtune::simt {

void BulkStore::Read() {
  if (data.empty()) data.assign(shared, shared + bytes);
}

void BulkGroups::Issue(GpuThread& thread, std::shared_ptr<BulkStore> store) {
  if (open_ == nullptr) open_ = std::make_shared<Group>();
  open_->push_back(store);
  // The group names the queue, so it has to outlive the work.
  thread.block->scheduler().PostAsync(
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
    if (!read) thread.block->scheduler().DrainAsync(committed_[i].get());
    for (const std::shared_ptr<BulkStore>& store : *committed_[i]) {
      store->Read();
      if (store->token) thread.block->monitor()->EndAsyncRead(*std::exchange(store->token, std::nullopt), thread);
    }
  }
  if (!read) committed_.erase(committed_.begin(), committed_.begin() + static_cast<std::ptrdiff_t>(finished));
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
}  // namespace mmtune::simt
