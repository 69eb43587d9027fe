#include "grader/program/kit/variation.h"

#include "grader/program/base/errors.h"
#include "grader/program/base/json.h"

namespace kv::grader {
namespace {

std::string lines_of(const Json& json) {
  return join(json, "\n") + "\n";
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t num = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++num;
  return num;
}

Variation variation_of(const Json& json) {
  return {.name = json.at("name"),
          .sentence = json.at("sentence"),
          .file = json.at("file"),
          .old_text = lines_of(json.at("old")),
          .new_text = lines_of(json.at("new")),
          .includes = json.contains("include") ? lines_of(json["include"]) : "",
          .killed_by = json.value("killed_by", ""),
          .only_by = json.value("only_by", std::vector<std::string>()),
          .shrinks_to = json.contains("shrinks_to")
                            ? std::optional(json["shrinks_to"].get<std::size_t>())
                            : std::nullopt,
          .varies = json.value("varies", false),
          .like = json.value("like", ""),
          .expected = json.value("expected", std::map<std::string, std::string>()),
          .flag = json.value("flag", ""),
          .says = json.value("says", std::map<std::string, std::vector<std::string>>())};
}

}  // namespace

std::vector<Variation> load_variations(const Kit& kit,
                                       const LabSpec& lab,
                                       const std::string& kind) {
  const fs::path path = kit.case_folder(lab) / (kind + ".json");
  std::vector<Variation> variations;
  if (!fs::exists(path)) return variations;
  try {
    for (const Json& json : Json::parse(read_file(path))) {
      variations.push_back(variation_of(json));
    }
  } catch (const Json::exception& error) {
    throw KitBroken(path.string() + ": " + error.what());
  }
  return variations;
}

Variation known_bug(const Kit& kit, const LabSpec& lab, const std::string& name) {
  for (const Variation& bug : load_variations(kit, lab, "known_bugs")) {
    if (bug.name == name) return bug;
  }
  throw KitBroken("known_bugs.json of lab " + lab.id + " lacks \"" + name + "\"");
}

LabSpec narrowed(const LabSpec& lab, const Variation& variation) {
  return lab.with_tests(
      [&](const TestSpec& test) { return variation.expected.contains(test.name); });
}

std::string varied(const std::string& source, const Variation& variation) {
  if (count(source, variation.old_text) != 1) {
    throw KitBroken(variation.name + " no longer applies: its old text is in " + variation.file +
                    " " + std::to_string(count(source, variation.old_text)) + " times, not once");
  }
  return replace_all(source, variation.old_text, variation.new_text);
}

std::string varied_text(const Kit& kit, const LabSpec& lab, const Variation& variation) {
  return varied(kit.solution_text(lab, variation.file), variation);
}

fs::path write_variation(const Kit& kit, const LabSpec& lab, const Variation& variation) {
  return write_variations(kit, lab, {variation});
}

fs::path write_variations(const Kit& kit,
                          const LabSpec& lab,
                          const std::vector<Variation>& variations) {
  const fs::path tree = kit.build / "variation";
  for (const std::string& file : lab.files) {
    std::string text = kit.solution_text(lab, file);
    for (const Variation& variation : variations) {
      if (variation.file == file) text = variation.includes + varied(text, variation);
    }
    write_file(tree / lab.folder / file, text);
  }
  for (const std::string& header : lab.headers) {
    fs::remove(tree / lab.folder / header);
    for (const Variation& variation : variations) {
      if (variation.file != header) continue;
      const std::string text = varied(read_file(kit.lab_folder(lab) / header), variation);
      write_file(tree / lab.folder / header, variation.includes + text);
    }
  }
  return tree;
}

}  // namespace kv::grader
