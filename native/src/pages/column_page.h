// Pages of a .cna file -> items in the caller's memory, or the numbers that they are made of. See index.d.ts,
// decodePages.
#ifndef COLKIT_NATIVE_COLUMN_PAGE_H_
#define COLKIT_NATIVE_COLUMN_PAGE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "map/mapping.h"
#include "pages/page_program.h"
#include "platform/outcome.h"

namespace colkit {

struct PageOutput {
  uint8_t* data;
  size_t byte_length;
};

struct PagesRequest {
  const MappedFile* file;
  const double* jobs;  // kPageJobNumbers each
  double* results;     // kPageResultNumbers each
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
