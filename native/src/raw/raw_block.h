// One thread's view of a block of rows: the items of a column as one array, the mask of the rows that match, and what
// the folds of a piece have gathered so far.
#ifndef COLKIT_NATIVE_RAW_BLOCK_H_
#define COLKIT_NATIVE_RAW_BLOCK_H_

#include <cstddef>
#include <cstdint>

#include "raw/raw_kernels.h"
#include "raw/raw_request.h"

namespace colkit {

constexpr size_t kBlockBytes = size_t{1} << 18;

// A thread's own working memory.
struct RawScratch {
  uint8_t masks[kMostRawDepth][kBlockRows];
  uint8_t items[kBlockBytes];                // of a block that lies in several segments, or in the other byte order
  uint8_t packed[(kBlockRows + 1) * 8];      // matching items
  uint8_t best[kMostRawItemBytes];           // of texts
  uint8_t texts[kMostRawItemBytes];          // one that is compared with it
  double registers[kMostRawRegisters][kBlockRows];
};

// What a fold has gathered. Plain data, zeroed to start.
struct FoldState {
  RawSum sum;
  RawExtreme extreme;
  uint64_t row;  // of the best text
};

struct RawBlock {
  const RawRequest* request;
  const RawKernels* kernels;
  RawScratch* scratch;
  uint64_t start;
  size_t count;
};

// The items of a column, one behind the other and in the machine's byte order: in the mapping, or copied to the scratch
// memory, where they stay until the next call.
const uint8_t* ItemsOf(const RawBlock& block, const RawColumn& column);
// The same of one row, to `out`.
void CopyItem(const RawBlock& block, const RawColumn& column, uint64_t row, uint8_t* out);

// 1 for each row that matches, else 0; null where all do. `matches` gets how many.
const uint8_t* MatchRows(const RawBlock& block, size_t* matches);

// Adds the rows that match to one fold.
void FoldRows(const RawBlock& block, const RawFold& fold, const uint8_t* mask, size_t matches, FoldState* state);

// What `other` has gathered behind the rows of `state`. `scratch` is the caller's.
void MergeFolds(const RawRequest& request, const RawFold& fold, RawScratch* scratch, FoldState* other,
                FoldState* state);

}  // namespace colkit

#endif  // COLKIT_NATIVE_RAW_BLOCK_H_
