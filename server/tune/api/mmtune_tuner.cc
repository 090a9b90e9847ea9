// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/api/mmtune_tuner.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <string_view>

#include "nlohmann/json.hpp"
#include "server/tune/api/child_program.h"

namespace mmtune {
namespace {

using Json = nlohmann::json;
using Words = std::vector<std::string>;

constexpr std::string_view kSpeaker = "tune: ";
constexpr int kInterruptedCode = static_cast<int>(ErrorCode::kInterrupted);

void Append(Words& words, const Words& more) { words.insert(words.end(), more.begin(), more.end()); }

/// Appends an option, unless its value is the usual one.
void AppendOption(Words& words, const char* option, const std::string& value, std::string_view usual = "") {
  if (value != usual) Append(words, {option, value});
}

Words ProgramWords(const TunerOptions& options, const Words& command) {
  Words words = {options.program.empty() ? tuner::ProgramOfInstallation("tune") : options.program};
  Append(words, command);
  return words;
}

/// Returns the number as `tune` reads it, whatever locale the caller has set.
std::string NumberText(double number) {
  std::array<char, 32> text;
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), number).ptr};
}

/// Returns the words of a command that tunes.
Words TuningWords(const TunerOptions& options, const TuneOptions& limits, const Words& command) {
  Words words = ProgramWords(options, command);
  Append(words, {"--json", "--progress-json", "--device", options.device, "--seed", std::to_string(limits.seed)});
  AppendOption(words, "--log", options.log);
  AppendOption(words, "--server", options.server);
  AppendOption(words, "--arch", options.arch);
  if (limits.trials) Append(words, {"--trials", std::to_string(*limits.trials)});
  if (limits.seconds > 0) Append(words, {"--seconds", NumberText(limits.seconds)});
  Append(words, limits.words);
  return words;
}

/// Follows what `tune` says on standard error: objects of --progress-json, lines of `tune`, and diagnostics of the
/// compiler, below which are lines of the source.
class Listener {
 public:
  explicit Listener(std::function<void(const Progress&)> on_progress) : on_progress_(std::move(on_progress)) {}

  void Hear(std::string_view line) {
    const Json json = Json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (json.is_object()) {
      Take(json, "done", progress_.done);
      Take(json, "planned", progress_.planned);
      Take(json, "failed", progress_.failed);
      Take(json, "best_ns", progress_.best_ns);
      const auto note = json.find("note");
      progress_.note = note != json.end() && note->is_string() ? note->get<std::string>() : "";
    } else {
      const bool spoken = line.starts_with(kSpeaker);
      if (spoken) line.remove_prefix(kSpeaker.size());
      if (spoken || IsDiagnostic(line)) notes_.emplace_back(line);
      progress_.note = line;
    }
    if (on_progress_) on_progress_(progress_);
  }

  const Words& notes() const { return notes_; }

  /// Returns the compiler's first error, or else the last line, which is the error of `tune`; "" if there is none.
  std::string Error() const {
    const auto error = std::find_if(notes_.begin(), notes_.end(),
                                    [](const std::string& note) { return note.find(": error: ") != note.npos; });
    return error != notes_.end() ? *error : notes_.empty() ? "" : notes_.back();
  }

 private:
  template <typename T>
  static void Take(const Json& json, const char* name, T& number) {
    const auto found = json.find(name);
    if (found != json.end() && found->is_number()) number = found->get<T>();
  }

  static bool IsDiagnostic(std::string_view line) {
    constexpr std::string_view kKinds[] = {": error: ", ": warning: ", ": remark: "};
    return std::any_of(std::begin(kKinds), std::end(kKinds),
                       [line](std::string_view kind) { return line.find(kind) != line.npos; });
  }

  const std::function<void(const Progress&)> on_progress_;
  Progress progress_;
  Words notes_;
};

/// Returns why a program that ended like this has no result.
Error ErrorOf(const tuner::ProgramEnd& end, const Listener& heard) {
  constexpr int kCodes = static_cast<int>(ErrorCode::kLogVersion);
  if (!end.why.empty()) return {ErrorCode::kNoResult, end.why};
  const bool known = (end.exit_code >= 1 && end.exit_code <= kCodes) || end.exit_code == kInterruptedCode;
  std::string message = heard.Error();
  if (message.empty()) {
    message = end.exit_code == 1                  ? "no schedule gave a valid result"
              : end.exit_code == kInterruptedCode ? "interrupted before there was a result; the same call goes on"
                                                  : "tune ended with exit code " + std::to_string(end.exit_code);
  }
  return {known ? static_cast<ErrorCode>(end.exit_code) : ErrorCode::kNoResult, std::move(message)};
}

/// Returns what `read` makes of the output, or an error. A program that `stop` has ended may have printed a result.
template <typename T>
Result<T> ResultOf(const tuner::ProgramEnd& end, const Listener& heard, T (*read)(const std::string& out)) {
  if (!end.why.empty() || (end.exit_code != 0 && (end.exit_code != kInterruptedCode || end.out.empty()))) {
    return ErrorOf(end, heard);
  }
  try {
    return read(end.out);
  } catch (const Json::exception& error) {
    return Error{ErrorCode::kNoResult, std::string("tune printed what this library does not know: ") + error.what()};
  }
}

/// Returns the error instead of a result that neither is whole nor was stopped, as when another client cancels the job.
template <typename T>
Result<T> WholeOrStopped(Result<T> result, bool empty, const tuner::ProgramEnd& end, const Listener& heard) {
  if (result.ok() && (empty || (end.exit_code != 0 && !result->interrupted))) return ErrorOf(end, heard);
  return result;
}

/// Returns "fma bk=16 bm=64", the text that the options of `tune` take.
std::string ScheduleText(const Json& schedule) {
  std::string text = schedule.at("family");
  for (const auto& [name, value] : schedule.at("params").items()) text += " " + name + "=" + value.dump();
  return text;
}

MeasuredSchedule MeasuredScheduleOf(const Json& record) {
  const Json& measurement = record.at("measurement");
  const Json& timing = measurement.at("timing");
  const Json& verification = measurement.at("verification");
  return {.schedule = ScheduleText(record.at("schedule")),
          .record = record.at("uuid"),
          .device = record.at("device").at("name"),
          .median_ns = timing.at("median_ns"),
          .low_ns = timing.at("low_ns"),
          .high_ns = timing.at("high_ns"),
          .gflops = record.at("gflops"),
          .verified = verification.at("performed").get<bool>() && verification.at("passed").get<bool>()};
}

Tuned TunedOf(const std::string& text) {
  const Json json = Json::parse(text);
  Tuned tuned{.best = {},
              .done = json.at("done"),
              .from_log = json.at("from_log"),
              .interrupted = json.at("interrupted"),
              .json = text};
  for (const Json& record : json.at("best")) tuned.best.push_back(MeasuredScheduleOf(record));
  return tuned;
}

TunedModel TunedModelOf(const std::string& text) {
  const Json json = Json::parse(text);
  TunedModel tuned{.matmuls = {},
                   .before_ns = json.at("before_ns"),
                   .after_ns = json.at("after_ns"),
                   .trials = json.at("trials"),
                   .interrupted = json.at("interrupted"),
                   .json = text};
  for (const Json& row : json.at("matmuls")) {
    const Json &after = row.at("after_ns"), &schedule = row.at("schedule");
    tuned.matmuls.push_back({.problem = row.at("problem"),
                             .calls = row.at("calls"),
                             .before_ns = row.at("before_ns"),
                             .after_ns = after.is_null() ? 0 : after.get<double>(),
                             .schedule = schedule.is_null() ? "" : schedule.get<std::string>()});
  }
  return tuned;
}

std::vector<MeasuredSchedule> RankingOf(const std::string& text) {
  std::vector<MeasuredSchedule> ranking;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    ranking.push_back(MeasuredScheduleOf(Json::parse(text.substr(begin, end - begin))));
    begin = end + 1;
  }
  return ranking;
}

}  // namespace

Result<Tuned> Tuner::Tune(const std::string& problem, const TuneOptions& options) const {
  Listener listener(options.on_progress);
  const tuner::ProgramEnd end = tuner::RunProgram(TuningWords(options_, options, {"matmul", problem}), options.stop,
                                                  [&](std::string_view line) { listener.Hear(line); });
  Result<Tuned> result = ResultOf(end, listener, &TunedOf);
  const bool empty = result.ok() && result->best.empty();
  return WholeOrStopped(std::move(result), empty, end, listener);
}

Result<TunedModel> Tuner::TuneModel(const std::string& model, const ModelFiles& files,
                                    const TuneOptions& options) const {
  Words words = TuningWords(options_, options, {"model", model});
  AppendOption(words, "-o", files.library);
  AppendOption(words, "--spec", files.spec);
  if (files.overwrite) words.emplace_back("--force");
  Listener listener(options.on_progress);
  const tuner::ProgramEnd end =
      tuner::RunProgram(words, options.stop, [&](std::string_view line) { listener.Hear(line); });
  return WholeOrStopped(ResultOf(end, listener, &TunedModelOf), /*empty=*/false, end, listener);
}

Result<std::vector<MeasuredSchedule>> Tuner::Best(const std::string& problem, int64_t limit) const {
  if (!options_.server.empty()) {
    return Error{ErrorCode::kUsage,
                 "Best() needs a log: give the path or the URL of the log of the server " + options_.server};
  }
  Words words =
      ProgramWords(options_, {"records", "best", "--json", "--problem", problem, "--limit", std::to_string(limit)});
  AppendOption(words, "--log", options_.log);
  AppendOption(words, "--device-name", options_.device.substr(0, options_.device.find(':')), "auto");
  Listener listener(nullptr);
  const tuner::ProgramEnd end = tuner::RunProgram(words, {}, [&](std::string_view line) { listener.Hear(line); });
  return ResultOf(end, listener, &RankingOf);
}

Result<Compiled> Tuner::Compile(const std::string& model, const std::string& library,
                                const CompileOptions& options) const {
  if (options.spec.empty() && !options_.server.empty()) {
    return Error{
        ErrorCode::kUsage,
        "Compile() needs a spec, or a log: give the path or the URL of the log of the server " + options_.server};
  }
  Words words = ProgramWords(options_, {"compile", model, "-o", library, "--quiet"});
  if (options.spec.empty()) {
    AppendOption(words, "--log", options_.log);
  } else {
    AppendOption(words, "--spec", options.spec);
  }
  AppendOption(words, "--device", options_.device, "auto");
  AppendOption(words, "--arch", options_.arch);
  if (options.overwrite) words.emplace_back("--force");
  Append(words, options.words);
  Listener listener(nullptr);
  const tuner::ProgramEnd end =
      tuner::RunProgram(words, options.stop, [&](std::string_view line) { listener.Hear(line); });
  if (!end.why.empty() || end.exit_code != 0) return ErrorOf(end, listener);
  return Compiled{library, listener.notes()};
}

}  // namespace mmtune
