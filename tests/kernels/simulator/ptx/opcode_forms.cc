// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/kernels/simulator/ptx/opcode_forms.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace mmtune::ptx {
namespace {

bool isWord(std::string_view pattern, std::string_view word) {
  const size_t star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == word;
  const std::string_view end = pattern.substr(star + 1);
  if (word.size() <= star + end.size() || !word.starts_with(pattern.substr(0, star)) || !word.ends_with(end))
    return false;
  const std::string_view digits = word.substr(star, word.size() - star - end.size());
  return std::all_of(digits.begin(), digits.end(), absl::ascii_isdigit);
}

bool match(const OpcodeForm& form, size_t place, const Opcode& opcode, size_t word, std::vector<std::string>& words) {
  if (place == form.places.size()) return word == opcode.words.size();
  for (const std::string& pattern : form.places[place]) {
    const bool isAbsent = pattern.empty();
    if (!isAbsent && (word == opcode.words.size() || !isWord(pattern, opcode.words[word]))) continue;
    words.push_back(pattern);
    if (match(form, place + 1, opcode, word + (isAbsent ? 0 : 1), words)) return true;
    words.pop_back();
  }
  return false;
}

}  // namespace

OpcodeForm parseForm(std::string_view text) {
  OpcodeForm form{std::string(text), std::string(text.substr(0, text.find_first_of(".["))), {}};
  for (size_t at = form.name.size(); at < text.size();) {
    const bool isOptional = text[at] == '[';
    at += isOptional ? 2 : 1;  // "[." or "."
    std::vector<std::string> words;
    if (text[at] == '{') {
      const size_t end = text.find('}', at);
      words = absl::StrSplit(form.text.substr(at + 1, end - at - 1), ',');
      at = end + 1;
    } else {
      const size_t end = std::min(text.find_first_of(".[]", at), text.size());
      words = {std::string(text.substr(at, end - at))};
      at = end;
    }
    if (isOptional) {
      words.push_back("");
      ++at;  // "]"
    }
    form.places.push_back(std::move(words));
  }
  return form;
}

std::vector<std::string> matchForm(const OpcodeForm& form, const Opcode& opcode) {
  std::vector<std::string> words;
  if (opcode.name() != form.name || !match(form, 0, opcode, 1, words)) return {};
  words.insert(words.begin(), form.name);
  return words;
}

bool WordCoverage::add(const std::vector<std::string>& words) {
  bool isNew = false;
  for (size_t i = 0; i < seen_.size(); ++i) {
    const std::string& word = words[i + 1];  // Behind the name.
    if (std::find(seen_[i].begin(), seen_[i].end(), word) != seen_[i].end()) continue;
    seen_[i].push_back(word);
    isNew = true;
  }
  return isNew;
}

std::string WordCoverage::missing() const {
  std::string text;
  for (size_t i = 0; i < seen_.size(); ++i)
    for (const std::string& word : form_.places[i])
      if (std::find(seen_[i].begin(), seen_[i].end(), word) == seen_[i].end())
        absl::StrAppend(&text, text.empty() ? "" : ", ", word.empty() ? "none of" : ".",
                        word.empty() ? form_.places[i].front() : word);
  return text;
}

std::string sampleForm(const OpcodeForm& form, size_t most, std::mt19937_64& random,
                       const std::function<bool(const Opcode&)>& accept) {
  constexpr size_t kMostDraws = 20000;
  size_t combinations = 1;
  for (const auto& words : form.places) combinations = std::min<size_t>(combinations * words.size(), 1 << 30);
  const bool isWhole = combinations <= most;
  WordCoverage coverage(form);
  std::string missing = "all";
  size_t accepted = 0;
  std::vector<std::string> texts;
  for (size_t i = 0; i < (isWhole ? combinations : kMostDraws); ++i) {
    if (!isWhole && accepted >= most && missing.empty()) break;
    Opcode opcode{{form.name}};
    std::vector<std::string> words = {form.name};
    size_t rest = i;
    for (const auto& choices : form.places) {
      // Half of the random opcodes leave an optional word out, as few words are together in one instruction.
      const bool isLeftOut = !isWhole && choices.back().empty() && random() % 2 == 0;
      const std::string& word =
          isLeftOut ? choices.back() : choices[isWhole ? rest % choices.size() : random() % choices.size()];
      rest /= choices.size();
      words.push_back(word);
      if (!word.empty()) opcode.words.push_back(word);
    }
    const std::string text = opcode.text();
    if (std::find(texts.begin(), texts.end(), text) != texts.end()) continue;
    // Beyond the number that is asked for, only new words count.
    WordCoverage with = coverage;
    if (!with.add(words) && accepted >= most) continue;
    if (!accept(opcode)) continue;
    texts.push_back(text);
    coverage.add(words);
    ++accepted;
    missing = coverage.missing();
  }
  return missing;
}

}  // namespace mmtune::ptx
