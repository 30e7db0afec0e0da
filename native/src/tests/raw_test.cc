// Raw columns of every type against the plainest loops: random bytes, so that there are NaN, infinities, NaT, subnormal
// numbers and texts of no characters among them, in segments of all lengths; each form of the loops that there is.
#include "raw/raw_request.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "raw/folds/raw_extremes.h"
#include "raw/raw_block.h"
#include "tests/test_support.h"

using namespace colkit;

namespace {

constexpr uint8_t kWidths[] = {1, 1, 2, 4, 8, 1, 2, 4, 8, 2, 4, 8, 8, 5, 12};

double Halved(uint16_t bits) {
  const int exponent = (bits >> 10) & 31;
  const double fraction = bits & 1023;
  const double size = exponent == 31  ? (fraction == 0 ? INFINITY : NAN)
                      : exponent == 0 ? std::ldexp(fraction, -24)
                                      : std::ldexp(1024 + fraction, exponent - 25);
  return (bits & 0x8000) != 0 ? -size : size;
}

template <typename T>
T At(const uint8_t* item) {
  T value;
  std::memcpy(&value, item, sizeof(value));
  return value;
}

double DoubleOf(RawType type, const uint8_t* item) {
  if (type == kRawFloat16) return Halved(At<uint16_t>(item));
  return type == kRawFloat32 ? At<float>(item) : At<double>(item);
}

// Of everything but uint64 and floats.
int64_t WholeOf(RawType type, const uint8_t* item) {
  switch (type) {
    case kRawBool:
      return item[0] != 0;
    case kRawInt8:
      return At<int8_t>(item);
    case kRawUint8:
      return item[0];
    case kRawInt16:
      return At<int16_t>(item);
    case kRawUint16:
      return At<uint16_t>(item);
    case kRawInt32:
      return At<int32_t>(item);
    case kRawUint32:
      return At<uint32_t>(item);
    default:
      return At<int64_t>(item);
  }
}

void CheckBlock(const RawKernels& kernels, RawType type, const std::vector<uint8_t>& items, size_t count) {
  const size_t width = kWidths[type];
  if (kernels.sum[type] != nullptr) {
    RawSum sum = {};
    kernels.sum[type](items.data(), count, &sum);
    if (IsFloatType(type)) {
      ExactSum plain = {};
      for (size_t i = 0; i < count; ++i) AddExactly(&plain, DoubleOf(type, items.data() + i * width));
      Normalize(&plain);
      Normalize(&sum.exact);
      CHECK(std::memcmp(plain.limbs, sum.exact.limbs, sizeof(plain.limbs)) == 0);
      const bool unknown = std::isnan(plain.special);
      CHECK(unknown ? std::isnan(sum.exact.special) : plain.special == sum.exact.special);
    } else {
      // Modulo 2^64 is enough where the upper half is looked at as well.
      uint64_t low = 0;
      int64_t high = 0;
      for (size_t i = 0; i < count; ++i) {
        const int64_t item = WholeOf(type, items.data() + i * width);
        low += static_cast<uint64_t>(item) & 0xffffffff;
        high += type == kRawUint64 ? static_cast<int64_t>(static_cast<uint64_t>(item) >> 32) : item >> 32;
      }
      CHECK(sum.high + static_cast<int64_t>(sum.low >> 32) == high + static_cast<int64_t>(low >> 32));
      CHECK((sum.low & 0xffffffff) == (low & 0xffffffff));
    }
  }
  for (const bool most : {false, true}) {
    RawExtreme extreme = {};
    FoldExtreme(kernels, type, most, items.data(), count, &extreme);
    bool any = false;
    double best = 0;
    int64_t whole = 0;
    for (size_t i = 0; i < count; ++i) {
      const uint8_t* item = items.data() + i * width;
      if (IsFloatType(type)) {
        const double value = DoubleOf(type, item);
        if (std::isnan(value) || (any && !(most ? value > best : value < best))) continue;
        best = value;
      } else {
        int64_t value = WholeOf(type, item);
        if (type == kRawTicks && value == std::numeric_limits<int64_t>::min()) continue;
        if (type == kRawUint64) value ^= std::numeric_limits<int64_t>::min();
        if (any && !(most ? value > whole : value < whole)) continue;
        whole = value;
      }
      any = true;
    }
    CHECK(extreme.found == (any ? kRawFoundValue : count > 0 ? kRawFoundUnknown : kRawFoundNothing));
    if (!any) continue;
    if (IsFloatType(type)) {
      CHECK(std::memcmp(&extreme.number, &best, sizeof(best)) == 0);
    } else {
      CHECK(extreme.whole == whole);
    }
  }
}

void CheckKernels() {
  Random random(11);
  for (const RawKernels* kernels : {&kBaselineRawKernels, &RawKernelsOf(SupportedFamily())}) {
    for (size_t number = 0; number < kRawBytes; ++number) {
      const auto type = static_cast<RawType>(number);
      for (const size_t count : {0u, 1u, 2u, 7u, 8u, 31u, 32u, 33u, 100u, 1023u, 1024u}) {
        for (int round = 0; round < 12; ++round) {
          std::vector<uint8_t> items(count * kWidths[type]);
          for (uint8_t& byte : items) byte = static_cast<uint8_t>(random.Next());
          // Numbers that are near to each other, all the same, and all unknown.
          if (round % 4 == 1 && type == kRawFloat64) {
            for (size_t i = 0; i < count; ++i) items[8 * i + 7] = 0x40, items[8 * i + 6] &= 0x7f;
          } else if (round % 4 == 2) {
            for (size_t i = 0; i < items.size(); ++i) items[i] = i % 2 == 0 || round == 2 ? 0 : 0x80;
          } else if (round % 4 == 3 && round < 8) {
            const uint8_t highest = type == kRawTicks ? 0x80 : 0x7f;
            const uint8_t others = type == kRawTicks ? 0 : 0xff;
            for (size_t i = 0; i < items.size(); ++i) items[i] = (i + 1) % kWidths[type] == 0 ? highest : others;
          }
          // Finite halves but for one infinity, or for two of either sign.
          if (type == kRawFloat16 && round >= 8 && count > 0) {
            for (size_t i = 0; i < count; ++i) items[2 * i + 1] &= 0xbb;
            items[0] = 0;
            items[1] = round == 8 ? 0x7c : 0xfc;
            if (round == 9) items[items.size() - 2] = 0, items[items.size() - 1] = 0x7c;
          }
          CheckBlock(*kernels, type, items, count);
        }
      }
    }
  }
}

// A whole program over segments: a comparison with a bound, its rows as bits, its sum.
void CheckPrograms() {
  for (const std::vector<uint64_t>& rows : {std::vector<uint64_t>{5000}, {1, 2, 3, 4000, 7}, {1100, 0, 1100, 900}}) {
    TableFixture fixture(rows, {4, 8}, 5);
    const TemporaryFile temporary(fixture.bytes);
    const auto file = temporary.Map();
    std::string error;
    const auto segments = fixture.Make(&error);
    const int32_t bounds[4] = {-1000000, 0, 1500000000, 0};
    const uint64_t start = 3;
    const uint64_t end = fixture.row_count() - 2;
    const std::vector<double> numbers = {2,
                                         1,
                                         1,
                                         1,
                                         1,
                                         0,
                                         0,
                                         0,
                                         kRawInt32,
                                         0,
                                         1,
                                         kRawInt64,
                                         0,
                                         static_cast<double>(start),
                                         static_cast<double>(end),
                                         kRawOperationWithin,
                                         0,
                                         1,
                                         0,
                                         0,
                                         0,
                                         0,
                                         0,
                                         0,
                                         1,
                                         kRawFoldKindSum};
    RawProgram program;
    CHECK(ParseRawProgram({numbers.data(), numbers.size(), reinterpret_cast<const uint8_t*>(bounds), sizeof(bounds)},
                          *segments, &program, &error));
    std::vector<uint8_t> bits(program.bit_bytes);
    std::vector<double> results(RawResultNumbers(program));
    CHECK(RunRaw({file.get(), segments.get(), &program, bits.data(), results.data(), 2, nullptr}).ok());
    double matches = 0;
    uint64_t low = 0;
    for (uint64_t row = start; row < end; ++row) {
      const auto item = At<int32_t>(fixture.Item(0, row));
      const bool expected = !(item >= bounds[0] && item <= bounds[2]);
      CHECK(((bits[(row - start) / 8] >> ((row - start) % 8)) & 1) == (expected ? 1 : 0));
      if (!expected) continue;
      ++matches;
      low += At<uint64_t>(fixture.Item(1, row));
    }
    CHECK(results[kRawResultMatches] == matches);
    const double* sum = results.data() + kRawResultNumbers;
    const auto found =
        static_cast<uint64_t>(sum[kRawFoldResultWord0]) | (static_cast<uint64_t>(sum[kRawFoldResultWord1]) << 32);
    CHECK(sum[kRawFoldResultFound] == kRawFoundValue && found == low);
    // Any other number is refused, or is a program too: nothing else happens.
    Random random(3);
    for (int round = 0; round < 20000; ++round) {
      std::vector<double> changed = numbers;
      const double small = static_cast<double>(random.Below(20));
      const double odd[] = {-1, 0.5, 1e300, NAN, INFINITY, 2, 3, 255, 4294967296.0, small};
      changed[random.Below(changed.size())] = odd[random.Below(10)];
      if (random.Below(9) == 0) changed.resize(random.Below(changed.size()));
      RawProgram other;
      if (!ParseRawProgram({changed.data(), changed.size(), reinterpret_cast<const uint8_t*>(bounds), sizeof(bounds)},
                           *segments, &other, &error))
        continue;
      std::vector<uint8_t> room(other.bit_bytes);
      std::vector<double> answer(RawResultNumbers(other));
      CHECK(RunRaw({file.get(), segments.get(), &other, room.data(), answer.data(), 1, nullptr}).ok());
    }
  }
}

// Blocks one after another into one sum: each is tried by the exponents of the one before it. Magnitudes that stay,
// that wander, that jump out of reach and come back, at the edges of the range, with zeros, NaN and infinities.
template <typename T>
void CheckBlocks(const RawKernels& kernels, RawType type) {
  constexpr int kFraction = sizeof(T) == 8 ? 52 : 23;
  constexpr int kLargest = sizeof(T) == 8 ? 1023 : 127;
  Random random(11);
  for (int spread = 1; spread <= 64; ++spread) {
    RawSum sum = {};
    ExactSum plain = {};
    int top = 8;
    for (int block = 0; block < 30; ++block) {
      if (random.Below(2) == 0) top += static_cast<int>(random.Below(7)) - 3;
      if (random.Below(8) == 0) top += static_cast<int>(random.Below(81)) - 40;
      if (random.Below(12) == 0) top = static_cast<int>(random.Below(static_cast<uint64_t>(2 * kLargest))) - kLargest;
      std::vector<T> items(random.Below(6) == 0 ? 1 + random.Below(kBlockRows) : kBlockRows);
      const bool is_odd = random.Below(5) == 0;
      // All at the upper end, of one sign, is where sums are largest.
      const bool is_full = random.Below(3) == 0;
      for (T& item : items) {
        const int below = is_full ? 0 : static_cast<int>(random.Below(static_cast<uint64_t>(spread)));
        const uint64_t bits = random.Next();
        const double fraction =
            1 + std::ldexp(static_cast<double>(bits & ((uint64_t{1} << kFraction) - 1)), -kFraction);
        const double size = std::ldexp(fraction, std::min(kLargest, std::max(-kLargest - 20, top - below)));
        item = static_cast<T>(!is_full && random.Below(2) == 0 ? -size : size);
        if (is_odd && random.Below(700) == 0) {
          const double odd[] = {0, -0.0, NAN, INFINITY, -INFINITY, 5e-324};
          item = static_cast<T>(odd[random.Below(random.Below(3) == 0 ? 6 : 2)]);
        }
        AddExactly(&plain, static_cast<double>(item));
      }
      kernels.sum[type](reinterpret_cast<const uint8_t*>(items.data()), items.size(), &sum);
    }
    Normalize(&plain);
    Normalize(&sum.exact);
    CHECK(std::memcmp(plain.limbs, sum.exact.limbs, sizeof(plain.limbs)) == 0);
    CHECK(std::isnan(plain.special) ? std::isnan(sum.exact.special) : plain.special == sum.exact.special);
  }
}

}  // namespace

int main() {
  CheckKernels();
  for (const RawKernels* kernels : {&kBaselineRawKernels, &RawKernelsOf(SupportedFamily())}) {
    CheckBlocks<double>(*kernels, kRawFloat64);
    CheckBlocks<float>(*kernels, kRawFloat32);
  }
  CheckPrograms();
}
