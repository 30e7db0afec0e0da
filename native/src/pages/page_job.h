// What is asked of a page, read from the caller's numbers and checked against the file and the outputs.
#ifndef COLKIT_NATIVE_PAGE_JOB_H_
#define COLKIT_NATIVE_PAGE_JOB_H_

#include <cstdint>

#include "decode/column_items.h"
#include "pages/column_page.h"

namespace colkit {

// What `wanted` says of a select: rows by their values, those that are null, or those that are not.
constexpr unsigned kWantsValues = 0;
constexpr unsigned kWantsNulls = 1;

struct PageJob {
  uint64_t byte_offset;
  uint32_t byte_length;
  unsigned type_id;
  unsigned column;
  uint32_t row_count;
  uint32_t start;
  uint32_t end;
  PageForm form;
  uint8_t* out;
  uint8_t* validity;  // where a bitmap goes; null where nulls are not expected
  bool with_nulls;
  bool has_dictionary;
  bool codes_only;
  bool follows;
  const uint8_t* test;
  uint32_t test_bytes;
  uint32_t listed;         // rows, where a test would be; 0: none
  uint32_t code_count;     // groups that there is room for
  unsigned wanted;         // of folds and selects
  const uint8_t* entries;  // of folds: what codes stand for, as words; null: nothing is known of that
  uint32_t entry_count;
  const uint8_t* entry_validity;  // a bit for each entry; null: none is null
  ItemType entry_type;
  const uint8_t* ranges;  // of groups: a number for each range of integers; null: they are numbered one by one
  uint32_t range_count;
  uint32_t room;  // items that follow a selection: how many fit; texts: how many bytes
  ItemType type;
};

// Whether a job is for the items or numbers of listed rows alone, which are picked.
inline bool PicksListed(const PageJob& job) {
  return job.listed > 0 && (job.form == PageForm::kItems || job.form == PageForm::kNumbers);
}

// Whether a job is for listed rows of which there is a validity of their own.
inline bool TellsListed(const PageJob& job) {
  return PicksListed(job) || (job.listed > 0 && job.form == PageForm::kTexts);
}

// Items that a job for items writes, where it follows none.
inline uint32_t ItemsOf(const PageJob& job) { return job.listed > 0 ? job.listed : job.end - job.start; }

// Bytes of a value in the form of numbers: of types of four bytes and less, the lowest 32 bits are all of it.
inline uint64_t NumberBytes(const ItemType& type) { return type.bytes == 8 ? sizeof(uint64_t) : sizeof(uint32_t); }

// False where a number is none of what its meaning allows, or something lies outside of the file or an output.
bool ReadPageJob(const PagesRequest& request, size_t number, PageJob* job);

// Whether a job that follows may follow this one.
bool MayFollow(const PageJob& job, const PageJob& before);

}  // namespace colkit

#endif  // COLKIT_NATIVE_PAGE_JOB_H_
