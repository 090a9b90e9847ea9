// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/model/model_runner.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "kernels/runtime/host_function.h"
#include "kernels/runtime/jit/loaded_object.h"
#include "kernels/runtime/mgpu.h"
#include "proto/base/status.h"
#include "proto/base/whole_numbers.h"

namespace mmtune {
namespace {

constexpr ModelElement kElements[] = {
    {"f32", 4, true, "float", true},      {"f64", 8, true, "double", true},   {"f16", 2, true, "uint16_t", false},
    {"bf16", 2, true, "uint16_t", false}, {"i1", 1, false, "bool", true},     {"i8", 1, false, "int8_t", true},
    {"i16", 2, false, "int16_t", true},   {"i32", 4, false, "int32_t", true}, {"i64", 8, false, "int64_t", true},
    {"index", 8, false, "int64_t", true}, {"si8", 1, false, nullptr, false},  {"ui8", 1, false, nullptr, false},
};

constexpr size_t kWord = sizeof(int64_t);
constexpr size_t kBufferAlignment = 64;

/// The pointer that MLIR writes for memory that must not be freed.
const void* const kStaticMemory = reinterpret_cast<const void*>(0xdeadbeef);

/// A memref's descriptor as words: allocated, aligned, offset, sizes, strides.
class Descriptor {
 public:
  explicit Descriptor(size_t rank) : rank_(rank), words_(3 + 2 * rank) {}
  Descriptor(size_t rank, const char* bytes) : Descriptor(rank) {
    std::memcpy(words_.data(), bytes, words_.size() * kWord);
  }

  static size_t Bytes(size_t rank) { return (3 + 2 * rank) * kWord; }

  void* data() { return words_.data(); }
  void* allocated() const { return reinterpret_cast<void*>(words_[0]); }
  const char* aligned() const { return reinterpret_cast<const char*>(words_[1]); }
  int64_t offset() const { return words_[2]; }
  int64_t size(size_t i) const { return words_[3 + i]; }
  int64_t stride(size_t i) const { return words_[3 + rank_ + i]; }

  void SetDense(void* memory, const std::vector<int64_t>& sizes) {
    words_[0] = words_[1] = reinterpret_cast<int64_t>(memory);
    int64_t stride = 1;
    for (size_t i = rank_; i-- > 0; stride *= sizes[i]) {
      words_[3 + i] = sizes[i];
      words_[3 + rank_ + i] = stride;
    }
  }

 private:
  size_t rank_;
  std::vector<int64_t> words_;
};

/// Copies the elements of a memref, row by row, to dense memory.
void CopyElements(const Descriptor& from, size_t dimension, size_t rank, int64_t position, size_t element_bytes,
                  char** to) {
  if (dimension == rank) {
    std::memcpy(*to, from.aligned() + position * static_cast<int64_t>(element_bytes), element_bytes);
    *to += element_bytes;
    return;
  }
  for (int64_t i = 0; i < from.size(dimension); ++i) {
    CopyElements(from, dimension + 1, rank, position + i * from.stride(dimension), element_bytes, to);
  }
}

struct FreeMemory {
  void operator()(void* memory) const { std::free(memory); }
};
using AlignedMemory = std::unique_ptr<void, FreeMemory>;

AlignedMemory Allocate(size_t bytes) {
  return AlignedMemory(std::aligned_alloc(kBufferAlignment, RoundUp(std::max<size_t>(bytes, 1), kBufferAlignment)));
}

/// The memory of one call: descriptors, scalars, buffers, and the pointers to them in the order of the packed entry.
class Call {
 public:
  absl::Status AddArguments(const ModelFunction& function, const std::vector<ModelValue>& arguments) {
    if (arguments.size() != function.arguments.size()) {
      return InvalidArgument(
          absl::StrCat("@", function.name, " takes ", function.arguments.size(), " arguments, not ", arguments.size()));
    }
    for (size_t i = 0; i < arguments.size(); ++i) {
      absl::Status status = AddArgument(function.arguments[i], arguments[i]);
      if (!status.ok()) return WithContext(status, absl::StrCat("argument ", i, " of @", function.name));
    }
    return absl::OkStatus();
  }

  /// Allocates memory for results: a struct whose address is the first parameter, or one scalar, whose address is the
  /// last.
  absl::Status AddResults(const ModelFunction& function) {
    size_t bytes = 0;
    for (const ModelType& type : function.results) {
      size_t size = Descriptor::Bytes(type.shape.size()), alignment = kWord;
      if (type.kind == ModelType::Kind::kScalar) {
        ASSIGN_OR_RETURN(int64_t element, ModelElementBytes(type.element));
        size = alignment = static_cast<size_t>(element);
      }
      bytes = RoundUp(bytes, alignment);
      result_offsets_.push_back(bytes);
      bytes += size;
    }
    results_.resize(bytes);
    if (bytes == 0) return absl::OkStatus();
    const bool scalar = function.results.size() == 1 && function.results[0].kind == ModelType::Kind::kScalar;
    result_address_ = results_.data();
    if (scalar) {
      slots_.push_back(result_address_);
    } else {
      slots_.insert(slots_.begin(), &result_address_);
    }
    return absl::OkStatus();
  }

  void** slots() { return slots_.data(); }

  void CopyArgumentsBack(std::vector<ModelValue>* arguments) const {
    for (size_t i = 0; i < arguments->size(); ++i) {
      if (buffers_[i]) std::memcpy((*arguments)[i].data.data(), buffers_[i].get(), (*arguments)[i].data.size());
    }
  }

  absl::StatusOr<std::vector<ModelValue>> TakeResults(const ModelFunction& function) const {
    std::vector<ModelValue> values;
    std::set<void*> owned;
    for (size_t i = 0; i < function.results.size(); ++i) {
      ASSIGN_OR_RETURN(ModelValue value, TakeResult(function.results[i], &results_[result_offsets_[i]], &owned));
      values.push_back(std::move(value));
    }
    for (const AlignedMemory& buffer : buffers_)
      owned.erase(buffer.get());  // A returned argument belongs to the caller.
    for (void* memory : owned) std::free(memory);
    return values;
  }

 private:
  absl::Status AddArgument(const ModelType& type, const ModelValue& value) {
    ASSIGN_OR_RETURN(int64_t element, ModelElementBytes(type.element));
    if (!type.identity_layout) return InvalidArgument(absl::StrCat(type.text, " cannot be passed: it is not dense"));
    if (value.sizes.size() != type.shape.size()) {
      return InvalidArgument(absl::StrCat("a value of rank ", value.sizes.size(), " was given for ", type.text));
    }
    for (size_t i = 0; i < type.shape.size(); ++i) {
      if (type.shape[i] >= 0 && type.shape[i] != value.sizes[i]) {
        return InvalidArgument(
            absl::StrCat("a value of size ", value.sizes[i], " in dimension ", i, " was given for ", type.text));
      }
    }
    if (static_cast<int64_t>(value.data.size()) != value.Elements() * element) {
      return InvalidArgument(
          absl::StrCat(value.data.size(), " bytes were given for ", value.Elements(), " elements of ", type.text));
    }
    AlignedMemory memory = Allocate(value.data.size());
    if (memory == nullptr) return ResourceExhausted(absl::StrCat("no memory for ", value.data.size(), " bytes"));
    std::memcpy(memory.get(), value.data.data(), value.data.size());
    if (type.kind == ModelType::Kind::kMemref) {
      auto descriptor = std::make_unique<Descriptor>(type.shape.size());
      descriptor->SetDense(memory.get(), value.sizes);
      addresses_.push_back(std::make_unique<void*>(descriptor->data()));
      slots_.push_back(addresses_.back().get());
      descriptors_.push_back(std::move(descriptor));
    } else {
      slots_.push_back(memory.get());
    }
    buffers_.push_back(std::move(memory));
    return absl::OkStatus();
  }

  static absl::StatusOr<ModelValue> TakeResult(const ModelType& type, const char* at, std::set<void*>* owned) {
    ASSIGN_OR_RETURN(int64_t element, ModelElementBytes(type.element));
    ModelValue value;
    value.type = type;
    if (type.kind == ModelType::Kind::kScalar) {
      value.data.assign(at, at + element);
      return value;
    }
    const size_t rank = type.shape.size();
    Descriptor descriptor(rank, at);
    for (size_t i = 0; i < rank; ++i) value.sizes.push_back(descriptor.size(i));
    value.data.resize(static_cast<size_t>(value.Elements() * element));
    char* to = value.data.data();
    CopyElements(descriptor, 0, rank, descriptor.offset(), static_cast<size_t>(element), &to);
    if (descriptor.allocated() != kStaticMemory) owned->insert(descriptor.allocated());
    return value;
  }

  std::vector<void*> slots_;
  std::vector<AlignedMemory> buffers_;
  std::vector<std::unique_ptr<Descriptor>> descriptors_;
  std::vector<std::unique_ptr<void*>> addresses_;
  std::vector<char> results_;
  std::vector<size_t> result_offsets_;
  void* result_address_ = nullptr;
};

class JitModelRunner final : public ModelRunner {
 public:
  explicit JitModelRunner(std::unique_ptr<LoadedObject> object) : object_(std::move(object)) {}
  ~JitModelRunner() override { object_->RunDestructors(); }

  absl::StatusOr<std::vector<ModelValue>> Run(const ModelFunction& function,
                                              std::vector<ModelValue>* arguments) override {
    ASSIGN_OR_RETURN(void* entry, object_->Lookup(function.PackedSymbol()));
    Call call;
    RETURN_IF_ERROR(call.AddArguments(function, *arguments));
    RETURN_IF_ERROR(call.AddResults(function));
    reinterpret_cast<void (*)(void**)>(entry)(call.slots());
    absl::Status status = TakeMgpuError();
    call.CopyArgumentsBack(arguments);
    absl::StatusOr<std::vector<ModelValue>> results = call.TakeResults(function);
    RETURN_IF_ERROR(status);
    return results;
  }

 private:
  std::unique_ptr<LoadedObject> object_;
};

}  // namespace

const ModelElement* FindModelElement(std::string_view name) {
  const auto* found = std::find_if(std::begin(kElements), std::end(kElements),
                                   [&](const ModelElement& element) { return element.name == name; });
  return found == std::end(kElements) ? nullptr : found;
}

int64_t ModelValue::Elements() const {
  int64_t elements = 1;
  for (int64_t size : sizes) elements *= size;
  return elements;
}

absl::StatusOr<int64_t> ModelElementBytes(std::string_view element) {
  const ModelElement* found = FindModelElement(element);
  if (found == nullptr) return InvalidArgument(absl::StrCat("values of type ", ToAbsl(element), " cannot be passed"));
  return found->bytes;
}

absl::StatusOr<std::unique_ptr<ModelRunner>> ModelRunner::Load(const CompiledModel& model) {
  ASSIGN_OR_RETURN(std::unique_ptr<LoadedObject> object, LoadHostObject(model.output));
  return std::make_unique<JitModelRunner>(std::move(object));
}

}  // namespace mmtune
