// Masks: bits, row lists, and the compression of every family that this processor runs, against a loop over bytes.
// Sources and outputs are allocated to the byte, so that AddressSanitizer sees a read or a store too many.
#include <cstring>

#include "gather/mask.h"
#include "tests/test_support.h"

namespace colkit {
namespace {

std::vector<uint8_t> MakeMask(size_t count, int kind, Random* random) {
  std::vector<uint8_t> mask(count);
  for (size_t i = 0; i < count; ++i) {
    switch (kind) {
      case 0:
        mask[i] = 0;
        break;
      case 1:
        mask[i] = 1;
        break;
      case 2:
        mask[i] = i % 2 == 0 ? 255 : 0;
        break;
      case 3:
        mask[i] = random->Below(10) == 0 ? 128 : 0;
        break;
      case 4:
        mask[i] = random->Below(10) != 0 ? 2 : 0;
        break;
      case 5:
        mask[i] = (i / 97) % 2 == 0 ? 1 : 0;
        break;
      default:
        mask[i] = random->Below(2) == 0 ? static_cast<uint8_t>(1 + random->Below(255)) : 0;
        break;
    }
  }
  return mask;
}

void TestCompression(const MaskKernels& kernels, const std::vector<uint8_t>& mask, const std::vector<uint64_t>& words,
                     uint32_t width, size_t begin, size_t end, Random* random) {
  const size_t bytes = (end - begin) * width;
  std::unique_ptr<uint8_t[]> source(new uint8_t[bytes]);
  for (size_t i = 0; i < bytes; ++i) source[i] = static_cast<uint8_t>(random->Next());
  std::vector<uint8_t> expected;
  for (size_t i = begin; i < end; ++i) {
    if (mask[i] != 0)
      expected.insert(expected.end(), source.get() + (i - begin) * width, source.get() + (i - begin + 1) * width);
  }
  std::unique_ptr<uint8_t[]> out(new uint8_t[expected.size()]);
  uint8_t* const out_end = out.get() + expected.size();
  const uintptr_t origin = reinterpret_cast<uintptr_t>(source.get()) - begin * width;
  CHECK(CopyMasked(kernels, words.data(), begin, end, origin, width, out.get(), out_end) == out_end);
  CHECK(expected.empty() || std::memcmp(out.get(), expected.data(), expected.size()) == 0);
}

void TestMask(size_t count, int kind) {
  Random random(count * 31 + static_cast<size_t>(kind));
  const std::vector<uint8_t> mask = MakeMask(count, kind, &random);
  const size_t word_count = (count + 63) / 64;
  std::vector<uint64_t> words(word_count + kMaskWordsAhead, ~uint64_t{0});
  const uint64_t set = ReadMask(BaselineMaskKernels(), mask.data(), count, words.data());
  std::vector<uint64_t> expected;
  for (size_t i = 0; i < count; ++i) {
    CHECK((words[i / 64] >> (i % 64) & 1) == (mask[i] != 0));
    if (mask[i] != 0) expected.push_back(1000 + i);
  }
  if (count % 64 != 0) CHECK(words[word_count - 1] >> (count % 64) == 0);
  CHECK(set == expected.size());
  std::vector<uint32_t> narrow(set + 8);
  std::vector<uint64_t> wide(set + 8);
  CHECK(ListRows(words.data(), word_count, 1000, narrow.data()) == set);
  CHECK(ListRows(words.data(), word_count, 1000, wide.data()) == set);
  for (size_t i = 0; i < set; ++i) CHECK(narrow[i] == expected[i] && wide[i] == expected[i]);
  for (const KernelFamily family : Families()) {
    const MaskKernels kernels = MaskKernelsOf(family);
    std::vector<uint64_t> own(word_count + kMaskWordsAhead, ~uint64_t{0});
    CHECK(ReadMask(kernels, mask.data(), count, own.data()) == set && own == words &&
          kernels.count(words.data(), word_count) == set);
    for (const uint32_t width : {1u, 2u, 4u, 8u}) {
      CHECK(CanCopyMasked(width));
      TestCompression(kernels, mask, words, width, 0, count, &random);
      for (int i = 0; i < 4; ++i) {
        const size_t begin = random.Below(count + 1);
        TestCompression(kernels, mask, words, width, begin, begin + random.Below(count - begin + 1), &random);
      }
    }
  }
}

}  // namespace
}  // namespace colkit

int main() {
  CHECK(!colkit::CanCopyMasked(3));
  for (int kind = 0; kind < 7; ++kind) {
    for (const size_t count : {1, 7, 8, 63, 64, 65, 127, 128, 200, 1000, 4096, 5003}) colkit::TestMask(count, kind);
  }
}
