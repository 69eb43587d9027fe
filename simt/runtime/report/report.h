#pragma once
// All findings and counts as JSON, with lines of the source instead of addresses.

namespace kv::simt {

// To the file that the options name.
void write_report();

}  // namespace kv::simt
