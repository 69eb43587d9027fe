#include <algorithm>
#include <span>

#include "base/page/page.h"
#include "grader/classroom/similar/similar_output.h"

namespace kv::grader::similar {
namespace {

constexpr const char* kScript = "grader/classroom/page/main.js";

constexpr std::size_t kMaxRows = 1000;  // a browser gets slow, and pairs.csv has them all

Json facts_of(const SimilarPair& pair) {
  return {{"lab", pair.lab},
          {"left", printable(pair.left)},
          {"right", printable(pair.right)},
          {"left_share", per_cent(pair.shared.left_share)},
          {"right_share", per_cent(pair.shared.right_share)},
          {"tokens", pair.num_tokens},
          {"longest", pair.longest()},
          {"page", pair.page_file}};
}

// Bytes of a text that are common, as the place with this number.
struct Mark {
  std::size_t begin, end, number;
};

enum class Side { kLeft, kRight };

std::vector<Mark> marks_in(const SourceText& file,
                           const LabText& text,
                           const std::vector<CommonPlace>& places,
                           Side side) {
  std::vector<Mark> marks;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const std::size_t first = side == Side::kLeft ? places[i].left : places[i].right;
    if (first < file.first_token || first >= file.end_token()) continue;
    const NormalToken& last = text.tokens[first + places[i].num_tokens - 1];
    marks.push_back({text.tokens[first].begin, last.end(), i + 1});
  }
  std::ranges::sort(marks, {}, &Mark::begin);
  return marks;
}

// A line as parts, each with the number of its place; 0: it is in none.
class LineParts {
 public:
  LineParts(std::string_view text, const std::vector<Mark>& marks) : text_(text), marks_(marks) {}

  // The parts of text[begin, end).
  Json of(std::size_t begin, std::size_t end) const {
    Json parts = Json::array();
    for (const Mark& mark : marks_) {
      if (mark.end <= begin || mark.begin >= end) continue;
      add(begin, mark.begin, 0, parts);
      begin = std::max(begin, mark.begin);
      add(begin, std::min(end, mark.end), mark.number, parts);
      begin = std::min(end, mark.end);
    }
    add(begin, end, 0, parts);
    return parts;
  }

 private:
  void add(std::size_t begin, std::size_t end, std::size_t number, Json& parts) const {
    if (begin >= end) return;
    parts.push_back({{"text", printable(text_.substr(begin, end - begin))}, {"place", number}});
  }

  std::string_view text_;
  const std::vector<Mark>& marks_;
};

Json lines_of(std::string_view text, const std::vector<Mark>& marks) {
  const LineParts parts(text, marks);
  Json lines = Json::array();
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(parts.of(begin, end));
    begin = end + 1;
  }
  return lines;
}

Json side_of(const std::string& name,
             const LabText& text,
             const std::vector<CommonPlace>& places,
             Side side) {
  Json files = Json::array();
  for (const SourceText& file : text.files) {
    const std::vector<Mark> marks = marks_in(file, text, places, side);
    if (marks.empty()) continue;
    files.push_back({{"path", file.path}, {"lines", lines_of(file.text, marks)}});
  }
  return {{"name", printable(name)}, {"files", files}};
}

Json sentences() {
  return Json(std::vector<std::string>(std::begin(kNoProof), std::end(kNoProof)));
}

}  // namespace

std::string table_page(const Kit& kit,
                       const std::vector<SimilarPair>& pairs,
                       const std::vector<Work>& works) {
  Json data = {{"kind", "similar"},
               {"title", "Similar submissions"},
               {"num_submissions", works.size()},
               {"num_pairs", pairs.size()},
               {"no_proof", sentences()},
               {"pairs", Json::array()},
               {"notes", Json::array()}};
  for (const SimilarPair& pair : std::span(pairs).first(std::min(pairs.size(), kMaxRows)))
    data["pairs"].push_back(facts_of(pair));
  for (const Work& work : works) {
    if (!work.note.empty()) data["notes"].push_back(printable(work.name + ": " + work.note));
  }
  return pages::page_text(kit.root, {.script = kScript,
                                     .title = "Similar submissions",
                                     .data = data,
                                     .plain = "The file pairs.csv has the same pairs.\n"});
}

std::string pair_page(const Kit& kit, const SimilarPair& pair, const std::vector<LabText>& texts) {
  const std::string title =
      "Lab " + pair.lab + ": " + printable(pair.left) + " and " + printable(pair.right);
  const auto& [left, right] = std::tie(texts[pair.shared.left], texts[pair.shared.right]);
  Json sizes = Json::array();
  for (const CommonPlace& place : pair.places) sizes.push_back(place.num_counted);
  const Json data = {{"kind", "pair"},
                     {"title", title},
                     {"facts", facts_of(pair)},
                     {"places", sizes},
                     {"no_proof", sentences()},
                     {"sides",
                      {side_of(pair.left, left, pair.places, Side::kLeft),
                       side_of(pair.right, right, pair.places, Side::kRight)}}};
  return pages::page_text(kit.root, {.script = kScript, .title = title, .data = data});
}

}  // namespace kv::grader::similar
