// Runs a kernel so that a page which the system cannot bring (a mapped file that was truncated, a disk error) ends the
// kernel and not the process. POSIX: one process-wide SIGBUS handler that jumps back into the guard of the faulting
// thread, and hands every other SIGBUS to the handler before it. Windows: a structured exception guard around
// EXCEPTION_IN_PAGE_ERROR.
#ifndef COLKIT_NATIVE_FAULT_GUARD_H_
#define COLKIT_NATIVE_FAULT_GUARD_H_

namespace colkit {

// Runs `kernel(context)`; false where a page could not be had. The kernel must own nothing that needs a destructor,
// hold no lock and throw nothing: after a fault its frames are left by a jump. Guards nest.
bool RunGuarded(void (*kernel)(void*), void* context);

// Installs the process-wide handler once. Called when the first file is mapped.
void InstallFaultHandler();

}  // namespace colkit

#endif  // COLKIT_NATIVE_FAULT_GUARD_H_
