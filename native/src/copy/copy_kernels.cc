// See copy_kernels.h. Prefetching 64 items ahead, one column at a time: random rows of a warm 160 MB column cost 11.5
// ns each instead of 18 to 20 (distances of 24 to 128 are alike; gather instructions gain nothing).
#include "copy/copy_kernels.h"

#include <cstring>
#include <type_traits>

#include "copy/copy_bytes.h"
#include "platform/intrinsics.h"

namespace colkit {
namespace {

constexpr size_t kAhead = 64;
constexpr size_t kLineBytes = 64;
constexpr size_t kMostPrefetchedBytes = 256;  // of a wide item; behind them the hardware's own prefetcher has caught on

template <uint32_t kWidth>
COLKIT_INLINE void CopyItem(uint8_t* out, const uint8_t* from, uint32_t) {
  std::memcpy(out, from, kWidth);
}
template <>
COLKIT_INLINE void CopyItem<0>(uint8_t* out, const uint8_t* from, uint32_t width) {
  std::memcpy(out, from, width);
}

template <uint32_t kWidth>
COLKIT_INLINE void PrefetchItem(uintptr_t address, uint32_t width) {
  Prefetch(address);
  if (kWidth != 0) return;
  const size_t bytes = width < kMostPrefetchedBytes ? width : kMostPrefetchedBytes;
  for (size_t at = kLineBytes; at < bytes; at += kLineBytes) Prefetch(address + at);
}

// `offset(i)` is the byte offset of item i in the mapping. The first lines of a batch are asked for before the loop,
// which asks for the rest.
template <uint32_t kWidth, bool kPacked, typename Offset>
COLKIT_INLINE void CopyByOffset(const ColumnCopy& copy, size_t count, Offset offset) {
  const uint8_t* const data = copy.data;
  const uintptr_t origin = reinterpret_cast<uintptr_t>(data);
  const uint32_t width = kWidth != 0 ? kWidth : copy.item_bytes;
  const size_t stride = kPacked ? width : copy.out_stride;
  uint8_t* const out = copy.out;
  size_t i = 0;
  if (!copy.prefetched) {
    const size_t head = count < kAhead ? count : kAhead;
    for (size_t k = 0; k < head; ++k) PrefetchItem<kWidth>(origin + offset(k), width);
    for (; i + kAhead < count; ++i) {
      PrefetchItem<kWidth>(origin + offset(i + kAhead), width);
      CopyItem<kWidth>(out + i * stride, data + offset(i), width);
    }
  }
  for (; i < count; ++i) CopyItem<kWidth>(out + i * stride, data + offset(i), width);
}

template <uint32_t kWidth, typename Offset>
void CopyOfWidth(const ColumnCopy& copy, size_t count, Offset offset) {
  if (copy.out_stride == copy.item_bytes) {
    CopyByOffset<kWidth, true>(copy, count, offset);
  } else {
    CopyByOffset<kWidth, false>(copy, count, offset);
  }
}

// `make(width)` gives the offset function; it is called with the width as a constant where there is a loop for it.
template <typename Make>
void CopyByWidth(const ColumnCopy& copy, size_t count, Make make) {
  switch (copy.item_bytes) {
    case 1:
      return CopyOfWidth<1>(copy, count, make(std::integral_constant<uint64_t, 1>()));
    case 2:
      return CopyOfWidth<2>(copy, count, make(std::integral_constant<uint64_t, 2>()));
    case 4:
      return CopyOfWidth<4>(copy, count, make(std::integral_constant<uint64_t, 4>()));
    case 8:
      return CopyOfWidth<8>(copy, count, make(std::integral_constant<uint64_t, 8>()));
    case 16:
      return CopyOfWidth<16>(copy, count, make(std::integral_constant<uint64_t, 16>()));
    default:
      return CopyOfWidth<0>(copy, count, make(static_cast<uint64_t>(copy.item_bytes)));
  }
}

template <typename Row>
void CopyRowsOf(const ColumnCopy& copy, int64_t base, const Row* rows, size_t count) {
  CopyByWidth(copy, count, [=](auto width) {
    return [=](size_t i) {
      return static_cast<uint64_t>(base) + static_cast<uint64_t>(rows[i]) * static_cast<uint64_t>(width);
    };
  });
}

// Over segments the address of an item takes three loads. Blocks of addresses are worked out once, asked for, and used
// a block later.
template <uint32_t kWidth, typename Row>
void CopySegmentsOfWidth(const ColumnCopy& copy, const int64_t* bases, const uint32_t* segments, const Row* rows,
                         size_t count) {
  const uint32_t width = kWidth != 0 ? kWidth : copy.item_bytes;
  const size_t stride = copy.out_stride;
  const uintptr_t origin = reinterpret_cast<uintptr_t>(copy.data);
  uint64_t offsets[2][kAhead];
  const auto ask = [&](size_t begin, uint64_t* into) {
    const size_t end = begin + kAhead < count ? begin + kAhead : count;
    for (size_t i = begin; i < end; ++i) {
      const uint64_t offset = static_cast<uint64_t>(bases[segments[i]]) + static_cast<uint64_t>(rows[i]) * width;
      into[i - begin] = offset;
      PrefetchItem<kWidth>(origin + offset, width);
    }
  };
  ask(0, offsets[0]);
  unsigned turn = 0;
  for (size_t begin = 0; begin < count; begin += kAhead, turn ^= 1) {
    ask(begin + kAhead, offsets[turn ^ 1]);
    const size_t block = begin + kAhead < count ? kAhead : count - begin;
    uint8_t* out = copy.out + begin * stride;
    for (size_t i = 0; i < block; ++i) CopyItem<kWidth>(out + i * stride, copy.data + offsets[turn][i], width);
  }
}

template <typename Row>
void CopySegmentRowsOf(const ColumnCopy& copy, const int64_t* bases, const uint32_t* segments, const Row* rows,
                       size_t count) {
  switch (copy.item_bytes) {
    case 1:
      return CopySegmentsOfWidth<1>(copy, bases, segments, rows, count);
    case 2:
      return CopySegmentsOfWidth<2>(copy, bases, segments, rows, count);
    case 4:
      return CopySegmentsOfWidth<4>(copy, bases, segments, rows, count);
    case 8:
      return CopySegmentsOfWidth<8>(copy, bases, segments, rows, count);
    case 16:
      return CopySegmentsOfWidth<16>(copy, bases, segments, rows, count);
    default:
      return CopySegmentsOfWidth<0>(copy, bases, segments, rows, count);
  }
}

template <typename Row>
void PrefetchRowsOf(const ColumnCopy& copy, int64_t base, const Row* rows, size_t count) {
  const uintptr_t origin = reinterpret_cast<uintptr_t>(copy.data) + static_cast<uintptr_t>(base);
  for (size_t i = 0; i < count; ++i) Prefetch(origin + static_cast<uintptr_t>(rows[i]) * copy.item_bytes);
}

}  // namespace

void CopyRowsUnchecked(const ColumnCopy& copy, int64_t base, const uint32_t* rows, size_t count) {
  CopyRowsOf(copy, base, rows, count);
}
void CopyRowsUnchecked(const ColumnCopy& copy, int64_t base, const uint64_t* rows, size_t count) {
  CopyRowsOf(copy, base, rows, count);
}

void CopySegmentRowsUnchecked(const ColumnCopy& copy, const int64_t* bases, const uint32_t* segments,
                              const uint32_t* rows, size_t count) {
  CopySegmentRowsOf(copy, bases, segments, rows, count);
}
void CopySegmentRowsUnchecked(const ColumnCopy& copy, const int64_t* bases, const uint32_t* segments,
                              const uint64_t* rows, size_t count) {
  CopySegmentRowsOf(copy, bases, segments, rows, count);
}

void CopyStridedUnchecked(const ColumnCopy& copy, uint64_t first, int64_t byte_step, size_t count) {
  if (byte_step == static_cast<int64_t>(copy.item_bytes) && copy.out_stride == copy.item_bytes) {
    CopyBytes(copy.out, copy.data + first, count * copy.item_bytes, copy.streamed);
    return;
  }
  CopyByWidth(copy, count,
              [=](auto) { return [=](size_t i) { return first + i * static_cast<uint64_t>(byte_step); }; });
}

void PrefetchRows(const ColumnCopy& copy, int64_t base, const uint32_t* rows, size_t count) {
  PrefetchRowsOf(copy, base, rows, count);
}
void PrefetchRows(const ColumnCopy& copy, int64_t base, const uint64_t* rows, size_t count) {
  PrefetchRowsOf(copy, base, rows, count);
}

}  // namespace colkit
