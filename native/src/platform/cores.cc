// See cpu.h: the cores.
#include "platform/cpu.h"

#include <algorithm>
#include <cstdio>
#include <set>
#include <string>
#include <thread>

#if defined(__linux__)
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace colkit {

unsigned PhysicalCores() {
#if defined(__linux__)
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (sched_getaffinity(0, sizeof(allowed), &allowed) == 0) {
    std::set<std::string> cores;  // by their list of siblings
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
      if (!CPU_ISSET(cpu, &allowed)) continue;
      const std::string path = "/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/topology/thread_siblings_list";
      char siblings[64] = {};
      std::FILE* file = std::fopen(path.c_str(), "r");
      const bool known = file != nullptr && std::fgets(siblings, sizeof(siblings), file) != nullptr;
      if (file != nullptr) std::fclose(file);
      cores.insert(known ? siblings : "cpu " + std::to_string(cpu));
    }
    if (!cores.empty()) return static_cast<unsigned>(cores.size());
  }
#endif
  return std::max(1u, std::thread::hardware_concurrency());
}

#if defined(__linux__)

int CurrentCore() { return sched_getcpu(); }

int CurrentThread() { return static_cast<int>(syscall(SYS_gettid)); }

void KeepOffCore(int thread, int core) {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  // The first thread's cores: a caller from the pool has been kept off one itself. Where there are more cores than the
  // set has room for, that fails, and there is no need.
  if (sched_getaffinity(getpid(), sizeof(allowed), &allowed) != 0) return;
  if (core >= 0 && CPU_COUNT(&allowed) > 1) CPU_CLR(core, &allowed);
  sched_setaffinity(thread, sizeof(allowed), &allowed);
}

#else

int CurrentCore() { return -1; }
int CurrentThread() { return 0; }
void KeepOffCore(int, int) {}

#endif

}  // namespace colkit
