#include <algorithm>

#include "base/text/errors.h"
#include "grader/desk/steps/step_texts.h"

namespace kv::grader::steps {
namespace {

std::string steps_of(const LabSpec& lab) {
  std::vector<std::string> headings;
  for (const StepSpec& step : lab.steps) headings.push_back(step.heading());
  return "the steps of lab " + lab.id + " are " + join(headings, ", ");
}

// The headings of all steps that are called `name`, as "touch" or "append".
std::vector<std::string> headings_called(const Manifest& manifest, const std::string& name) {
  std::vector<std::string> headings;
  for (const LabSpec& lab : manifest.labs)
    for (const StepSpec& step : lab.steps)
      if (step.name == name || step.name.ends_with("::" + name)) headings.push_back(step.heading());
  return headings;
}

[[noreturn]] void refuse_name(const Manifest& manifest, const std::string& name) {
  if (const LabSpec* lab = manifest.find(name))
    throw UsageError("\"" + name + "\" is a lab, and a step is needed; " + steps_of(*lab));
  const std::vector<std::string> meant = headings_called(manifest, name);
  if (!meant.empty()) throw UsageError("name a step by its number: " + join(meant, " or "));
  throw UsageError("\"" + name + "\" is no step; name one by its number, as " +
                   manifest.labs.front().steps.front().number + "; ./lab list shows all");
}

}  // namespace

NamedStep find_named_step(const Manifest& manifest, const std::vector<std::string>& words) {
  const std::string text = join(words, " ");
  const std::string number = text.substr(0, text.find(' '));
  const std::string name = text.substr(std::min(number.size() + 1, text.size()));
  const std::size_t dot = number.find('.');
  const LabSpec* lab = dot == std::string::npos ? nullptr : manifest.find(number.substr(0, dot));
  if (lab == nullptr) refuse_name(manifest, text);
  const auto step = std::ranges::find_if(lab->steps, [&](const StepSpec& each) {
    return each.number.substr(each.number.find('.')) == number.substr(dot);
  });
  if (step == lab->steps.end())
    throw UsageError("there is no step " + number + "; " + steps_of(*lab));
  if (!name.empty() && name != step->name && !step->name.ends_with("::" + name))
    throw UsageError("step " + step->number + " is " + step->name + ", not " + name + "; " +
                     steps_of(*lab));
  return {lab, &*step};
}

}  // namespace kv::grader::steps
