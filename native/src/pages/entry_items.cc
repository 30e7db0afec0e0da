// See entry_items.h.
#include "pages/entry_items.h"

#include <cstring>

namespace colkit {
namespace {

// What the codes of consecutive rows stand for, straight to where it is wanted.
template <typename T>
void LookUpRows(const PageJob& job, const uint32_t* codes, uint8_t* bytes) {
  T* out = reinterpret_cast<T*>(bytes);
  // The lowest bytes of a pattern are the item.
  for (uint32_t row = job.start; row < job.end; ++row)
    std::memcpy(out++, job.entries + sizeof(uint64_t) * codes[row], sizeof(T));
}

// The same where some codes stand for a null: zeros for these, and a bit for each row, the first one for row `first`.
// How many are not null.
template <typename T>
uint32_t LookUpNullable(const PageJob& job, const uint32_t* codes, uint32_t first, uint32_t count) {
  T* out = reinterpret_cast<T*>(job.out);
  const uint64_t mask = job.entry_type.is_bool ? 1 : ~uint64_t{0};
  uint8_t* bits = job.validity + first / 8;
  uint32_t present_count = 0;
  for (uint32_t i = 0; i < count;) {
    uint32_t bit = (first + i) % 8;
    const uint32_t end = count - i < 8 - bit ? count : i + 8 - bit;
    uint32_t byte = 0;
    for (; i < end; ++i, ++bit) {
      const uint32_t code = codes[i];
      const uint32_t present = job.entry_validity[code / 8] >> (code % 8) & 1;
      uint64_t word;
      std::memcpy(&word, job.entries + sizeof word * code, sizeof word);
      // Which row is null cannot be predicted, so it is arithmetic and not a branch.
      const T item = static_cast<T>(word & mask & (uint64_t{0} - present));
      std::memcpy(out + i, &item, sizeof item);
      present_count += present;
      byte |= present << bit;
    }
    *bits++ = static_cast<uint8_t>(byte);
  }
  return present_count;
}

}  // namespace

bool LookUp(const PageJob& job, Arena* arena, DecodedPage* page) {
  if (!page->are_codes) return job.entry_type.bytes == job.type.bytes && job.entry_type.domain == job.type.domain;
  const NodeValues codes = page->values;
  auto* words = arena->Take<uint64_t>(codes.count);
  if (words == nullptr || codes.below > job.entry_count) return false;
  for (uint32_t i = 0; i < codes.count; ++i)
    std::memcpy(&words[i], job.entries + sizeof(uint64_t) * codes.numbers[i], sizeof words[i]);
  page->are_codes = false;
  page->values = NodeValues();
  page->values.count = codes.count;
  page->values.words = words;
  return true;
}

bool WriteLookedUp(const PageJob& job, const DecodedPage& page) {
  if (!page.are_codes || page.validity != nullptr || page.picks.rows != nullptr || PicksListed(job) ||
      page.values.below > job.entry_count || page.values.numbers == nullptr || job.entry_type.is_bool)
    return false;
  switch (job.entry_type.bytes) {
    case 1:
      LookUpRows<uint8_t>(job, page.values.numbers, job.out);
      return true;
    case 2:
      LookUpRows<uint16_t>(job, page.values.numbers, job.out);
      return true;
    case 4:
      LookUpRows<uint32_t>(job, page.values.numbers, job.out);
      return true;
    default:
      LookUpRows<uint64_t>(job, page.values.numbers, job.out);
      return true;
  }
}

bool WriteNullable(const PageJob& job, const DecodedPage& page, double* results) {
  const NodeValues& codes = page.values;
  if (!page.are_codes || page.validity != nullptr || codes.below > job.entry_count || codes.numbers == nullptr)
    return false;
  const uint32_t count = ItemsOf(job);
  const uint32_t* first_code = codes.numbers + (page.picks.rows == nullptr ? job.start : 0);
  const uint32_t first = PicksListed(job) ? 0 : job.start;
  switch (job.entry_type.bytes) {
    case 1:
      results[kResultCount] = LookUpNullable<uint8_t>(job, first_code, first, count);
      return true;
    case 2:
      results[kResultCount] = LookUpNullable<uint16_t>(job, first_code, first, count);
      return true;
    case 4:
      results[kResultCount] = LookUpNullable<uint32_t>(job, first_code, first, count);
      return true;
    default:
      results[kResultCount] = LookUpNullable<uint64_t>(job, first_code, first, count);
      return true;
  }
}

}  // namespace colkit
