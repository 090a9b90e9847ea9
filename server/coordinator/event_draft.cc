// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/coordinator/event_draft.h"

#include "proto/types/fields.h"
#include "proto/wire/convert.h"

namespace mmtune {
namespace {

/// Of a node of a map, with its key.
constexpr size_t kParamBytes = 80;

/// What a value has outside of itself, about.
struct HeapBytes {
  size_t& bytes;

  template <typename T, typename... Default>
  void operator()(const char*, const T& value, const Default&...) const {
    Add(value);
  }
  template <typename T>
  void Add(const T& value) const {
    if constexpr (std::is_same_v<T, std::string>) {
      bytes += value.capacity();
    } else if constexpr (std::is_same_v<T, Schedule>) {
      bytes += value.params.size() * kParamBytes;
    } else if constexpr (kIsVector<T>) {
      bytes += value.capacity() * sizeof(typename T::value_type);
      for (const auto& element : value) Add(element);
    } else if constexpr (kIsOptional<T>) {
      if (value) Add(*value);
    } else if constexpr (HasFields<T>) {
      T::Fields(value, *this);
    }
  }
};

}  // namespace

size_t EventDraft::Bytes() const {
  size_t bytes = message.SpaceUsedLong();
  if (best != nullptr) bytes += sizeof(Schedule) + best->params.size() * kParamBytes;
  if (record != nullptr) {
    bytes += sizeof(TuningRecord);
    HeapBytes{bytes}.Add(*record);
  }
  return bytes;
}

void EventDraft::WriteOut() {
  if (best != nullptr) *message.mutable_progress()->mutable_best_schedule() = ToWire(*best);
  if (record != nullptr) *message.mutable_record() = ToWire(*record);
  best.reset();
  record.reset();
}

}  // namespace mmtune
