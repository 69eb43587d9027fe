#pragma once
// All findings and counts as JSON, with lines of the source instead of addresses.

namespace kv::simt {

// Writes them to the file that the options name.
void write_report();

}  // namespace kv::simt
