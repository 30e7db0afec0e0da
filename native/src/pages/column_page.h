// Pages of a .cna file -> items in the caller's memory, or the numbers that they are made of. See index.d.ts,
// decodePages.
#ifndef COLKIT_NATIVE_COLUMN_PAGE_H_
#define COLKIT_NATIVE_COLUMN_PAGE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "map/mapping.h"
#include "platform/outcome.h"

namespace colkit {

struct PageOutput {
  uint8_t* data;
  size_t byte_length;
};

// What is asked of a page, as JavaScript wrote it: kPageJobNumbers numbers in this order.
enum PageJobNumber : size_t {
  kByteOffset,  // of the page in the file
  kByteLength,  // of the page with its padding
  kTypeId,      // of the column
  kColumn,      // lowest 16 bits of the column's number
  kRowCount,    // of the page
  kStart,       // items, select, keys: rows [start, end) of the page
  kEnd,
  kForm,            // PageForm
  kOutput,          // which of the outputs
  kOutOffset,       // where in it, in bytes: a multiple of the item bytes (of 8 for other forms)
  kValidityOutput,  // the output of the validity bitmap if some rows are null; negative: a page with nulls is left
  kValidityOffset,  // where in it, in bytes
  kHasDictionary,   // numbers, select: whether the chunk has a dictionary, so that codes are expected
  kFollows,         // items, select, sums: 1 where the job goes on with what the job before it found
  kTestOutput,      // select: the output that holds the test
  kTestOffset,      // where in it, in bytes
  kTestLength,      // its bytes; keys, sums: how many codes there are; items that follow: how many there is room for
  kPageJobNumbers,
};

enum class PageForm : uint8_t {
  // items of the column's type, zeros for nulls: of rows [start, end), or behind a selection of the rows that it left,
  // where none of the page is null
  kItems,
  // all values that are not null: as u32 with a line through them where that is how they are packed, else as patterns;
  // room for 8 bytes a row of types of 8 bytes, 4 of others
  kNumbers,
  // rows that pass a test, ascending, as u32: of [start, end), or of those that the job before found. Jobs that follow
  // each other write to the first one's output
  kSelect,
  // for each code of the chunk's dictionary the first of rows [start, end) that has it, and how many do, as u32: none
  // of them is null
  kKeys,
  kSums,  // for each code of the keys before the sum of the numbers of its rows, as a double: none of them is null
};

// What became of it.
enum PageResultNumber : size_t {
  kIsDecoded,   // 1; 0: left to the caller; 2: not looked at, since no row was left
  kValueCount,  // rows of the page that are not null; select and items that follow: rows that are left
  kBase,        // numbers, sums: value = (base + step * number) / 10^exponent
  kStep,
  kBelow,     // every number is below this
  kExponent,  // or what the numbers are: NumbersKind
  kPageResultNumbers,
};

enum NumbersKind : int {
  kIntegers = -1,  // value = base + step * number modulo 2^64
  kCodes = -2,     // codes of the chunk's dictionary, one a row, all bits set for a null
  kPatterns = -3,  // 64-bit patterns (of types of 8 bytes)
};

struct PagesRequest {
  const MappedFile* file;
  const double* jobs;
  double* results;
  size_t count;
  const PageOutput* outputs;
  size_t output_count;
  bool verify_crc;
  unsigned workers;
  const std::atomic<bool>* cancelled;
};

// A page is decoded whole or left: because it is of a form that is not decoded here, or because something is wrong with
// it. What follows a page that was left is left too, but for items.
Outcome RunDecodePages(const PagesRequest& request);

}  // namespace colkit

#endif  // COLKIT_NATIVE_COLUMN_PAGE_H_
