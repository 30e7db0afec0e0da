// See system_memory.h.
#include "platform/system_memory.h"

#include <cstdint>

#if defined(_WIN32)
#define WIN32_LEAN_AND_MEAN
#define NOMINMAX
#include <windows.h>
#else
#include <dlfcn.h>
#include <sys/mman.h>
#endif

namespace colkit {

#if defined(_WIN32)

// VirtualAlloc aligns to 64 KiB; large pages need a privilege there, so a larger alignment would gain nothing.
void* AllocatePages(size_t bytes, size_t) {
  return VirtualAlloc(nullptr, bytes, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
}

void FreePages(void* address, size_t) { VirtualFree(address, 0, MEM_RELEASE); }

void AdviseHugePages(void*, size_t) {}

void OfferPages(void*, size_t) {}

void KeepLibraryLoaded() {
  HMODULE module;
  GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_PIN | GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS,
                     reinterpret_cast<LPCWSTR>(&KeepLibraryLoaded), &module);
}

#else

namespace {
[[maybe_unused]] constexpr uintptr_t kHugePageBytes = uintptr_t{2} << 20;
}

void* AllocatePages(size_t bytes, size_t alignment) {
  const size_t reserved = bytes + alignment;
  if (reserved < bytes) return nullptr;
  void* address = mmap(nullptr, reserved, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (address == MAP_FAILED) return nullptr;
  const uintptr_t start = reinterpret_cast<uintptr_t>(address);
  const uintptr_t aligned = (start + alignment - 1) / alignment * alignment;
  if (aligned > start) munmap(address, aligned - start);
  const size_t behind = reserved - (aligned - start) - bytes;
  if (behind > 0) munmap(reinterpret_cast<void*>(aligned + bytes), behind);
  void* block = reinterpret_cast<void*>(aligned);
  AdviseHugePages(block, bytes);
  return block;
}

void FreePages(void* address, size_t bytes) { munmap(address, bytes); }

void AdviseHugePages(void* address, size_t bytes) {
#if defined(MADV_HUGEPAGE)
  const uintptr_t start = (reinterpret_cast<uintptr_t>(address) + kHugePageBytes - 1) / kHugePageBytes * kHugePageBytes;
  const uintptr_t end = (reinterpret_cast<uintptr_t>(address) + bytes) / kHugePageBytes * kHugePageBytes;
  if (start < end) madvise(reinterpret_cast<void*>(start), end - start, MADV_HUGEPAGE);
#endif
}

void OfferPages(void* address, size_t bytes) {
#if defined(MADV_FREE)
  madvise(address, bytes, MADV_FREE);
#endif
}

void KeepLibraryLoaded() {
  Dl_info info;
  // The handle is leaked on purpose.
  if (dladdr(reinterpret_cast<void*>(&KeepLibraryLoaded), &info) != 0 && info.dli_fname != nullptr)
    dlopen(info.dli_fname, RTLD_LAZY | RTLD_NODELETE | RTLD_NOLOAD);
}

#endif

}  // namespace colkit
