// The tests with random calls vary each field of a contract's inputs, and meet each pair of options
// in one call. They note what they give (harness/note_options.h); here the program of the solution
// runs, and the notes are counted.

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "base/text/errors.h"
#include "grader/proof/check/check.h"

namespace kv::grader {
namespace {

// One call: its fields and their values.
using Note = std::map<std::string, std::string>;

// Structs and fields that no caller chooses, and why.
const std::map<std::string, std::string> kNoInputs = {
    {"KVCacheBlock", "the pool makes and changes it"},
    {"BlockContent", "made of a request"},
    {"ComputedBlocks", "a result"},
    {"BlockCopy", "a result"},
    {"AllocatedSlots", "a result"},
    {"Sequence", "a request and its blocks"},
    {"AttentionState", "a result, which other steps continue"},
    {"ScheduledRequest", "a result"},
    {"SchedulerOutput", "a result"},
    {"EngineCoreOutput", "a result"},
    {"Logprob", "a result"},
    {"SampledToken", "a result"},
    {"Step", "the scheduler makes and changes it"},
    {"ModelInput", "a result, which attention_forward takes"},
    {"KVCache", "a view of tensors"},
    {"BFloat16", "a number"},
    {"LlamaConfig", "read from a checkpoint"},
    {"LlamaLayer", "read from a checkpoint"},
    {"RopeScaling", "read from a checkpoint"},
    {"EntryRefused", "an exception"},
    {"NamedShape", "what a checkpoint has to have"},
    {"Tensor", "read from a checkpoint"},
    {"Merge", "read from a tokenizer"},
    {"BlockStored", "an event"},
    {"BlockRemoved", "an event"},
    {"AllBlocksCleared", "an event"},
    {"HugePageAllocator", "the memory itself"},
    {"LookAhead", "the cache makes and changes it"},
    {"block_hashes", "written by update_block_hashes"},
    {"block_extra_keys", "written by update_block_hashes"},
    {"tiles", "the memory itself"},
    {"scheduler", "a struct, whose fields are inputs"},
    {"sampling_params", "a struct, whose fields are inputs"},
    {"speculative", "a struct, whose fields are inputs"},
    {"spec_token_ids", "given by update_draft_token_ids"},
    {"num_prompt_tokens", "written by the scheduler"},
    {"status", "written by the scheduler"},
    {"num_preemptions", "written by the scheduler"},
    {"num_cached_tokens", "written by the scheduler"},
    {"lora_path", "extra: a history with core points must not need it"},
    {"random_key", "for servers, whose checks choose it"},
    {"num_logprobs", "for servers, whose checks choose it"},
    {"prompt_logprobs", "for servers, whose checks choose it"}};

// Fields of a request of lab 03 that lab 04 reads first.
const std::set<std::string> kOfLab04 = {"num_computed_tokens", "skip_reading_prefix_cache"};

// Each two of these are met in one call.
const std::map<std::string, std::vector<std::string>> kOptions = {
    {"03", {"lora_name", "cache_salt", "mm_features", "has_events", "is_later_call"}},
    {"04",
     {"new_computed_blocks", "has_fewer_hits", "num_lookahead_tokens", "full_sequence_must_fit",
      "num_drafts", "num_left_for_later", "num_computed_tokens", "cache_salt",
      "skip_reading_prefix_cache", "is_fork", "is_caching_off", "has_events"}},
    {"07",
     {"long_prefill_token_threshold", "is_chunked_prefill_off", "scheduler_reserve_full_isl",
      "policy", "is_caching_off", "min_tokens", "stop_token_ids"}}};

// But these, and why.
const std::map<std::pair<std::string, std::string>, std::string> kNeverTogether = {
    {{"new_computed_blocks", "num_computed_tokens"}, "hits are for a request without blocks"},
    {{"new_computed_blocks", "skip_reading_prefix_cache"}, "it finds none"},
    {{"new_computed_blocks", "is_caching_off"}, "nothing is found then"},
    {{"has_fewer_hits", "num_computed_tokens"}, "hits are for a request without blocks"},
    {{"has_fewer_hits", "skip_reading_prefix_cache"}, "it finds none"},
    {{"has_fewer_hits", "is_caching_off"}, "nothing is found then"},
    {{"num_drafts", "num_left_for_later"}, "drafts follow the last token"}};

bool is_input(const std::string& name) {
  return !kNoInputs.contains(name);
}

// The name that a line declares: "  bool full = false;  // why"; empty if it declares none.
std::string declared_in(std::string line) {
  line = line.substr(0, std::min(line.find('='), line.find(';')));
  if (!line.starts_with("  ") || line.starts_with("   ") || line.find('(') != line.npos) return "";
  while (line.ends_with(' ')) line.pop_back();
  const std::size_t before = line.find_last_of(' ');
  return before == line.npos || before < 3 ? "" : line.substr(before + 1);
}

// "struct alignas(64) Block {" -> "Block".
std::string struct_of(const std::string& line) {
  std::istringstream words(line.substr(0, line.find_first_of("{:;")));
  std::string word, last;
  while (words >> word) last = word;
  return last;
}

void add_input_fields(const fs::path& header, std::set<std::string>& fields) {
  bool is_inside = false;
  for (const std::string& line : split_lines(read_file(header))) {
    if (line.starts_with("struct ") && line.ends_with('{')) is_inside = is_input(struct_of(line));
    if (line.starts_with("};")) is_inside = false;
    const bool is_field = is_inside && line.find(';') != line.npos && !line.starts_with("  //");
    const std::string field = is_field ? declared_in(line) : "";
    if (!field.empty() && is_input(field)) fields.insert(field);
  }
}

// The fields of all structs that callers fill in: of a lab's contracts, and of what is given.
std::set<std::string> input_fields(const Kit& kit, const LabSpec& lab) {
  std::set<std::string> fields;
  for (const fs::path& folder : {kit.lab_folder(lab), kit.lab_folder(lab) / "given"}) {
    if (!fs::exists(folder)) continue;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder))
      if (entry.path().extension() == ".h") add_input_fields(entry.path(), fields);
  }
  return fields;
}

std::vector<Note> notes_of(const Kit& kit, const LabSpec& lab, ScratchBuild& build) {
  const fs::path file = kit.build / ("options-" + lab.id + ".txt");
  fs::remove(file);
  const fs::path program = build.build(lab, "solution", "lab" + lab.id + "_tests");
  const Outcome outcome = run({.argv = {program.string(), "--gtest_filter=*History*:*Random*"},
                               .environment = {{"KV_OPTIONS", file.string()}}});
  if (!outcome.ok()) throw KitBroken("tests of lab " + lab.id + " fail:\n" + outcome.output);
  std::vector<Note> notes;
  for (const std::string& line : split_lines(fs::exists(file) ? read_file(file) : "")) {
    std::istringstream words(line);
    std::string field, value;
    for (notes.emplace_back(); words >> field >> value;) notes.back()[field] = value;
  }
  return notes;
}

void check_fields(const std::set<std::string>& fields,
                  const std::vector<Note>& notes,
                  const std::string& lab,
                  Checks& checks) {
  std::map<std::string, std::set<std::string>> values;
  for (const Note& note : notes) {
    for (const auto& [field, value] : note) values[field].insert(value);
  }
  std::string never_varied, table;
  for (const std::string& field : fields) {
    if (values[field].size() < 2) never_varied += field + "\n";
    table += "        " + field + ": " + std::to_string(values[field].size()) + " values\n";
  }
  checks.expect(never_varied.empty(),
                "lab " + lab + ": random calls vary each of " + std::to_string(fields.size()) +
                    " fields of its inputs",
                never_varied);
  checks.print(table);
}

void check_pairs(const std::vector<std::string>& options,
                 const std::vector<Note>& notes,
                 const std::string& lab,
                 Checks& checks) {
  std::string never_met, table;
  for (std::size_t i = 0; i < options.size(); ++i) {
    for (std::size_t j = i + 1; j < options.size(); ++j) {
      const auto is_on = [](const Note& note, const std::string& option) {
        return note.contains(option) && note.at(option) != "0";
      };
      const auto num_met = std::ranges::count_if(notes, [&](const Note& note) {
        return is_on(note, options[i]) && is_on(note, options[j]);
      });
      const bool is_possible = !kNeverTogether.contains({options[i], options[j]});
      const std::string pair = options[i] + " and " + options[j];
      if ((num_met > 0) != is_possible) never_met += pair + ": " + std::to_string(num_met) + "\n";
      table += "        " + pair + ": " + std::to_string(num_met) + "\n";
    }
  }
  checks.expect(never_met.empty(), "lab " + lab + ": histories meet each pair of options",
                never_met);
  checks.print(table);
}

}  // namespace

void check_options_met(const Kit& kit, Checks& checks) {
  ScratchBuild build = shared_scratch_build(kit);
  for (const LabSpec& lab : kit.manifest.labs) {
    std::set<std::string> fields = input_fields(kit, lab);
    if (lab.id == "03") std::erase_if(fields, [](auto& field) { return kOfLab04.contains(field); });
    if (lab.id == "04") fields.insert(kOfLab04.begin(), kOfLab04.end());
    if (fields.empty() || lab.is_cuda()) continue;
    const std::vector<Note> notes = notes_of(kit, lab, build);
    check_fields(fields, notes, lab.id, checks);
    if (kOptions.contains(lab.id)) check_pairs(kOptions.at(lab.id), notes, lab.id, checks);
  }
}

}  // namespace kv::grader
