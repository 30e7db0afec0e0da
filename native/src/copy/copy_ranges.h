// Copies many byte ranges of a mapping into one output: the items of a training file. See index.d.ts, copyRanges.
#ifndef COLKIT_NATIVE_COPY_RANGES_H_
#define COLKIT_NATIVE_COPY_RANGES_H_

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "map/mapping.h"
#include "platform/outcome.h"

namespace colkit {

struct RangesRequest {
  const MappedFile* file;
  const double* offsets;  // three arrays of `count`
  const double* lengths;
  const double* out_offsets;
  size_t count;
  uint8_t* out;
  size_t out_bytes;
  unsigned workers;
  const std::atomic<bool>* cancelled;
};

// All ranges are checked before one byte is written. Ranges that overlap in the output are written in order.
Outcome RunCopyRanges(const RangesRequest& request);

}  // namespace colkit

#endif  // COLKIT_NATIVE_COPY_RANGES_H_
