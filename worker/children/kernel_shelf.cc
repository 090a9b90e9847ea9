// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/children/kernel_shelf.h"

#include <algorithm>
#include <utility>

#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"

namespace mmtune {

void KernelShelf::Put(std::string key, Compilation compilation) {
  const size_t bytes = key.size() + compilation.kernel.ByteSizeLong();
  absl::MutexLock lock(&mutex_);
  TakeLocked(key);
  if (bytes > most_bytes_) return;
  entries_.push_back({std::move(key), std::move(compilation), bytes});
  bytes_ += bytes;
  while (entries_.size() > most_kernels_ || bytes_ > most_bytes_) {
    bytes_ -= entries_.front().bytes;
    entries_.pop_front();
  }
}

std::optional<Compilation> KernelShelf::Take(const std::string& key) {
  absl::MutexLock lock(&mutex_);
  return TakeLocked(key);
}

std::optional<Compilation> KernelShelf::TakeLocked(const std::string& key) {
  const auto entry =
      std::find_if(entries_.begin(), entries_.end(), [&key](const Entry& held) { return held.key == key; });
  if (entry == entries_.end()) return std::nullopt;
  std::optional<Compilation> compilation = std::move(entry->compilation);
  bytes_ -= entry->bytes;
  entries_.erase(entry);
  return compilation;
}

std::string ShelfKey(worker::CompileRequest request) {
  request.mutable_subject()->mutable_device()->clear_uuid();
  std::string key;
  {
    google::protobuf::io::StringOutputStream stream(&key);
    google::protobuf::io::CodedOutputStream coded(&stream);
    coded.SetSerializationDeterministic(true);
    request.SerializeToCodedStream(&coded);
  }
  return key;
}

}  // namespace mmtune
