// How many cores this process may use: the affinity mask, hyperthreads of one core counted once where Linux tells which
// are siblings.
#include <algorithm>
#include <cstdio>
#include <set>
#include <string>
#include <thread>

#if defined(__linux__)
#include <sched.h>
#endif

#include "platform/thread_pool.h"

namespace colkit {

unsigned ThreadPool::PhysicalCores() {
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

}  // namespace colkit
