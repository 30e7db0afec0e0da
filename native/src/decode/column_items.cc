// See column_items.h.
#include "decode/column_items.h"

#include <cstring>
#include <type_traits>

#include "decode/item_kernels.h"

namespace colkit {
namespace {

// Products of narrower integers are made of unsigned 32-bit ones: of uint16_t they would be ints, which they overflow.
template <typename T>
using Product = std::conditional_t<(sizeof(T) < sizeof(uint32_t)), uint32_t, T>;

template <typename T>
void WriteIntegers(const NodeValues& values, size_t start, size_t end, T mask, T* out) {
  const size_t count = end - start;
  if (values.kind == NodeValues::Kind::kWide) {
    const uint64_t* words = values.words + start;
    if (sizeof(T) == 8) {
      if (count > 0 && static_cast<const void*>(words) != static_cast<void*>(out))
        std::memcpy(out, words, count * sizeof(T));
      return;
    }
    for (size_t i = 0; i < count; ++i) out[i] = static_cast<T>(words[i]) & mask;
    return;
  }
  const auto base = static_cast<Product<T>>(values.base);
  const auto step = static_cast<Product<T>>(values.step);
  const uint32_t* numbers = values.numbers + start;
  static_assert(std::is_unsigned_v<decltype(base + step * numbers[0])>,
                "wraps and never overflows: not every compiler's sanitizer sees an int here");
  if (step == 1) {
    for (size_t i = 0; i < count; ++i) out[i] = static_cast<T>(base + numbers[i]) & mask;
  } else {
    for (size_t i = 0; i < count; ++i) out[i] = static_cast<T>(base + step * numbers[i]) & mask;
  }
}

// One IEEE division of two exact doubles; where the integers fit in 32 bits, two at a time.
template <typename T>
void WriteDecimals(const NodeValues& values, size_t start, size_t end, T* out) {
  const double power = kPowersOfTen[values.exponent];
  const size_t count = end - start;
  if (values.numbers == nullptr) {
    for (size_t i = 0; i < count; ++i)
      out[i] = static_cast<T>(static_cast<double>(static_cast<int64_t>(values.words[start + i])) / power);
    return;
  }
  const uint32_t* numbers = values.numbers + start;
  const auto base = static_cast<int64_t>(values.base);
  const auto step = static_cast<int64_t>(values.step);
  const auto last = base + step * static_cast<int64_t>(values.below - 1);
  const auto fits = [](int64_t value) { return value >= INT32_MIN && value <= INT32_MAX; };
  if (fits(base) && fits(last)) {
    const auto base32 = static_cast<uint32_t>(base);
    const auto step32 = static_cast<uint32_t>(step);
    for (size_t i = 0; i < count; ++i)
      out[i] = static_cast<T>(static_cast<double>(static_cast<int32_t>(base32 + step32 * numbers[i])) / power);
    return;
  }
  for (size_t i = 0; i < count; ++i)
    out[i] = static_cast<T>(static_cast<double>(base + step * static_cast<int64_t>(numbers[i])) / power);
}

// Rows [start, end), one by one; how many items there were.
size_t SpreadEach(const uint8_t* items, const uint8_t* validity, size_t start, size_t end, unsigned item_bytes,
                  uint8_t* out) {
  size_t count = 0;
  for (size_t row = start; row < end; ++row, out += item_bytes) {
    const bool present = (validity[row / 8] >> (row % 8) & 1) != 0;
    if (present)
      std::memcpy(out, items + count * item_bytes, item_bytes);
    else
      std::memset(out, 0, item_bytes);
    count += present ? 1 : 0;
  }
  return count;
}

}  // namespace

bool ItemTypeOf(unsigned id, ItemType* type) {
  if (id >= sizeof kItemTypes / sizeof kItemTypes[0]) return false;
  *type = kItemTypes[id];
  return true;
}

void WriteItems(const NodeValues& values, size_t start, size_t end, const ItemType& type, uint8_t* out) {
  // Of no rows there may be no values either.
  if (start == end) return;
  if (values.kind == NodeValues::Kind::kDecimal) {
    if (type.domain == Domain::kFloat32)
      WriteDecimals(values, start, end, reinterpret_cast<float*>(out));
    else
      WriteDecimals(values, start, end, reinterpret_cast<double*>(out));
  } else {
    switch (type.bytes) {
      case 1:
        WriteIntegers<uint8_t>(values, start, end, type.is_bool ? 1 : 0xff, out);
        break;
      case 2:
        if (values.kind == NodeValues::Kind::kNarrow)
          WriteShorts(values.numbers + start, end - start, static_cast<uint32_t>(values.base),
                      static_cast<uint32_t>(values.step), reinterpret_cast<uint16_t*>(out));
        else
          WriteIntegers<uint16_t>(values, start, end, 0xffff, reinterpret_cast<uint16_t*>(out));
        break;
      case 4:
        WriteIntegers<uint32_t>(values, start, end, 0xffffffffu, reinterpret_cast<uint32_t*>(out));
        break;
      default:
        WriteIntegers<uint64_t>(values, start, end, ~uint64_t{0}, reinterpret_cast<uint64_t*>(out));
    }
  }
  for (uint32_t i = 0; i < values.patch_count; ++i) {
    const uint32_t position = values.positions[i];
    if (position < start || position >= end) continue;
    const uint64_t pattern = type.is_bool ? values.replacements[i] & 1 : values.replacements[i];
    std::memcpy(out + (position - start) * type.bytes, &pattern, type.bytes);
  }
}

void SpreadItems(const uint8_t* items, const uint8_t* validity, size_t start, size_t end, unsigned item_bytes,
                 uint8_t* out) {
  const size_t aligned = (start + 7) / 8 * 8;
  const size_t first_end = aligned < end ? aligned : end;
  items += SpreadEach(items, validity, start, first_end, item_bytes, out) * item_bytes;
  out += (first_end - start) * item_bytes;
  const size_t bytes = (end - first_end) / 8;
  items += SpreadEights(items, validity + first_end / 8, bytes, item_bytes, out) * item_bytes;
  SpreadEach(items, validity, first_end + 8 * bytes, end, item_bytes, out + 8 * bytes * item_bytes);
}

}  // namespace colkit
