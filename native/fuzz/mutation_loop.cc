// What drives page_fuzz where there is no libFuzzer: random mutations of the files of a corpus folder, the same ones
// for the same seed. The input that is about to run is kept in a file, so that
// whatever ends the process leaves what did it.
//   page_fuzz CORPUS_FOLDER SECONDS SEED CURRENT_FILE     or     page_fuzz INPUT_FILE
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <algorithm>

#include "tests/test_support.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace colkit {
namespace {

using Bytes = std::vector<uint8_t>;

Bytes ReadFile(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return Bytes(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
}

// A word of one, two, four or eight bytes with a value that decoders find hard.
void PutEdge(Bytes* bytes, Random* random) {
  constexpr uint64_t kEdges[] = {
      0,
      1,
      2,
      3,
      7,
      8,
      31,
      32,
      33,
      63,
      64,
      65,
      127,
      128,
      255,
      256,
      4095,
      4096,
      32767,
      65535,
      65536,
      65537,
      0x7fffffff,
      0x80000000,
      0xffffffff,
      uint64_t{1} << 53,
      ~uint64_t{0} >> 1,
      ~uint64_t{0},
  };
  const uint64_t value = kEdges[random->Below(std::size(kEdges))];
  const size_t width = size_t{1} << random->Below(4);
  if (bytes->size() < width) return;
  // Numbers of the format stand at multiples of their width.
  std::memcpy(bytes->data() + random->Below(bytes->size() / width) * width, &value, width);
}

void Mutate(Bytes* bytes, const std::vector<Bytes>& corpus, Random* random) {
  switch (random->Below(8)) {
    case 0:
      (*bytes)[random->Below(bytes->size())] = static_cast<uint8_t>(random->Next());
      break;
    case 1:
      (*bytes)[random->Below(bytes->size())] ^= static_cast<uint8_t>(1u << random->Below(8));
      break;
    case 2:
    case 3:
      PutEdge(bytes, random);
      break;
    case 4:
      (*bytes)[random->Below(std::min<size_t>(bytes->size(), 16))] = static_cast<uint8_t>(random->Next());
      break;
    case 5:
      bytes->resize(1 + random->Below(bytes->size()));
      break;
    case 6: {
      const size_t from = random->Below(bytes->size());
      const size_t count = std::min<size_t>(1 + random->Below(64), bytes->size() - from);
      const Bytes piece(bytes->begin() + static_cast<long>(from), bytes->begin() + static_cast<long>(from + count));
      bytes->insert(bytes->begin() + static_cast<long>(random->Below(bytes->size())), piece.begin(), piece.end());
      break;
    }
    default: {
      const Bytes& other = corpus[random->Below(corpus.size())];
      const size_t cut = random->Below(std::min(bytes->size(), other.size()));
      std::copy(other.begin() + static_cast<long>(cut), other.end(), std::back_inserter(*bytes));
    }
  }
}

int RunLoop(const char* folder, double seconds, uint64_t seed, const char* current) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<Bytes> corpus;
  for (const auto& path : paths) {
    Bytes bytes = ReadFile(path);
    if (!bytes.empty()) corpus.push_back(std::move(bytes));
  }
  CHECK(!corpus.empty());
  Random random(seed);
  const auto begin = std::chrono::steady_clock::now();
  uint64_t runs = 0;
  std::FILE* kept = std::fopen(current, "wb");
  CHECK(kept != nullptr);
  for (; std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() < seconds; ++runs) {
    Bytes input = corpus[random.Below(corpus.size())];
    for (uint64_t i = 1 + random.Below(4); i > 0 && !input.empty(); --i) Mutate(&input, corpus, &random);
    if (input.size() > (size_t{1} << 17)) continue;
    std::rewind(kept);
    std::fwrite(input.data(), 1, input.size(), kept);
    std::fflush(kept);
    CHECK(ftruncate(fileno(kept), static_cast<off_t>(input.size())) == 0);
    LLVMFuzzerTestOneInput(input.data(), input.size());
  }
  std::fclose(kept);
  std::printf("stat::number_of_executed_units: %llu\n", static_cast<unsigned long long>(runs));
  return 0;
}

}  // namespace
}  // namespace colkit

int main(int count, char** arguments) {
  if (count == 2) {
    const colkit::Bytes input = colkit::ReadFile(arguments[1]);
    return LLVMFuzzerTestOneInput(input.data(), input.size());
  }
  if (count != 5) {
    std::fprintf(stderr, "page_fuzz CORPUS_FOLDER SECONDS SEED CURRENT_FILE, or page_fuzz INPUT_FILE\n");
    return 2;
  }
  return colkit::RunLoop(arguments[1], std::atof(arguments[2]), std::strtoull(arguments[3], nullptr, 10), arguments[4]);
}
