// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/perf_model/profile/sass.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <map>
#include <optional>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "proto/base/folders.h"
#include "proto/base/status.h"
#include "proto/base/subprocess.h"
#include "proto/base/whole_file.h"

namespace mmtune {
namespace {

std::optional<uint64_t> Hex(absl::string_view text) {
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

SassControl ControlOf(uint64_t high) {
  auto bits = [high](int from, int count) { return static_cast<int>(high >> from & ((uint64_t{1} << count) - 1)); };
  return {.stall = bits(41, 4),
          .yields = bits(45, 1) == 0,
          .write_barrier = bits(46, 3),
          .read_barrier = bits(49, 3),
          .waits = bits(52, 6),
          .reuse = bits(58, 4)};
}

/// Splits operands at commas that are not within brackets.
std::vector<std::string> SplitOperands(absl::string_view text) {
  std::vector<std::string> operands;
  int depth = 0;
  size_t begin = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && (text[i] == '[' || text[i] == '{' || text[i] == '(')) ++depth;
    if (i < text.size() && (text[i] == ']' || text[i] == '}' || text[i] == ')')) --depth;
    if (i < text.size() && (text[i] != ',' || depth > 0)) continue;
    const absl::string_view operand = absl::StripAsciiWhitespace(text.substr(begin, i - begin));
    if (!operand.empty()) operands.emplace_back(operand);
    begin = i + 1;
  }
  return operands;
}

/// Reads a listing line by line.
class SassReader {
 public:
  absl::StatusOr<SassListing> Read(absl::string_view text) {
    for (absl::string_view line : absl::StrSplit(text, '\n')) {
      line = absl::StripAsciiWhitespace(line);
      if (absl::ConsumePrefix(&line, ".target")) {
        line = absl::StripAsciiWhitespace(line);
        listing_.arch = std::string(line.substr(0, line.find_first_of(" \t,")));
      } else if (absl::ConsumePrefix(&line, ".section ") || absl::ConsumePrefix(&line, ".section\t")) {
        RETURN_IF_ERROR(EndFunction());
        line = absl::StripAsciiWhitespace(line);
        in_code_ = absl::ConsumePrefix(&line, ".text.");
        if (in_code_) listing_.functions.push_back({std::string(line.substr(0, line.find_first_of(", \t"))), {}});
      } else if (in_code_ && absl::StartsWith(line, "/*")) {
        RETURN_IF_ERROR(ReadCode(line));
      } else if (in_code_ && absl::EndsWith(line, ":")) {
        labels_[line.substr(0, line.size() - 1)] = instructions().size();
      }
    }
    RETURN_IF_ERROR(EndFunction());
    if (listing_.functions.empty())
      return InvalidArgument(
          "nvdisasm printed no instructions; its version may not be supported: name another by MMTUNE_NVDISASM");
    return std::move(listing_);
  }

 private:
  std::vector<SassInstruction>& instructions() { return listing_.functions.back().instructions; }

  /// "/*0010*/  @P0 LDS.128 R4, [R2] ;  /* 0x… */", or the upper half of the encoding alone.
  absl::Status ReadCode(absl::string_view line) {
    const size_t encoding = line.rfind("/* 0x");
    if (encoding == line.npos) return Malformed(line);
    absl::string_view digits = line.substr(encoding + 5);
    const std::optional<uint64_t> half = Hex(digits.substr(0, digits.find(' ')));
    if (!half) return Malformed(line);
    if (encoding == 0) {
      if (!wants_upper_half_) return Malformed(line);
      instructions().back().control = ControlOf(*half);
      wants_upper_half_ = false;
      return absl::OkStatus();
    }
    if (wants_upper_half_) return Malformed(line);
    wants_upper_half_ = true;
    const size_t after_address = line.find("*/");
    const std::optional<uint64_t> address = Hex(line.substr(2, after_address - 2));
    absl::string_view code = line.substr(after_address + 2, encoding - after_address - 2);
    code = absl::StripAsciiWhitespace(code);
    absl::ConsumeSuffix(&code, ";");
    if (!address || code.empty()) return Malformed(line);
    AddInstruction(static_cast<uint32_t>(*address), code);
    return absl::OkStatus();
  }

  void AddInstruction(uint32_t address, absl::string_view code) {
    SassInstruction instruction;
    instruction.address = address;
    if (absl::ConsumePrefix(&code, "@")) {
      const size_t end = code.find(' ');
      instruction.predicate = std::string(code.substr(0, end));
      code = absl::StripAsciiWhitespace(code.substr(std::min(end, code.size())));
    }
    const size_t end = std::min(code.find(' '), code.size());
    instruction.opcode = std::string(code.substr(0, end));
    instruction.operands = SplitOperands(code.substr(end));
    if (const size_t label = code.find("`("); label != code.npos) {
      branches_.emplace_back(instructions().size(), code.substr(label + 2, code.find(')', label) - label - 2));
    }
    instructions().push_back(std::move(instruction));
  }

  absl::Status EndFunction() {
    if (wants_upper_half_) return InvalidArgument("the output of nvdisasm ends within an instruction");
    for (const auto& [index, label] : branches_) {
      const auto target = labels_.find(label);
      if (target != labels_.end()) instructions()[index].target = static_cast<int>(target->second);
    }
    branches_.clear();
    labels_.clear();
    in_code_ = false;
    return absl::OkStatus();
  }

  static absl::Status Malformed(absl::string_view line) {
    return InvalidArgument(absl::StrCat("cannot read what nvdisasm printed: '", line.substr(0, 80),
                                        "'; its version may not be supported: name another by MMTUNE_NVDISASM"));
  }

  SassListing listing_;
  bool in_code_ = false, wants_upper_half_ = false;
  std::map<absl::string_view, size_t> labels_;  ///< Labels of the function and the instructions behind them.
  std::vector<std::pair<size_t, absl::string_view>> branches_;  ///< Instructions and their labels.
};

}  // namespace

const SassFunction* SassListing::Find(std::string_view name) const {
  const auto found = std::ranges::find(functions, name, &SassFunction::name);
  return found == functions.end() ? nullptr : &*found;
}

absl::StatusOr<SassListing> ParseSass(std::string_view text) { return SassReader().Read(ToAbsl(text)); }

int64_t MultiplyAdds(const SassInstruction& instruction, bool of_integers) {
  constexpr int64_t kLanes = 32;
  if (instruction.IsPadding()) return 0;
  const std::vector<absl::string_view> parts = absl::StrSplit(instruction.opcode, '.');
  if (parts[0] == "FFMA" || parts[0] == "FHFMA" || parts[0] == "DFMA") return kLanes;
  // Its other forms (IMAD.MOV, IMAD.SHL, IMAD.WIDE, IMAD.X) move, shift and compute addresses.
  if (of_integers && instruction.opcode == "IMAD") return kLanes;
  if (parts[0] == "FFMA2") return 2 * kLanes;
  if (parts[0] == "HFMA2") {
    // The assembler writes a constant as 0 + 0 * 0.
    const bool is_constant = instruction.operands.size() > 2 && absl::StrContains(instruction.operands[1], "RZ") &&
                             absl::StrContains(instruction.operands[2], "RZ");
    return is_constant ? 0 : 2 * kLanes;
  }
  if (parts[0] == "HGMMA" || parts[0] == "IGMMA") {
    const std::vector<absl::string_view> shape = absl::StrSplit(parts.size() > 1 ? parts[1] : absl::string_view(), 'x');
    int64_t rows = 0, columns = 0, k = 0;
    const bool is_known = shape.size() == 3 && absl::SimpleAtoi(shape[0], &rows) &&
                          absl::SimpleAtoi(shape[1], &columns) && absl::SimpleAtoi(shape[2], &k);
    return is_known ? rows * columns * k / 4 : 0;
  }
  if (parts[0] != "HMMA" && parts[0] != "IMMA" && parts[0] != "DMMA") return 0;
  /// Rows, columns and k.
  constexpr std::pair<absl::string_view, int64_t> kShapes[] = {
      {"16832", 16 * 8 * 32}, {"16816", 16 * 8 * 16},   {"1688", 16 * 8 * 8}, {"1684", 16 * 8 * 4},
      {"8816", 8 * 8 * 16},   {"884", 8 * 8 * 4},       {"8x8x4", 8 * 8 * 4}, {"16x8x4", 16 * 8 * 4},
      {"16x8x8", 16 * 8 * 8}, {"16x8x16", 16 * 8 * 16},
  };
  for (const absl::string_view part : parts) {
    for (const auto& [shape, multiply_adds] : kShapes) {
      if (part == shape) return multiply_adds;
    }
  }
  return 0;
}

absl::StatusOr<SassLoop> FindHotLoop(const SassFunction& function) {
  const bool of_integers = std::ranges::none_of(
      function.instructions, [](const SassInstruction& instruction) { return MultiplyAdds(instruction) > 0; });
  std::vector<std::pair<SassLoop, int64_t>> loops;
  bool has_loop = false;
  for (size_t last = 0; last < function.instructions.size(); ++last) {
    const int target = function.instructions[last].target;
    // The assembler ends a kernel with a branch to itself.
    if (target < 0 || static_cast<size_t>(target) >= last) continue;
    has_loop = true;
    const SassLoop loop{static_cast<size_t>(target), last, of_integers};
    int64_t work = 0;
    for (size_t i = loop.first; i <= loop.last; ++i) work += MultiplyAdds(function.instructions[i], of_integers);
    if (work > 0) loops.emplace_back(loop, work);
  }
  int64_t most = 0;
  SassLoop best;
  for (const auto& [loop, work] : loops) {
    // Multiply-adds of an outer loop, as at the end of a tile of C, do not make it hotter than the inner one.
    const bool is_outer = std::ranges::any_of(loops, [&outer = loop](const auto& other) {
      return other.first.first >= outer.first && other.first.last <= outer.last && other.first.size() < outer.size();
    });
    if (is_outer || work < most || (work == most && loop.size() >= best.size())) continue;
    most = work;
    best = loop;
  }
  if (!has_loop) return NotFound(absl::StrCat(function.name, " has no loop: it was unrolled entirely"));
  if (most == 0) {
    return NotFound(absl::StrCat(function.name, " has no loop of FFMA, FHFMA, HFMA2, DFMA, HMMA, IMMA, DMMA or HGMMA",
                                 of_integers ? ", nor of IMAD" : ""));
  }
  return best;
}

namespace {

constexpr std::chrono::minutes kTimeout{2};

}  // namespace

std::string FindDisassembler() { return FindCudaTool("nvdisasm", "MMTUNE_NVDISASM"); }

absl::StatusOr<SassListing> Disassemble(std::string_view cubin, std::string_view arch) {
  const std::string program = FindDisassembler();
  if (program.empty()) {
    return FailedPrecondition(
        "no nvdisasm in MMTUNE_NVDISASM, PATH, $CUDA_HOME/bin or /usr/local/cuda/bin: install the CUDA toolkit's, or "
        "PyPI's nvidia-cuda-nvdisasm");
  }
  ASSIGN_OR_RETURN(OwnedFolder folder, OwnedFolder::Temporary("mmtune-nvdisasm-"));
  const std::string file = absl::StrCat(folder.path(), "/kernel.cubin");
  RETURN_IF_ERROR(WriteWholeFile(file, cubin));
  SubprocessOptions options;
  options.argv = {program, "-c", "-hex", file};
  options.output_path = absl::StrCat(folder.path(), "/output");
  ASSIGN_OR_RETURN(Subprocess process, Subprocess::Spawn(options));
  const std::optional<ExitStatus> ended = process.Wait(kTimeout);
  if (!ended) return Internal("nvdisasm did not finish within 2 minutes");
  ASSIGN_OR_RETURN(const std::string output, ReadWholeFile(options.output_path));
  if (!ended->ok()) {
    const std::string complaint = output.substr(0, output.find('\n'));
    return InvalidArgument(
        absl::StrCat("nvdisasm: ", ended->Text(), complaint.empty() ? " and no output" : ": ", complaint));
  }
  ASSIGN_OR_RETURN(SassListing listing, ParseSass(output));
  if (listing.arch != arch) {
    return InvalidArgument(absl::StrCat("the cubin is for ", listing.arch, ", not for ", ToAbsl(arch)));
  }
  return listing;
}

}  // namespace mmtune
