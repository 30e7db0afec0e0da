// Rows by groups: numbers for what rows are grouped by, and what the folds of each group have gathered. A thread has
// one of its own; in the end they become one.
#ifndef COLKIT_NATIVE_RAW_GROUPS_H_
#define COLKIT_NATIVE_RAW_GROUPS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "raw/raw_block.h"

namespace colkit {

// Numbers for keys of a few words, in the order in which they are met.
class KeyTable {
 public:
  explicit KeyTable(size_t words);

  // The numbers of `count` keys, one behind the other; new ones count on from `count()`.
  void NumbersOf(const uint64_t* keys, size_t count, uint32_t* numbers);
  uint32_t count() const { return count_; }
  const uint64_t* KeyOf(uint32_t number) const { return keys_.data() + number * words_; }

 private:
  // Open addressing. `word`: the key where it is a single word, else its hash.
  struct Slot {
    uint64_t word;
    uint32_t number;
  };

  template <bool kIsSingle>
  void Find(const uint64_t* keys, size_t count, uint32_t* numbers);
  size_t SlotOf(uint64_t word) const;
  void Grow();

  size_t words_;
  uint32_t count_ = 0;
  std::vector<uint64_t> keys_;
  std::vector<Slot> slots_;
  unsigned shift_;
};

// What one fold has gathered, by group. Allocates; reads nothing of the file but texts that begin alike.
class GroupFold {
 public:
  GroupFold(const RawProgram& program, const RawFold& fold);

  const RawColumn& column() const { return *column_; }
  // Whether Add takes doubles, and not the items themselves, which have 64 bits.
  bool TakesDoubles() const { return !is_wide_; }
  void Resize(size_t groups);
  // Of row rows[i], counted from `start`, the value and the group.
  void Add(const void* values, const uint32_t* groups, const uint16_t* rows, size_t count, uint64_t start);
  // The same of texts, by their keys (raw_text.h).
  void AddTexts(const RawBlock& block, const uint64_t* keys, const uint32_t* groups, const uint16_t* rows,
                size_t count);
  bool TakesTexts() const { return is_text_; }
  // What sums have gathered goes to where it has room.
  void Flush();
  void Merge(const RawBlock& block, GroupFold* other, const std::vector<uint32_t>& group_of);
  void Write(size_t group, double* result);

 private:
  struct Extreme {
    RawFound found;
    uint64_t bits;  // of a double, or of the item; of texts the key
    uint64_t row;
  };
  struct Total {
    uint64_t low;  // low + 2^32 * high
    int64_t high;
  };

  void AddFloats(const double* values, const uint32_t* groups, size_t count);
  void AddWide(const uint64_t* items, const uint32_t* groups, size_t count);
  void Offer(Extreme* extreme, const Extreme& other) const;
  bool IsBetterText(const RawBlock& block, const Extreme& text, const Extreme& best) const;
  bool IsBetter(uint64_t bits, uint64_t best) const;

  const RawColumn* column_;
  RawFoldKind kind_;
  bool is_wide_;
  bool is_float_;
  bool is_text_;
  std::vector<Extreme> extremes_;
  std::vector<Total> totals_;
  std::vector<ExactSum> exact_;
  // Two parts a group of what was added since the last flush.
  std::vector<double> parts_;
  size_t unflushed_ = 0;
  // Exponents below this one, as doubles have them, and not far below, are added in parts.
  unsigned top_ = 0;
};

class GroupedRows {
 public:
  explicit GroupedRows(const RawProgram& program);

  // The rows of a block that match. False: there are more groups than the program wants.
  bool Add(const RawBlock& block, const uint8_t* mask, size_t matches);
  void Flush();
  // False: there are more groups than the program wants. `block`: where texts are looked at.
  bool Merge(const RawBlock& block, GroupedRows* other);
  uint32_t count() const { return table_.count(); }
  void Write(double* results);

 private:
  void WriteKeys(const RawBlock& block, const uint8_t* mask, size_t matches);

  const RawProgram* program_;
  size_t words_;
  KeyTable table_;
  std::vector<uint64_t> firsts_;
  std::vector<uint64_t> counts_;
  std::vector<GroupFold> folds_;
  // Of a block.
  std::vector<uint64_t> keys_;
  std::vector<uint32_t> groups_;
  std::vector<uint16_t> rows_;
  std::vector<double> values_;
  // Of what is merged: which groups they are here.
  std::vector<uint32_t> group_of_;
};

// Bytes of what rows are grouped by, together: 8 for each number.
size_t KeyBytes(const RawProgram& program);

}  // namespace colkit

#endif  // COLKIT_NATIVE_RAW_GROUPS_H_
