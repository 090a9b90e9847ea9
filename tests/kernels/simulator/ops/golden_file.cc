// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/kernels/simulator/ops/golden_file.h"

#include <fstream>
#include <functional>
#include <sstream>
#include <stdexcept>

#include "tests/kernels/runtime/test_files.h"

namespace mmtune {
namespace {

using Line = std::istringstream;
using Handlers = std::map<std::string, std::function<void(Line&)>>;

template <typename T>
std::vector<T> Values(Line& line) {
  std::vector<T> values;
  for (T value; line >> value;) values.push_back(value);
  return values;
}

uint32_t Hex(Line& line) {
  uint32_t value = 0;
  line >> std::hex >> value >> std::dec;
  return value;
}

std::vector<uint32_t> HexWords(Line& line) {
  std::vector<uint32_t> words;
  line >> std::hex;
  for (uint32_t word; line >> word;) words.push_back(word);
  return words;
}

void ReadMemory(Line& line, GoldenMemory* memory) {
  uint32_t offset = Hex(line);
  for (uint32_t word : HexWords(line)) {
    (*memory)[offset] = word;
    offset += 4;
  }
}

std::string Rest(Line& line) {
  std::string text;
  std::getline(line >> std::ws, text);
  return text;
}

void ReadOp(Line& line, simt::WarpOp* op) {
  uint32_t kind, a, b, c, d;
  line >> kind >> op->inputs >> op->outputs >> op->mode >> op->flags >> op->tiles >> op->m >> op->n >> op->k;
  line >> a >> b >> c >> d;
  op->kind = static_cast<simt::WarpOpKind>(kind);
  op->a = static_cast<simt::ElementType>(a);
  op->b = static_cast<simt::ElementType>(b);
  op->c = static_cast<simt::ElementType>(c);
  op->d = static_cast<simt::ElementType>(d);
}

void ReadLane(Line& line, GoldenOp* op) {
  const std::string text = Rest(line);
  const size_t colon = text.find(':');
  Line in(text.substr(0, colon)), out(text.substr(colon + 1));
  op->in.push_back(HexWords(in));
  op->out.push_back(HexWords(out));
}

/// Calls the handler of each line's keyword.
void Read(const std::string& name, const Handlers& handlers) {
  const std::string path = TestDataPath(GOLDEN_VECTORS) + "/" + name;
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path);
  for (std::string text; std::getline(file, text);) {
    if (text.empty() || text[0] == '#') continue;
    Line line(text);
    std::string keyword;
    line >> keyword;
    auto handler = handlers.find(keyword);
    if (handler == handlers.end()) throw std::runtime_error(path + ": unknown keyword " + keyword);
    handler->second(line);
  }
}

}  // namespace

std::vector<GoldenOp> ReadGoldenOps(const std::string& name) {
  std::vector<GoldenOp> ops;
  GoldenOp op;
  Read(name, {{"case", [&](Line& line) { op.name = Rest(line); }},
              {"sm", [&](Line& line) { line >> op.sm; }},
              {"op", [&](Line& line) { ReadOp(line, &op.op); }},
              {"mask", [&](Line& line) { op.mask = Hex(line); }},
              {"lanes", [](Line&) {}},
              {"address", [&](Line&) { op.has_address = true; }},
              {"descriptor", [&](Line& line) { op.descriptors.push_back(Values<uint32_t>(line).at(0)); }},
              {"ptx", [&](Line& line) { op.ptx = Rest(line); }},
              {"shared", [&](Line& line) { line >> op.shared_bytes; }},
              {"before", [&](Line& line) { ReadMemory(line, &op.before); }},
              {"after", [&](Line& line) { ReadMemory(line, &op.after); }},
              {"lane", [&](Line& line) { ReadLane(line, &op); }},
              {"end", [&](Line&) {
                 ops.push_back(std::move(op));
                 op = {};
               }}});
  return ops;
}

std::vector<GoldenTensorCopy> ReadGoldenTensorCopies(const std::string& name) {
  std::vector<GoldenTensorCopy> copies;
  GoldenTensorCopy copy;
  Read(name, {{"case", [&](Line& line) { copy.name = Rest(line); }},
              {"operation", [&](Line& line) { line >> copy.operation; }},
              {"type", [&](Line& line) { line >> copy.map.data_type; }},
              {"extents", [&](Line& line) { copy.map.extents = Values<uint64_t>(line); }},
              {"strides", [&](Line& line) { copy.map.strides_bytes = Values<uint64_t>(line); }},
              {"box", [&](Line& line) { copy.map.box = Values<uint32_t>(line); }},
              {"at", [&](Line& line) { copy.at = Values<int32_t>(line); }},
              {"swizzle", [&](Line& line) { line >> copy.map.swizzle; }},
              {"global", [&](Line& line) { line >> copy.global_bytes; }},
              {"shared", [&](Line& line) { line >> copy.shared_bytes; }},
              {"global_before", [&](Line& line) { ReadMemory(line, &copy.global_before); }},
              {"global_after", [&](Line& line) { ReadMemory(line, &copy.global_after); }},
              {"before", [&](Line& line) { ReadMemory(line, &copy.before); }},
              {"after", [&](Line& line) { ReadMemory(line, &copy.after); }},
              {"end", [&](Line&) {
                 copies.push_back(std::move(copy));
                 copy = {};
               }}});
  return copies;
}

std::vector<uint32_t> GoldenImage(const GoldenMemory& words, uint32_t size) {
  std::vector<uint32_t> image(size / 4, ~0u);
  for (const auto& [offset, word] : words) image.at(offset / 4) = word;
  return image;
}

}  // namespace mmtune
