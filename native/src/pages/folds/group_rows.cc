// See group_rows.h. What JavaScript does where there is no addon is in packages/table/src/aggregate: the answers are
// the same.
#include "pages/folds/group_rows.h"

#include <algorithm>

#include "platform/intrinsics.h"

namespace colkit {
namespace {

// Rows between asking for what is kept of a group and using it.
constexpr size_t kAhead = 24;
constexpr uint32_t kNaTWord = 0x80000000u;

// `arrays`: how many of the three are used.
template <typename Add>
COLKIT_INLINE size_t EachRow(const GroupedRows& rows, size_t first, const GroupStates& states, int arrays, Add add) {
  const auto ask = [&](size_t row) {
    const uint32_t group = rows.groups[row];
    if (group >= states.group_count) return;
    Prefetch(reinterpret_cast<uintptr_t>(states.first + group));
    if (arrays > 1) Prefetch(reinterpret_cast<uintptr_t>(states.second + group));
    if (arrays > 2) Prefetch(reinterpret_cast<uintptr_t>(states.third + group));
  };
  for (size_t row = first; row < rows.count; ++row) {
    if (row + kAhead < rows.count) ask(row + kAhead);
    if (rows.valid != nullptr && ((rows.valid[row >> 3] >> (row & 7)) & 1) == 0) continue;
    const uint32_t group = rows.groups[row];
    if (group >= states.group_count || !add(row, group)) return row;
  }
  return rows.count;
}

size_t ExactSums(const GroupedRows& rows, size_t first, const GroupStates& states) {
  return EachRow(rows, first, states, 3, [&](size_t row, uint32_t group) {
    const double value = rows.numbers[row];
    const double sum = states.second[group];
    const double lost = states.third[group];
    // What an addition of doubles misses is what it differs by, both ways.
    const double next = sum + value;
    const double taken = next - sum;
    const double error = (sum - (next - taken)) + (value - taken);
    const double less = lost + error;
    const double missed = less - lost;
    if (error != missed || lost != less - missed) return false;
    states.first[group] += 1;
    states.second[group] = next;
    states.third[group] = less;
    return true;
  });
}

size_t Extremes(bool most, const GroupedRows& rows, size_t first, const GroupStates& states) {
  return EachRow(rows, first, states, 2, [&](size_t row, uint32_t group) {
    const double value = rows.numbers[row];
    const double best = states.first[group];
    states.second[group] = 1;
    if ((most ? value > best : value < best) || best != best) states.first[group] = value;
    return true;
  });
}

template <typename Upper>
COLKIT_INLINE double UpperOf(uint32_t word) {
  return static_cast<double>(static_cast<Upper>(word));
}

template <typename Upper>
size_t WordSums(const GroupedRows& rows, size_t first, const GroupStates& states) {
  return EachRow(rows, first, states, 3, [&](size_t row, uint32_t group) {
    states.first[group] += 1;
    states.second[group] += static_cast<double>(rows.words[2 * row]);
    states.third[group] += UpperOf<Upper>(rows.words[2 * row + 1]);
    return true;
  });
}

template <typename Upper>
size_t WordExtremes(bool most, bool has_nat, const GroupedRows& rows, size_t first, const GroupStates& states) {
  return EachRow(rows, first, states, 3, [&](size_t row, uint32_t group) {
    const uint32_t low_word = rows.words[2 * row];
    const uint32_t high_word = rows.words[2 * row + 1];
    double* found = states.third + group;
    if (has_nat && high_word == kNaTWord && low_word == 0) {
      *found = std::max(*found, 1.0);
      return true;
    }
    const auto low = static_cast<double>(low_word);
    const double high = UpperOf<Upper>(high_word);
    if (*found == 2) {
      const double best = states.first[group];
      if (most ? high < best : high > best) return true;
      if (high == best && (most ? low <= states.second[group] : low >= states.second[group])) return true;
    }
    *found = 2;
    states.first[group] = high;
    states.second[group] = low;
    return true;
  });
}

}  // namespace

size_t FoldByGroup(GroupFold fold, uint32_t flags, const GroupedRows& rows, size_t first, const GroupStates& states) {
  const bool most = (flags & kFoldsMost) != 0;
  const bool is_unsigned = (flags & kUnsignedWords) != 0;
  switch (fold) {
    case GroupFold::kCount:
      return EachRow(rows, first, states, 1, [&](size_t, uint32_t group) {
        states.first[group] += 1;
        return true;
      });
    case GroupFold::kSum:
      return EachRow(rows, first, states, 2, [&](size_t row, uint32_t group) {
        states.first[group] += 1;
        states.second[group] += rows.numbers[row];
        return true;
      });
    case GroupFold::kExactSum:
      return ExactSums(rows, first, states);
    case GroupFold::kWordSum:
      return is_unsigned ? WordSums<uint32_t>(rows, first, states) : WordSums<int32_t>(rows, first, states);
    case GroupFold::kExtreme:
      return Extremes(most, rows, first, states);
    case GroupFold::kWordExtreme: {
      const bool has_nat = (flags & kHasNaT) != 0;
      return is_unsigned ? WordExtremes<uint32_t>(most, has_nat, rows, first, states)
                         : WordExtremes<int32_t>(most, has_nat, rows, first, states);
    }
  }
  return first;
}

}  // namespace colkit
