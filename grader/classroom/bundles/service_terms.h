#pragma once
// What `./lab bundle` and `./lab results` have in common: which service, and how it grades.

#include <optional>
#include <string>
#include <vector>

#include "base/commands/command_line.h"

namespace kv::grader {

inline const std::vector<std::string> kServices = {"gradescope", "classroom50"};
inline const std::vector<std::string> kVisibilities = {"visible", "hidden", "after_due_date",
                                                       "after_published"};

// How a service grades; a bundle hands it on to `./lab results`.
struct ServiceTerms {
  std::vector<std::string> labs = {};  // empty: all
  int wall_seconds = 480;
  std::optional<std::uint64_t> seed = {};
  std::string extra_visibility = "visible";  // Gradescope
};

inline void declare_service(CommandForm& form, std::string& service) {
  form.argument("SERVICE", service, "gradescope or classroom50").required().one_of(kServices);
}

inline void declare_terms(CommandForm& form, ServiceTerms& terms) {
  declare_only_labs(form, terms.labs);
  form.option("--wall", terms.wall_seconds, "seconds until a submission is stopped")
      .between(10, 86400);
  declare_seed(form, terms.seed, "seed of the random histories");
  form.option("--extra", terms.extra_visibility,
              "Gradescope: who sees the extra tests: visible, hidden, after_due_date or\n"
              "after_published")
      .one_of(kVisibilities);
}

}  // namespace kv::grader
