// Copies of the standard library's functions for the runtime alone. Why: those of std::string are
// in the shared library, so the runtime has none of its own, and the linker would take the copies
// of the program: they are watched, and a watched access calls the runtime again.

#include <string>

template class std::basic_string<char>;
