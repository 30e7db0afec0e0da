// The SIGBUS guard of POSIX systems. See fault_guard.h.
#if !defined(_WIN32)

#include <csetjmp>
#include <csignal>

#include <mutex>

#include "map/fault_guard.h"

// glibc gives a loaded library lazily allocated thread-local storage, and a signal handler must not allocate. musl and
// macOS have no such trouble or no such model.
#if defined(__GLIBC__)
#define COLKIT_SIGNAL_SAFE_TLS __attribute__((tls_model("initial-exec")))
#else
#define COLKIT_SIGNAL_SAFE_TLS
#endif

namespace colkit {
namespace {

thread_local COLKIT_SIGNAL_SAFE_TLS sigjmp_buf* current_guard = nullptr;

struct sigaction previous_action;  // written once, before the handler is installed

void PassOn(int signal_number, siginfo_t* info, void* machine_context) {
  if ((previous_action.sa_flags & SA_SIGINFO) != 0 && previous_action.sa_sigaction != nullptr) {
    previous_action.sa_sigaction(signal_number, info, machine_context);
    return;
  }
  if (previous_action.sa_handler != SIG_DFL && previous_action.sa_handler != SIG_IGN) {
    previous_action.sa_handler(signal_number);
    return;
  }
  // by kill() and the like: returning would not raise it again
  const bool sent = info != nullptr && info->si_code <= 0;
  if (sent && previous_action.sa_handler == SIG_IGN) return;
  struct sigaction standard = {};
  standard.sa_handler = SIG_DFL;
  sigemptyset(&standard.sa_mask);
  sigaction(signal_number, &standard, nullptr);
  if (sent) raise(signal_number);
}

void HandleBusError(int signal_number, siginfo_t* info, void* machine_context) {
  sigjmp_buf* guard = current_guard;
  if (guard != nullptr && info != nullptr && info->si_code > 0) siglongjmp(*guard, 1);
  PassOn(signal_number, info, machine_context);
}

}  // namespace

bool RunGuarded(void (*kernel)(void*), void* context) {
  sigjmp_buf here;
  sigjmp_buf* const outer = current_guard;
  // No signal mask is saved (that would be a system call): the handler is installed with SA_NODEFER and blocks nothing.
  if (sigsetjmp(here, 0) != 0) {
    current_guard = outer;
    return false;
  }
  current_guard = &here;
  kernel(context);
  current_guard = outer;
  return true;
}

void InstallFaultHandler() {
  static std::once_flag once;
  std::call_once(once, [] {
    struct sigaction action = {};
    action.sa_sigaction = HandleBusError;
    action.sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    if (sigaction(SIGBUS, nullptr, &previous_action) == 0) sigaction(SIGBUS, &action, nullptr);
  });
}

}  // namespace colkit

#endif  // !_WIN32
