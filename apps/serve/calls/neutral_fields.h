#pragma once
// Fields of OpenAI's and vLLM's calls that this server does not have.

#include "apps/serve/calls/fields.h"

namespace kv::serve {

// Reads all that are left of a call. Throws ApiError, which names the field, for a value that would
// change the answer, and for a field that neither of the two has.
void expect_neutral_fields(Fields& fields);

}  // namespace kv::serve
