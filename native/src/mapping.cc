// What a mapping does alike on all systems. See mapping.h.
#include "mapping.h"

namespace colkit {

bool MappedFile::Advise(Advice advice, uint64_t byte_offset, uint64_t byte_length) {
  advice_.store(advice, std::memory_order_relaxed);
  return GiveAdvice(advice, byte_offset, byte_length);
}

}  // namespace colkit
