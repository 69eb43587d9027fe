#include "simt/rewrite/qualifiers.h"

namespace kv::simt {

Qualifiers::Qualifiers(const EditedSource& code) {
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (!code.begins_directive(i) || code.text(i + 1) != "define") continue;
    unsigned sides = kNeither;
    for (std::size_t k = i + 3; k < code.directive_end(i); ++k) {
      // Why braces and semicolons: a macro that defines functions or variables is no qualifier.
      const bool is_definition = code.text(k) == "{" || code.text(k) == ";";
      sides = is_definition ? 0u : sides | side_of(code.text(k));
    }
    if ((sides & kDevice) != 0) device_.insert(code.text(i + 2));
    if ((sides & kHost) != 0) host_.insert(code.text(i + 2));
  }
}

}  // namespace kv::simt
