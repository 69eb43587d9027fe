#include "common/errors.h"

namespace kv::grader {

Failure current_failure() {
  try {
    throw;
  } catch (const UsageError& error) {
    return {error.what(), kExitUsage};
  } catch (const MachineFailed& error) {
    return {std::string("no score, and this is not your fault: ") + error.what(), kExitKitBroken};
  } catch (const KitBroken& error) {
    return {std::string("the kit itself is broken, this is not your fault: ") + error.what(),
            kExitKitBroken};
  } catch (const std::exception& error) {
    return {std::string("unexpected error: ") + error.what(), kExitKitBroken};
  }
}

}  // namespace kv::grader
