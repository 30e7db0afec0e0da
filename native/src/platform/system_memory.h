// Anonymous memory straight from the system, aligned, with huge pages where the system gives them; and keeping this
// library loaded.
#ifndef COLKIT_NATIVE_SYSTEM_MEMORY_H_
#define COLKIT_NATIVE_SYSTEM_MEMORY_H_

#include <cstddef>

namespace colkit {

// `bytes` and `alignment` are multiples of the page size; null where the system has none. Windows aligns to 64 KiB.
void* AllocatePages(size_t bytes, size_t alignment);
void FreePages(void* address, size_t bytes);
// Huge pages, where the system has them, for those of the memory that lie in it whole.
void AdviseHugePages(void* address, size_t bytes);
// The system may take the pages (which read as zeros then) when it runs short of memory; until it does they stay as
// they are, and writing to one keeps it.
void OfferPages(void* address, size_t bytes);

// Node unloads an addon when the last worker that loaded it ends; our threads and signal handler outlive that, so the
// code must stay.
void KeepLibraryLoaded();

}  // namespace colkit

#endif  // COLKIT_NATIVE_SYSTEM_MEMORY_H_
