// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/kernel_verify/launch_plan.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

constexpr std::string_view kBuffer = "buffer:", kMap = "map:", kSwizzle = ":swizzle=", kStruct = "struct:",
                           kMapOfNew = ":map[";
constexpr int64_t kMostBufferBytes = int64_t{1} << 30;
constexpr int64_t kMostStructBytes = 32764;  ///< The most bytes of parameters that a kernel may have.
constexpr size_t kMostMapDimensions = 5;
constexpr size_t kAddressBytes = sizeof(DevicePtr), kMapBytes = sizeof(TensorMapBytes);

bool IsName(std::string_view text) {
  const auto is_good = [](char c) {
    return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.';
  };
  return !text.empty() && std::all_of(text.begin(), text.end(), is_good);
}

/// Splits "HEAD[INSIDE]REST"; false if the text has no brackets.
bool SplitBrackets(std::string_view text, std::string_view* head, std::string_view* inside, std::string_view* rest) {
  const size_t open = text.find('['), close = text.find(']');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) return false;
  *head = text.substr(0, open);
  *inside = text.substr(open + 1, close - open - 1);
  *rest = text.substr(close + 1);
  return true;
}

/// The parts of "struct:BYTES{FIELDS}=HEX".
struct StructText {
  std::string_view bytes, hex;
  std::vector<std::string_view> fields;
};

std::optional<StructText> SplitStruct(std::string_view text) {
  const size_t open = text.find('{'), close = text.rfind('}');
  if (!text.starts_with(kStruct) || open == std::string_view::npos || close == std::string_view::npos || close < open)
    return std::nullopt;
  StructText parts;
  parts.bytes = text.substr(kStruct.size(), open - kStruct.size());
  parts.hex = text.substr(close + 1);
  for (const absl::string_view field :
       absl::StrSplit(ToAbsl(text.substr(open + 1, close - open - 1)), ';', absl::SkipWhitespace())) {
    parts.fields.push_back(ToStd(absl::StripAsciiWhitespace(field)));
  }
  return parts;
}

/// Plans the launches of one shape.
class Planner {
 public:
  Planner(const std::vector<ptx::PtxKernel>& kernels, const std::optional<ShapeSizes>& shape)
      : kernels_(kernels), shape_(shape) {}

  absl::Status Add(const KernelLaunch& launch) {
    ASSIGN_OR_RETURN(const ptx::PtxKernel* kernel, Find(launch.kernel));
    PlannedLaunch planned;
    planned.kernel = kernel->name;
    RETURN_IF_ERROR(ReadExtents("grid", launch.grid, planned.shape.grid));
    RETURN_IF_ERROR(ReadExtents("cluster", launch.cluster, planned.shape.cluster));
    if (!launch.block.empty()) {
      RETURN_IF_ERROR(ReadExtents("block", launch.block, planned.shape.block));
    } else if (kernel->requiredThreads) {
      std::copy(kernel->requiredThreads->begin(), kernel->requiredThreads->end(), planned.shape.block);
    } else {
      return InvalidArgument(
          absl::StrCat("the kernel ", kernel->name, " does not say how many threads a block has: give --block"));
    }
    uint32_t shared[3] = {0, 1, 1};
    RETURN_IF_ERROR(ReadExtents("shared", launch.shared, shared));
    if (shared[1] != 1 || shared[2] != 1)
      return InvalidArgument(absl::StrCat("--shared ", launch.shared, ": expected one number of bytes"));
    planned.shape.dynamic_shared_bytes = shared[0];
    for (size_t i = 0; i < launch.arguments.size(); ++i) {
      const std::string position =
          plan_.launches.empty() ? absl::StrCat(i) : absl::StrCat(plan_.launches.size(), ".", i);
      absl::StatusOr<KernelArgument> argument = ReadArgument(launch.arguments[i], position);
      if (!argument.ok())
        return WithContext(argument.status(), absl::StrCat("argument ", i, " (", launch.arguments[i], ")"));
      planned.arguments.push_back(*std::move(argument));
    }
    RETURN_IF_ERROR(CheckArguments(*kernel, launch, planned.arguments));
    plan_.launches.push_back(std::move(planned));
    return absl::OkStatus();
  }

  KernelLaunchPlan Take() { return std::move(plan_); }

 private:
  absl::StatusOr<const ptx::PtxKernel*> Find(const std::string& name) const {
    for (const ptx::PtxKernel& kernel : kernels_) {
      if (kernel.name == name || (name.empty() && kernels_.size() == 1)) return &kernel;
    }
    if (kernels_.empty()) return InvalidArgument("the PTX has no kernel (.entry)");
    constexpr size_t kShown = 5;
    std::vector<std::string> names;
    for (const ptx::PtxKernel& kernel : kernels_) {
      if (names.size() < kShown) names.push_back(kernel.name);
    }
    const std::string known = absl::StrCat(absl::StrJoin(names, ", "), kernels_.size() > kShown ? ", …" : "");
    if (name.empty()) return InvalidArgument(absl::StrCat("the PTX has several kernels; give --kernel: ", known));
    return InvalidArgument(absl::StrCat("the PTX has no kernel ", name, "; it has ", known));
  }

  absl::Status ReadExtents(const char* what, const std::string& text, uint32_t* out) const {
    absl::StatusOr<std::vector<int64_t>> values = EvaluateSizes(text, shape_);
    if (!values.ok()) return WithContext(values.status(), absl::StrCat("--", what));
    if (values->size() > 3) return InvalidArgument(absl::StrCat("--", what, " ", text, ": more than three numbers"));
    for (size_t i = 0; i < values->size(); ++i) {
      if ((*values)[i] < 0 || (*values)[i] > std::numeric_limits<int32_t>::max()) {
        return InvalidArgument(
            absl::StrCat("--", what, " ", text, ": ", (*values)[i], " is not a number from 0 to 2147483647"));
      }
      out[i] = static_cast<uint32_t>((*values)[i]);
    }
    return absl::OkStatus();
  }

  /// Reads an argument. `position` names a buffer that has no name.
  absl::StatusOr<KernelArgument> ReadArgument(std::string_view text, const std::string& position) {
    if (text.starts_with(kStruct)) return ReadStruct(text, position);
    const size_t at = text.find(kBuffer);
    if (at == 0 || (at != std::string_view::npos && text[at - 1] == '=')) {
      const std::string name = at == 0 ? position : std::string(text.substr(0, at - 1));
      const size_t map = text.find(kMapOfNew);
      ASSIGN_OR_RETURN(KernelArgument buffer, ReadBuffer(name, text.substr(0, map).substr(at + kBuffer.size())));
      if (map == std::string_view::npos) return buffer;
      return ReadMap(name + std::string(text.substr(map + kMapOfNew.size() - 1)));
    }
    if (text.starts_with(kMap)) return ReadMap(text.substr(kMap.size()));
    const size_t equal = text.find('=');
    if (equal != std::string_view::npos) return ReadScalar(text.substr(0, equal), text.substr(equal + 1));
    KernelArgument argument;
    ASSIGN_OR_RETURN(argument.buffer, FindBuffer(text));
    return argument;
  }

  absl::StatusOr<size_t> FindBuffer(std::string_view name) const {
    for (size_t i = 0; i < plan_.buffers.size(); ++i) {
      if (plan_.buffers[i].name == name) return i;
    }
    return InvalidArgument(absl::StrCat("no earlier argument is a buffer named '", ToAbsl(name),
                                        "'; an argument is [NAME=]buffer:TYPE[DIMS][=FILL], TYPE=VALUE, NAME, ",
                                        "map:NAME[BOX] or struct:BYTES{OFFSET:ARGUMENT;...}"));
  }

  absl::StatusOr<KernelArgument> ReadBuffer(std::string name, std::string_view text) {
    if (!IsName(name))
      return InvalidArgument(absl::StrCat("'", name, "' is no name of a buffer: give letters, digits, '_' and '.'"));
    for (const KernelBuffer& buffer : plan_.buffers) {
      if (buffer.name == name) return InvalidArgument(absl::StrCat("two buffers are named ", name));
    }
    std::string_view type, extents, rest;
    if (!SplitBrackets(text, &type, &extents, &rest) || (!rest.empty() && rest[0] != '='))
      return InvalidArgument("a buffer is TYPE[DIM,DIM...], then =FILL: buffer:f16[M,K]=random");
    KernelBuffer buffer;
    buffer.name = std::move(name);
    ASSIGN_OR_RETURN(buffer.type, FindElementType(type));
    ASSIGN_OR_RETURN(buffer.extents, EvaluateSizes(extents, shape_));
    int64_t bytes = buffer.type->bytes;
    for (int64_t extent : buffer.extents) {
      if (extent < 1) return InvalidArgument(absl::StrCat("an extent is ", extent, "; it must be 1 or more"));
      if (__builtin_mul_overflow(bytes, extent, &bytes) || bytes > kMostBufferBytes)
        return InvalidArgument("the buffer is larger than the limit of 1 GiB");
    }
    if (!rest.empty()) {
      buffer.fill = std::string(rest.substr(1));
      RETURN_IF_ERROR(CheckFill(*buffer.type, buffer.fill));
    }
    KernelArgument argument;
    argument.buffer = plan_.buffers.size();
    plan_.buffers.push_back(std::move(buffer));
    return argument;
  }

  absl::StatusOr<KernelArgument> ReadMap(std::string_view text) const {
    std::string_view name, box, rest;
    if (!SplitBrackets(text, &name, &box, &rest) || (!rest.empty() && !rest.starts_with(kSwizzle)))
      return InvalidArgument("a tensor map is map:NAME[DIM,DIM...], then :swizzle=32, 64 or 128");
    KernelArgument argument;
    argument.is_map = true;
    ASSIGN_OR_RETURN(argument.buffer, FindBuffer(name));
    ASSIGN_OR_RETURN(std::vector<int64_t> extents, EvaluateSizes(box, shape_));
    const size_t dimensions = plan_.buffers[*argument.buffer].extents.size();
    std::reverse(extents.begin(), extents.end());
    const auto is_one = [](int64_t extent) { return extent == 1; };
    if (extents.size() < dimensions || extents.size() > kMostMapDimensions ||
        !std::all_of(extents.begin() + static_cast<std::ptrdiff_t>(dimensions), extents.end(), is_one))
      return InvalidArgument(
          "the box has another number of dimensions than the buffer; only extents of 1 may be added in front");
    for (int64_t extent : extents) {
      if (extent < 1 || extent > 256)
        return InvalidArgument(absl::StrCat("an extent of the box is ", extent, "; it must be 1 to 256"));
      argument.box.push_back(static_cast<uint32_t>(extent));
    }
    if (rest.empty()) return argument;
    constexpr std::string_view kSwizzles[] = {"0", "32", "64", "128"};
    const auto found = std::find(std::begin(kSwizzles), std::end(kSwizzles), rest.substr(kSwizzle.size()));
    if (found == std::end(kSwizzles)) return InvalidArgument("swizzle must be 0, 32, 64 or 128");
    argument.swizzle = static_cast<int>(found - kSwizzles);
    return argument;
  }

  absl::StatusOr<KernelArgument> ReadStruct(std::string_view text, const std::string& position) {
    const std::optional<StructText> parts = SplitStruct(text);
    if (!parts || (!parts->hex.empty() && parts->hex[0] != '='))
      return InvalidArgument("a struct is struct:BYTES{OFFSET:ARGUMENT;...}, then =HEX for its other bytes");
    ASSIGN_OR_RETURN(const std::vector<int64_t> sizes, EvaluateSizes(parts->bytes, shape_));
    if (sizes.size() != 1 || sizes[0] < 1 || sizes[0] > kMostStructBytes)
      return InvalidArgument(absl::StrCat("a struct has 1 to ", kMostStructBytes, " bytes"));
    KernelArgument argument;
    argument.bytes.resize(static_cast<size_t>(sizes[0]), '\0');
    if (!parts->hex.empty()) {
      const std::string_view hex = parts->hex.substr(1);
      const auto is_digit = [](char c) { return absl::ascii_isxdigit(static_cast<unsigned char>(c)); };
      if (hex.size() % 2 != 0 || !std::all_of(hex.begin(), hex.end(), is_digit))
        return InvalidArgument("what follows '=' is no hexadecimal number of whole bytes");
      argument.bytes = absl::HexStringToBytes(ToAbsl(hex));
    }
    if (argument.bytes.size() != static_cast<size_t>(sizes[0])) {
      return InvalidArgument(
          absl::StrCat("a struct of ", sizes[0], " bytes with ", argument.bytes.size(), " bytes behind '='"));
    }
    std::vector<bool> taken(argument.bytes.size());
    for (const std::string_view field : parts->fields) {
      absl::StatusOr<KernelArgument> read = ReadField(field, position, &taken);
      if (!read.ok()) return WithContext(read.status(), absl::StrCat("field ", ToAbsl(field)));
      argument.fields.push_back(*std::move(read));
    }
    return argument;
  }

  /// Reads "OFFSET:ARGUMENT", and marks the bytes of the struct that it takes.
  absl::StatusOr<KernelArgument> ReadField(std::string_view text, const std::string& position,
                                           std::vector<bool>* taken) {
    const size_t colon = text.find(':');
    if (colon == std::string_view::npos) return InvalidArgument("expected OFFSET:ARGUMENT, as in 0:i32=4");
    ASSIGN_OR_RETURN(const std::vector<int64_t> offsets, EvaluateSizes(text.substr(0, colon), shape_));
    const std::string_view value = text.substr(colon + 1);
    if (value.starts_with(kStruct))
      return InvalidArgument("a struct cannot be in a struct; give its fields as those of the outer one");
    const int64_t offset = offsets.size() == 1 ? offsets[0] : -1;
    ASSIGN_OR_RETURN(KernelArgument argument, ReadArgument(value, absl::StrCat(position, ".", offset)));
    const auto bytes = static_cast<int64_t>(argument.size()), all = static_cast<int64_t>(taken->size());
    if (offset < 0 || bytes > all || offset > all - bytes)
      return InvalidArgument(absl::StrCat("its ", bytes, " bytes must lie within the struct of ", all, " bytes"));
    for (int64_t i = offset; i < offset + bytes; ++i) {
      if ((*taken)[static_cast<size_t>(i)])
        return InvalidArgument(absl::StrCat("two fields of the struct overlap at byte ", i));
      (*taken)[static_cast<size_t>(i)] = true;
    }
    argument.offset = static_cast<size_t>(offset);
    return argument;
  }

  absl::StatusOr<KernelArgument> ReadScalar(std::string_view type_name, std::string_view text) const {
    ASSIGN_OR_RETURN(const ElementType* type, FindElementType(type_name));
    int64_t value = 0;
    if (type->kind == ElementType::Kind::kSigned || type->kind == ElementType::Kind::kUnsigned) {
      ASSIGN_OR_RETURN(const std::vector<int64_t> values, EvaluateSizes(text, shape_));
      if (values.size() != 1) return InvalidArgument("expected one integer or expression after '='");
      value = values[0];
    }
    KernelArgument argument;
    ASSIGN_OR_RETURN(argument.bytes, EncodeScalar(*type, text, value));
    return argument;
  }

  static absl::Status CheckArguments(const ptx::PtxKernel& kernel, const KernelLaunch& launch,
                                     const std::vector<KernelArgument>& arguments) {
    if (arguments.size() != kernel.parameters.size()) {
      return InvalidArgument(absl::StrCat("the kernel ", kernel.name, " takes another number of arguments (--arg): ",
                                          kernel.parameters.size(), ", not ", arguments.size()));
    }
    for (size_t i = 0; i < arguments.size(); ++i) {
      if (arguments[i].size() == kernel.parameters[i].bytes) continue;
      return InvalidArgument(absl::StrCat("argument ", i, " (", launch.arguments[i], ") has ", arguments[i].size(),
                                          " bytes, the parameter ", kernel.parameters[i].name, " has ",
                                          kernel.parameters[i].bytes));
    }
    return absl::OkStatus();
  }

  const std::vector<ptx::PtxKernel>& kernels_;
  const std::optional<ShapeSizes>& shape_;
  KernelLaunchPlan plan_;
};

}  // namespace

int64_t KernelBuffer::elements() const {
  int64_t count = 1;
  for (int64_t extent : extents) count *= extent;
  return count;
}

size_t KernelArgument::size() const {
  if (!buffer) return bytes.size();
  return is_map ? kMapBytes : kAddressBytes;
}

absl::StatusOr<KernelLaunchPlan> PlanLaunches(const std::vector<KernelLaunch>& launches,
                                              const std::vector<ptx::PtxKernel>& kernels,
                                              const std::optional<ShapeSizes>& shape) {
  Planner planner(kernels, shape);
  for (size_t i = 0; i < launches.size(); ++i) {
    const absl::Status added = planner.Add(launches[i]);
    if (!added.ok()) return launches.size() == 1 ? added : WithContext(added, absl::StrCat("launch ", i));
  }
  return planner.Take();
}

bool NamesShape(const std::vector<KernelLaunch>& launches) {
  // Names of buffers may have these letters, too.
  const auto in_value = [](std::string_view argument) {
    std::string_view head, inside, rest;
    if (SplitBrackets(argument, &head, &inside, &rest)) return NamesShape(inside);
    const size_t equal = argument.find('=');
    return equal != std::string::npos && NamesShape(argument.substr(equal + 1));
  };
  const auto in_argument = [&](const std::string& argument) {
    const std::optional<StructText> parts = SplitStruct(argument);
    return parts ? std::any_of(parts->fields.begin(), parts->fields.end(), in_value) : in_value(argument);
  };
  return std::any_of(launches.begin(), launches.end(), [&](const KernelLaunch& launch) {
    return NamesShape(launch.grid) || NamesShape(launch.block) || NamesShape(launch.cluster) ||
           NamesShape(launch.shared) || std::any_of(launch.arguments.begin(), launch.arguments.end(), in_argument);
  });
}

}  // namespace mmtune
