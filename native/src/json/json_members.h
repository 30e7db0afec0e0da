// Records of JSON -> where the values of their members are, and in which forms they are written: the same cells as the
// scan in TypeScript finds (packages/table/src/json/scan-records.ts), up to a record that is left to the caller.
#ifndef COLKIT_NATIVE_JSON_MEMBERS_H_
#define COLKIT_NATIVE_JSON_MEMBERS_H_

#include <cstddef>
#include <cstdint>

namespace colkit {

// In which forms values are written, a bit each. The numbers are those of packages/table/src/json/cell-forms.ts.
constexpr uint32_t kJsonNull = 1;
constexpr uint32_t kJsonBool = 2;
constexpr uint32_t kJsonWhole = 4;
constexpr uint32_t kJsonNegative = 8;
constexpr uint32_t kJsonFraction = 16;
constexpr uint32_t kJsonOtherNumber = 32;
constexpr uint32_t kJsonSpecialText = 64;
constexpr uint32_t kJsonOtherText = 128;

// What lists and objects are: left to the caller, text, or, of a list, the one plain value in it.
enum class JsonNested : int32_t { kLeft, kText, kSingle };

struct JsonNameEntry {
  int32_t start;
  int32_t end;
  int32_t column;
};

// The names of columns as records write them: entry number + 1 at its hash or behind it, 0: free. Whoever fills it may
// err: what does not lie in it is not looked at.
struct JsonNames {
  const uint8_t* bytes;
  size_t length;
  const JsonNameEntry* entries;
  size_t count;
  const int32_t* slots;
  size_t slot_count;
  // Whether names that are not known are passed over.
  bool skips_others;
};

// Of the cells of a column.
struct JsonFacts {
  uint32_t present;
  uint32_t forms;
};

// Rows of `stride` cells from `row` on, and what is known of each column.
struct JsonRows {
  int32_t* starts;
  int32_t* ends;
  uint8_t* flags;
  size_t row;
  size_t stride;
  size_t columns;
  JsonFacts* facts;
  JsonNested nested;
};

// Bytes are text; escapes in texts that are taken are resolved in them, and space in lists and objects is taken out.
// `bounds`: two for each of `count` records, within the bytes. Gives how many were taken.
size_t FindJsonMembers(uint8_t* bytes, const int32_t* bounds, size_t count, const JsonNames& names,
                       const JsonRows& rows);

}  // namespace colkit

#endif  // COLKIT_NATIVE_JSON_MEMBERS_H_
