#pragma once
// Places in files, as a person reads them: where a step is, and which path to type.

#include <optional>
#include <string>
#include <string_view>

#include "base/cpp_text/functions.h"
#include "base/kit/kit.h"

namespace kv::grader::steps {

struct Place {
  std::size_t line = 1;
  std::size_t column = 1;

  std::string text() const { return std::to_string(line) + ":" + std::to_string(column); }
};

Place place_of(std::string_view source, std::size_t offset);

// The function of a step that has a stub. Of several with its name, the one with the parameters of
// the kit's. nullopt: there is none, or more than one could be meant.
std::optional<FunctionText> find_step(const Kit& kit,
                                      const LabSpec& lab,
                                      const StepSpec& step,
                                      std::string_view source);

// Where to write: the stub, else the name of the function. A step without a stub of its own is
// where the first step is that it rewrites.
std::optional<Place> find_place(const Kit& kit,
                                const LabSpec& lab,
                                const StepSpec& step,
                                std::string_view source);

// The first bracket that nothing closes, or that closes nothing.
std::optional<Place> unmatched_bracket(std::string_view source);

// A path that an editor's terminal can open: from the current folder if both are in the clone, else
// absolute.
std::string shown_path(const Kit& kit, const fs::path& file);

}  // namespace kv::grader::steps
