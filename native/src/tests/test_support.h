// What the kernels' tests share: a check that prints where it failed, a seeded generator, a temporary file, and the
// naive gather that kernels are compared with.
#ifndef COLKIT_NATIVE_TEST_SUPPORT_H_
#define COLKIT_NATIVE_TEST_SUPPORT_H_

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "platform/cpu.h"
#include "map/mapping.h"
#include "gather/segments.h"

#if !defined(_WIN32)
#include <fcntl.h>
#include <unistd.h>
#endif

#define CHECK(condition)                                                           \
  do {                                                                             \
    if (!(condition)) {                                                            \
      std::fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #condition); \
      std::exit(1);                                                                \
    }                                                                              \
  } while (false)

namespace colkit {

// splitmix64.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t Next() {
    uint64_t z = state_ += 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }
  uint64_t Below(uint64_t limit) { return Next() % limit; }

 private:
  uint64_t state_;
};

// A file with the given bytes, gone at the end of the test.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::vector<uint8_t>& bytes) {
#if defined(_WIN32)
    path_ = std::tmpnam(nullptr);
#else
    char name[] = "/tmp/colkit-test-XXXXXX";
    const int fd = mkstemp(name);
    CHECK(fd >= 0);
    close(fd);
    path_ = name;
#endif
    std::FILE* file = std::fopen(path_.c_str(), "wb");
    CHECK(file != nullptr);
    CHECK(std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size());
    std::fclose(file);
  }
  ~TemporaryFile() { std::remove(path_.c_str()); }
  const std::string& path() const { return path_; }

  std::shared_ptr<MappedFile> Map() const {
    std::string error;
#if defined(_WIN32)
    return MappedFile::Open(path_, 0, &error);
#else
    const int fd = open(path_.c_str(), O_RDONLY);
    auto file = MappedFile::Open(path_, fd, &error);
    close(fd);
    return file;
#endif
  }

 private:
  std::string path_;
};

// The kernel families that this processor runs.
inline std::vector<KernelFamily> Families() {
  std::vector<KernelFamily> families = {KernelFamily::kBaseline};
  const KernelFamily supported = SupportedFamily();
  if (HasAvx2(supported)) families.push_back(KernelFamily::kAvx2);
  if (supported == KernelFamily::kAvx512) families.push_back(KernelFamily::kAvx512);
  return families;
}

// Random bytes of columns laid out in segments of the given lengths, each segment's columns one behind the other, at
// odd offsets on purpose.
struct TableFixture {
  std::vector<uint8_t> bytes;
  std::vector<double> row_starts;
  std::vector<int32_t> widths;
  std::vector<double> bases;
  std::vector<std::vector<size_t>> offsets;  // where each item of each column was put

  TableFixture(const std::vector<uint64_t>& segment_rows, std::vector<int32_t> column_widths, uint64_t seed)
      : widths(std::move(column_widths)) {
    Random random(seed);
    const size_t segment_count = segment_rows.size();
    bases.resize(widths.size() * segment_count);
    offsets.resize(widths.size());
    row_starts.push_back(0);
    uint64_t at = 3;
    for (size_t s = 0; s < segment_count; ++s) {
      for (size_t c = 0; c < widths.size(); ++c) {
        bases[c * segment_count + s] = static_cast<double>(at) - row_starts[s] * widths[c];
        for (uint64_t row = 0; row < segment_rows[s]; ++row)
          offsets[c].push_back(at + row * static_cast<uint64_t>(widths[c]));
        at += segment_rows[s] * static_cast<uint64_t>(widths[c]) + random.Below(4);
      }
      row_starts.push_back(row_starts[s] + static_cast<double>(segment_rows[s]));
    }
    bytes.resize(at);
    for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random.Next());
  }

  uint64_t row_count() const { return static_cast<uint64_t>(row_starts.back()); }
  size_t segment_count() const { return row_starts.size() - 1; }

  std::unique_ptr<Segments> Make(std::string* error) const {
    return Segments::Create(row_starts.data(), segment_count(), widths.data(), widths.size(), bases.data(),
                            bytes.size(), error);
  }

  const uint8_t* Item(size_t column, uint64_t row) const { return bytes.data() + offsets[column][row]; }
};

}  // namespace colkit

#endif  // COLKIT_NATIVE_TEST_SUPPORT_H_
