#include "base/kit/closed_labs.h"

#include <sys/utsname.h>

#include "base/text/errors.h"

namespace kv::grader {

bool is_closed(const Kit& kit, const LabSpec& lab) {
  return fs::exists(kit.root / "solution" / lab.folder / "prebuilt");
}

std::vector<const LabSpec*> closed_labs(const Kit& kit, const LabSpec& lab) {
  std::vector<const LabSpec*> closed;
  for (const std::string& id : lab.needs) {
    const LabSpec* needed = kit.manifest.find(id);  // ./lab test has some labs only in its parts
    if (needed != nullptr && is_closed(kit, *needed)) closed.push_back(needed);
  }
  if (is_closed(kit, lab)) closed.push_back(&lab);
  return closed;
}

std::string name_of_system() {
  utsname system{};
  ::uname(&system);
  return std::string(system.sysname) + "-" + system.machine;
}

fs::path prebuilt_folder(const Kit& kit, const LabSpec& lab) {
  return kit.root / "solution" / lab.folder / "prebuilt" / name_of_system();
}

void refuse_other_system(const Kit& kit, const LabSpec& lab) {
  if (!is_closed(kit, lab) || fs::exists(prebuilt_folder(kit, lab))) return;
  throw UsageError("this copy of the kit has the solution of lab " + lab.id + " not for " +
                   name_of_system() +
                   "; the container (Dockerfile) has the right system, if both docker commands get "
                   "--platform where the processor is another one");
}

void refuse_if_closed(const Kit& kit, const LabSpec& lab, const std::string& command) {
  if (!is_closed(kit, lab)) return;
  throw UsageError(command + " needs the solution of lab " + lab.id +
                   ", which your course has not opened yet; git pull when it is");
}

void refuse_closed(const Kit& kit, const LabSpec& lab, const std::string& command) {
  for (const LabSpec* closed : closed_labs(kit, lab)) refuse_if_closed(kit, *closed, command);
}

void refuse_handout(const Kit& kit, const std::string& command) {
  for (const LabSpec& lab : kit.manifest.labs) {
    if (!is_closed(kit, lab)) continue;
    throw UsageError(command + " is for the whole kit, and in this copy the solution of lab " +
                     lab.id + " is closed");
  }
}

}  // namespace kv::grader
