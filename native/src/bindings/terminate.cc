// What GNU's runtime links in for the words it prints before it ends a process: a demangler of 60 kB. Errors of this
// addon are thrown in JavaScript; what ends the process prints nothing.
#include <cstdlib>

#if defined(__GLIBCXX__)
namespace __gnu_cxx {

__attribute__((visibility("hidden"))) void __verbose_terminate_handler() { std::abort(); }

}  // namespace __gnu_cxx
#endif
