// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/kernels/fuzz/module_run.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <memory>

#include "absl/strings/str_cat.h"
#include "kernels/runtime/jit/loaded_object.h"
#include "kernels/runtime/mgpu.h"
#include "proto/base/status.h"
#include "tests/kernels/fuzz/host_heap.h"
#include "tests/kernels/fuzz/module_generator.h"
#include "tests/kernels/fuzz/random_source.h"

namespace mmtune {
namespace {

template <int kRank>
struct Descriptor {
  float* allocated;
  float* aligned;
  int64_t offset;
  int64_t sizes[kRank];
  int64_t strides[kRank];
};

struct Results {
  Descriptor<1> first, second, dynamic;
  Descriptor<2> any;
  float number;
};

using Entry = void (*)(Results*, Descriptor<1>*, Descriptor<1>*, Descriptor<2>*, Descriptor<2>*, Descriptor<1>*,
                       int64_t n, int64_t flags, float v);

/// The memory of the arguments, with some around it.
struct Arguments {
  explicit Arguments(RandomSource& random) {
    for (auto* memory : {&dense, &dynamic, &pitched, &spread}) {
      for (float& value : *memory) value = static_cast<float>(static_cast<int>(random.Below(17)) - 8);
    }
  }
  std::vector<float> dense = std::vector<float>(48);
  std::vector<float> dynamic = std::vector<float>(16);
  std::vector<float> pitched = std::vector<float>(64);  ///< Holds two arguments side by side.
  std::vector<float> spread = std::vector<float>(24);
};

std::vector<uint32_t> Words(const float* values, size_t count) {
  std::vector<uint32_t> words(count);
  if (count > 0) std::memcpy(words.data(), values, count * sizeof(float));
  return words;
}

/// The memory of the module's globals, which it declares without a value.
struct Globals {
  Globals() {
    state.fill(0.5f);
    grid.fill(-2.0f);
  }

  alignas(64) std::array<float, 32> state;
  alignas(64) std::array<float, 32> grid;
};

class Runner {
 public:
  /// The module refers to the globals.
  Runner(LoadedObject* object, Globals* globals, uint64_t seed)
      : object_(object), globals_{globals->state.data(), globals->grid.data()}, random_(seed) {}

  absl::Status Run() {
    for (int i = 0; i < kEntries; ++i) {
      const std::string name = absl::StrCat("entry", i);
      ASSIGN_OR_RETURN(void* entry, object_->Lookup("_mlir_ciface_" + name));
      for (int64_t n : {int64_t{4}, static_cast<int64_t>(random_.Below(4))}) {
        Call(name, reinterpret_cast<Entry>(entry), n);
      }
    }
    return absl::OkStatus();
  }

  Observation Take() { return std::move(seen_); }

 private:
  void Call(const std::string& name, Entry entry, int64_t n) {
    Arguments memory(random_);
    Descriptor<1> dense{memory.dense.data(), memory.dense.data() + 8, 0, {32}, {1}};
    Descriptor<1> dynamic{memory.dynamic.data(), memory.dynamic.data() + 6, 0, {n}, {1}};
    Descriptor<2> pitched{memory.pitched.data(), memory.pitched.data(), 5, {4, 8}, {12, 1}};
    Descriptor<2> beside{memory.pitched.data(), memory.pitched.data(), 13, {3, n}, {12, 1}};
    Descriptor<1> spread{memory.spread.data(), memory.spread.data() + 4, 3, {n}, {2}};
    Results results;
    std::memset(&results, 0, sizeof(results));
    entry(&results, &dense, &dynamic, &pitched, &beside, &spread, n, static_cast<int64_t>(random_.Below(256)), 1.5f);

    where_ = absl::StrCat(name, " with n = ", n, ": ");
    places_.clear();
    for (auto* argument : {&memory.dense, &memory.dynamic, &memory.pitched, &memory.spread}) {
      places_.push_back(argument->data());
      Add(absl::StrCat("memory of argument ", places_.size() - 1), Words(argument->data(), argument->size()));
    }
    for (float* global : globals_) {
      Add(absl::StrCat("global ", places_.size() - 4), Words(global, 32));
      places_.push_back(global);
    }
    AddResult("result 0", results.first);
    AddResult("result 1", results.second);
    AddResult("result 2", results.dynamic);
    AddResult("result 3", results.any);
    Add("result 4", Words(&results.number, 1));
    for (float* place : places_) {
      if (HostHeap::IsLive(place)) HostHeap::Free(place);
    }
    seen_.leaked.push_back(HostHeap::Live() - leaked_);
    leaked_ = HostHeap::Live();
  }

  void Add(const std::string& name, std::vector<uint32_t> words) {
    seen_.parts.push_back({where_ + name, std::move(words)});
  }

  /// Shape, elements, and what it is the same as.
  template <int kRank>
  void AddResult(const std::string& name, const Descriptor<kRank>& result) {
    // A global's descriptor says nothing of what was allocated: only its aligned pointer is one.
    auto place = std::find_if(places_.begin(), places_.end(),
                              [&](float* known) { return known == result.allocated || known == result.aligned; });
    Add(name + ", what it is", {static_cast<uint32_t>(place - places_.begin())});
    if (place == places_.end()) places_.push_back(result.allocated);

    std::vector<uint32_t> shape{static_cast<uint32_t>(result.offset)};
    for (int i = 0; i < kRank; ++i) {
      shape.push_back(static_cast<uint32_t>(result.sizes[i]));
      shape.push_back(static_cast<uint32_t>(result.strides[i]));
    }
    Add(name + ", shape", shape);

    std::vector<float> elements;
    int64_t rows = kRank == 1 ? 1 : result.sizes[0], columns = result.sizes[kRank - 1];
    for (int64_t i = 0; i < rows; ++i) {
      for (int64_t j = 0; j < columns; ++j) {
        elements.push_back(
            result.aligned[result.offset + i * (kRank == 1 ? 0 : result.strides[0]) + j * result.strides[kRank - 1]]);
      }
    }
    Add(name, Words(elements.data(), elements.size()));
  }

  LoadedObject* const object_;
  std::array<float*, 2> globals_;
  RandomSource random_;
  Observation seen_;
  std::string where_;
  std::vector<float*> places_;  ///< Memory known so far: of arguments, globals, results.
  size_t leaked_ = 0;
};

absl::Status CheckBalance(const MgpuCounters& before, const MgpuCounters& after) {
  auto check = [](const char* what, int64_t made, int64_t destroyed) {
    if (made == destroyed) return absl::OkStatus();
    return Internal(absl::StrCat("of ", made, " ", what, " ", destroyed, " were destroyed"));
  };
  RETURN_IF_ERROR(check("device allocations", after.allocations - before.allocations, after.frees - before.frees));
  RETURN_IF_ERROR(check("streams", after.streams_created - before.streams_created,
                        after.streams_destroyed - before.streams_destroyed));
  RETURN_IF_ERROR(
      check("events", after.events_created - before.events_created, after.events_destroyed - before.events_destroyed));
  return check("modules", after.modules_loaded - before.modules_loaded,
               after.modules_unloaded - before.modules_unloaded);
}

bool Same(uint32_t a, uint32_t b) {
  return a == b || (std::isnan(std::bit_cast<float>(a)) && std::isnan(std::bit_cast<float>(b)));
}

}  // namespace

absl::StatusOr<Observation> RunModule(std::string_view object, uint64_t seed) {
  LoadedObject::Symbols symbols = MgpuSymbols();
  for (auto& symbol : HostHeap::Symbols()) symbols.push_back(std::move(symbol));
  Globals globals;
  symbols.push_back({"state", globals.state.data()});
  symbols.push_back({"grid", globals.grid.data()});
  const MgpuCounters before = GetMgpuCounters();
  ASSIGN_OR_RETURN(std::unique_ptr<LoadedObject> loaded, LoadedObject::Load(object, symbols));
  loaded->RunConstructors();
  Runner runner(loaded.get(), &globals, seed);
  const absl::Status ran = runner.Run();
  loaded->RunDestructors();
  const std::string misuse = HostHeap::Reset();
  RETURN_IF_ERROR(TakeMgpuError());
  RETURN_IF_ERROR(ran);
  if (!misuse.empty()) return Internal(misuse);
  RETURN_IF_ERROR(CheckBalance(before, GetMgpuCounters()));
  return runner.Take();
}

std::string Difference(const Observation& expected, const Observation& actual) {
  for (size_t i = 0; i < expected.parts.size(); ++i) {
    const auto& [name, words] = expected.parts[i];
    const std::vector<uint32_t>& others = actual.parts[i].words;
    if (words.size() != others.size()) return absl::StrCat(name, ": ", others.size(), " words, not ", words.size());
    for (size_t j = 0; j < words.size(); ++j) {
      if (Same(words[j], others[j])) continue;
      return absl::StrCat(name, ", word ", j, ": ", others[j], " (", std::bit_cast<float>(others[j]), "), not ",
                          words[j], " (", std::bit_cast<float>(words[j]), ")");
    }
  }
  for (size_t i = 0; i < expected.leaked.size(); ++i) {
    if (actual.leaked[i] > expected.leaked[i]) {
      return absl::StrCat("call ", i, " left ", actual.leaked[i], " host allocations, not ", expected.leaked[i]);
    }
  }
  return "";
}

}  // namespace mmtune
