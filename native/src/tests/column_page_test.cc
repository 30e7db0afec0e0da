// Pages made at random, most of them nearly right, many of them damaged: nothing outside of a page, the working memory
// or the output is touched. (What values they give is tested against TypeScript, in columna.) Run it with sanitizers:
// they see what is read or written elsewhere.
#include "pages/column_page.h"

#include <cstring>
#include <vector>

#include "decode/bit_unpack.h"
#include "decode/column_items.h"
#include "tests/test_support.h"

namespace colkit {
namespace {

using Bytes = std::vector<uint8_t>;

class Pages {
 public:
  explicit Pages(uint64_t seed) : random_(seed) {}

  uint64_t Below(uint64_t limit) { return random_.Below(limit); }

  template <typename T>
  static void Put(Bytes* to, T number) {
    const size_t at = to->size();
    to->resize(at + sizeof number);
    std::memcpy(to->data() + at, &number, sizeof number);
  }

  static void Pad(Bytes* to, size_t alignment) { to->resize((to->size() + alignment - 1) / alignment * alignment); }

  Bytes RandomBytes(size_t count) {
    Bytes bytes(count);
    for (auto& byte : bytes) byte = static_cast<uint8_t>(random_.Next());
    return bytes;
  }

  static void Append(Bytes* to, const Bytes& more) { to->insert(to->end(), more.begin(), more.end()); }

  void Child(Bytes* to, uint8_t encoding, uint8_t parameter, const Bytes& body) {
    Put<uint8_t>(to, encoding);
    Put<uint8_t>(to, parameter);
    Put<uint16_t>(to, 0);
    Put<uint32_t>(to, static_cast<uint32_t>(body.size()));
    Append(to, body);
    Pad(to, 8);
  }

  // Numbers below 2^width.
  void PackedChild(Bytes* to, uint32_t count, unsigned width) {
    uint8_t parameter;
    const Bytes body = BitPack(count, width, &parameter);
    Child(to, 4, parameter, body);
  }

  Bytes BitPack(uint32_t count, unsigned width, uint8_t* parameter) {
    Bytes body;
    Put<uint64_t>(&body, 0);
    Put<uint64_t>(&body, 1);
    const unsigned log2 = 5 + static_cast<unsigned>(Below(12));
    Put<uint8_t>(&body, static_cast<uint8_t>(log2));
    Put<uint8_t>(&body, 0);
    body.resize(24);
    *parameter = static_cast<uint8_t>(Below(2));
    const uint32_t blocks = ((count - 1) >> log2) + 1;
    for (uint32_t i = 0; i < (*parameter == 1 ? 1 : blocks); ++i) Put<uint16_t>(&body, static_cast<uint16_t>(width));
    Pad(&body, 4);
    for (uint32_t block = 0; block < blocks; ++block) {
      const uint32_t in_block = std::min<uint32_t>(count - (block << log2), 1u << log2);
      const size_t bytes = (width & 255) > 32 ? 4 * in_block + StreamBytes(in_block, (width & 255) - 32)
                                              : StreamBytes(in_block, width & 255);
      Append(&body, RandomBytes(bytes));
      for (unsigned plane = 0; plane < (width >> 8 & 15); ++plane) {
        Bytes digits = RandomBytes(ThreesBytes(in_block));
        for (auto& byte : digits) byte = static_cast<uint8_t>(byte % 243);
        Append(&body, digits);
      }
      for (unsigned plane = 0; plane < width >> 12; ++plane) Append(&body, Bytes(FivesBytes(in_block), 0));
    }
    return body;
  }

  Bytes Node(uint8_t encoding, uint32_t count, unsigned depth, uint8_t* parameter) {
    Bytes body;
    *parameter = 0;
    switch (encoding) {
      case 0:
        *parameter = static_cast<uint8_t>(Below(4));
        return RandomBytes(static_cast<size_t>(count) << *parameter);
      case 1:
        Put<uint64_t>(&body, 5 + Below(12));
        AnyChild(&body, ((count - 1) >> body[0]) + 1, depth);
        AnyChild(&body, count, depth);
        return body;
      case 2: {
        const uint32_t entries = 1u << Below(5);
        Put<uint64_t>(&body, entries);
        AnyChild(&body, entries, depth);
        PackedChild(&body, count, entries == 1 ? 0 : 1 + static_cast<unsigned>(Below(4)));
        return body;
      }
      case 3: {
        const uint32_t runs = 1 + static_cast<uint32_t>(Below(std::min<uint32_t>(count, 50)));
        Put<uint64_t>(&body, runs);
        AnyChild(&body, runs, depth);
        Bytes lengths;
        for (uint32_t run = 0; run < runs; ++run)
          Put<uint32_t>(&lengths, run + 1 < runs ? count / runs : count - (runs - 1) * (count / runs));
        Child(&body, 0, 2, lengths);
        return body;
      }
      case 4: {
        constexpr unsigned widths[] = {0,  1,  3,     7,     12,    18,     25,     31,     32, 33,
                                       40, 64, 0x100, 0x102, 0x301, 0x1000, 0x2101, 0x1204, 90, 0x4000};
        return BitPack(count, widths[Below(sizeof widths / sizeof widths[0])], parameter);
      }
      case 5:
        Put<uint64_t>(&body, Below(24));
        AnyChild(&body, count, depth);
        return body;
      case 6:
        return RandomBytes(16);
      case 7: {
        const uint32_t patches = 1 + static_cast<uint32_t>(Below(std::min<uint32_t>(count, 9)));
        Put<uint64_t>(&body, patches);
        AnyChild(&body, count, depth);
        Bytes positions;
        for (uint32_t i = 0; i < patches; ++i) Put<uint32_t>(&positions, count / patches * i);
        Child(&body, 0, 2, positions);
        AnyChild(&body, patches, depth);
        return body;
      }
      case 8: {
        const uint32_t bins = 1u << Below(4);
        Put<uint32_t>(&body, bins);
        Put<uint32_t>(&body, count);
        Put<uint64_t>(&body, 7);
        Put<uint64_t>(&body, 1);
        for (int lane = 0; lane < 4; ++lane) Put<uint32_t>(&body, 65536 + static_cast<uint32_t>(Below(1u << 20)));
        Bytes frequencies;
        for (uint32_t bin = 0; bin < bins; ++bin) Put<uint32_t>(&frequencies, 4096 / bins);
        Child(&body, 0, 2, frequencies);
        Child(&body, 0, 2, RandomBytes(4 * bins));
        PackedChild(&body, bins, 5);
        Append(&body, RandomBytes(2 * size_t{count}));
        Pad(&body, 4);
        return body;
      }
      case 9:
        PackedOctets(&body, count);
        return body;
      case 10:
        PackedChild(&body, count, 4);
        return body;
      default:
        return RandomBytes(Below(100));
    }
  }

  void PackedOctets(Bytes* body, uint32_t count) { Child(body, 0, 0, RandomBytes((count + 7) / 8)); }

  void AnyChild(Bytes* to, uint32_t count, unsigned depth) {
    // Deep enough to meet the limit now and then.
    const uint8_t encoding = depth > 9 ? 6 : static_cast<uint8_t>(Below(depth > 3 ? 6 + Below(6) : 11));
    uint8_t parameter;
    const Bytes body = Node(encoding, count, depth + 1, &parameter);
    Child(to, encoding, parameter, body);
  }

  // A page behind its header, with its padding.
  Bytes Page(uint32_t rows, uint8_t type, bool with_nulls) {
    const uint8_t encoding = static_cast<uint8_t>(Below(11));
    uint32_t values = rows;
    Bytes body;
    if (with_nulls) {
      Bytes bitmap = RandomBytes((rows + 7) / 8);
      values = 0;
      for (uint32_t row = 0; row < rows; ++row) values += bitmap[row / 8] >> (row % 8) & 1;
      if (values == 0 || values == rows)
        values = rows;
      else
        Child(&body, 0, 0, bitmap);
    }
    uint8_t parameter;
    Append(&body, Node(encoding, values, 1, &parameter));
    Bytes page;
    Put<uint32_t>(&page, 0);
    Put<uint32_t>(&page, static_cast<uint32_t>(body.size()));
    Put<uint32_t>(&page, static_cast<uint32_t>(body.size()));
    Put<uint32_t>(&page, rows);
    Put<uint32_t>(&page, values);
    const uint8_t kinds[] = {0, type, encoding, parameter, 0, 0, 5, 0};
    page.insert(page.end(), kinds, kinds + 8);
    Append(&page, body);
    Pad(&page, 8);
    if (Below(2) == 0) {
      for (uint64_t i = 1 + Below(3); i > 0; --i)
        page[28 + Below(page.size() - 28)] = static_cast<uint8_t>(random_.Next());
    }
    return page;
  }

 private:
  Random random_;
};

void TestRandomPages(uint64_t seed, size_t* decoded) {
  Pages pages(seed);
  Bytes file(4);
  std::vector<double> jobs;
  size_t out_bytes = 0;
  size_t bitmap_bytes = 0;
  // Rows that are picked, in any order; a few of them lie outside of the page.
  std::vector<uint32_t> lists;
  constexpr size_t kPages = 200;
  for (size_t number = 0; number < kPages; ++number) {
    const auto rows = static_cast<uint32_t>(1 + pages.Below(pages.Below(10) == 0 ? 5000 : 200));
    const auto type = static_cast<uint8_t>(pages.Below(15));
    const bool with_nulls = pages.Below(3) == 0;
    const Bytes page = pages.Page(rows, type, with_nulls);
    const bool numbers = type >= 13 || pages.Below(2) == 0;
    const auto start = static_cast<uint32_t>(numbers || pages.Below(2) == 0 ? 0 : pages.Below(rows));
    const size_t listed = pages.Below(2) == 0 ? 0 : 1 + pages.Below(pages.Below(2) == 0 ? 5 : rows);
    const size_t list_at = lists.size() * sizeof(uint32_t);
    for (size_t i = 0; i < listed; ++i) lists.push_back(start + static_cast<uint32_t>(pages.Below(rows - start)));
    if (listed > 0 && pages.Below(20) == 0) lists.back() = rows;
    const double job[kPageJobNumbers] = {static_cast<double>(file.size()),
                                         static_cast<double>(page.size()),
                                         static_cast<double>(type),
                                         5,
                                         static_cast<double>(rows),
                                         static_cast<double>(start),
                                         static_cast<double>(rows),
                                         numbers ? 1.0 : 0.0,
                                         0,
                                         static_cast<double>(out_bytes),
                                         with_nulls ? 1.0 : -1.0,
                                         static_cast<double>(bitmap_bytes),
                                         numbers ? 1.0 : 0.0,
                                         0,
                                         2,
                                         static_cast<double>(list_at),
                                         0,
                                         static_cast<double>(listed)};
    jobs.insert(jobs.end(), job, job + kPageJobNumbers);
    Pages::Append(&file, page);
    out_bytes += size_t{rows} * 8;
    bitmap_bytes += (rows + 7) / 8;
  }
  const TemporaryFile saved(file);
  const auto mapped = saved.Map();
  CHECK(mapped != nullptr);
  std::vector<uint64_t> out(out_bytes / 8);
  Bytes bitmaps(bitmap_bytes);
  std::vector<double> results(kPages * kPageResultNumbers);
  const PageOutput outputs[] = {{reinterpret_cast<uint8_t*>(out.data()), out_bytes},
                                {bitmaps.data(), bitmap_bytes},
                                {reinterpret_cast<uint8_t*>(lists.data()), lists.size() * sizeof(uint32_t)}};
  const PagesRequest request = {mapped.get(), jobs.data(), results.data(), kPages, outputs, 3, false, 2, nullptr};
  CHECK(RunDecodePages(request).ok());
  for (size_t number = 0; number < kPages; ++number)
    *decoded += results[number * kPageResultNumbers + kResultOutcome] == 1 ? 1 : 0;
}

// Jobs that follow each other, on pages of as many rows: terms of a filter, or groups and folds.
void TestRandomChains(uint64_t seed, size_t* decoded) {
  Pages pages(seed);
  Bytes file(4);
  std::vector<double> jobs;
  struct Run {
    size_t first, count, out, start, end;
    bool selects;
  };
  // Rows for groups and folds, as their lists: whatever a test holds, mostly refused, and some that are legal.
  std::vector<uint32_t> lists;
  std::vector<Run> runs;
  size_t out_bytes = 0;
  constexpr size_t kTestBytes = 4096;  // also entries of dictionaries
  constexpr size_t kRanges = 400;
  Bytes ranges = pages.RandomBytes(kRangesHeadBytes + kRanges * sizeof(uint32_t));
  // Mostly ranges as a caller tells them, else whatever is there.
  if (pages.Below(8) > 0) {
    const int64_t head[] = {-static_cast<int64_t>(pages.Below(300)), 1 + static_cast<int64_t>(pages.Below(3)), 8};
    std::memcpy(ranges.data(), head, sizeof head);
    for (size_t i = 0; i < kRanges; ++i) {
      const auto key = static_cast<uint32_t>(pages.Below(pages.Below(500) == 0 ? 9 : 8));
      std::memcpy(&ranges[kRangesHeadBytes + i * sizeof key], &key, sizeof key);
    }
  }
  for (size_t number = 0; number < 80; ++number) {
    const auto rows = static_cast<uint32_t>(1 + pages.Below(pages.Below(10) == 0 ? 5000 : 300));
    const auto start = static_cast<uint32_t>(pages.Below(2) == 0 ? 0 : pages.Below(rows));
    const auto end = static_cast<uint32_t>(start + pages.Below(rows - start + 1));
    const size_t length = 1 + pages.Below(4);
    const bool selects = pages.Below(3) > 0;
    const size_t codes = 1 + pages.Below(40);
    const size_t listed = selects || end == start || pages.Below(2) == 0 ? 0 : 1 + pages.Below(end - start);
    const size_t list_at = lists.size() * sizeof(uint32_t);
    for (size_t i = 0; i < listed; ++i) lists.push_back(start + static_cast<uint32_t>(i));
    if (listed > 0 && pages.Below(8) == 0) lists.back() = static_cast<uint32_t>(pages.Below(1u << 16));
    const size_t group_jobs = pages.Below(3);
    runs.push_back({jobs.size() / kPageJobNumbers, length, out_bytes, start, end, selects});
    for (size_t i = 0; i < length; ++i) {
      const auto type = static_cast<uint8_t>(pages.Below(15));
      const Bytes page = pages.Page(rows, type, pages.Below(3) == 0);
      const bool has_dictionary = type >= 13 || pages.Below(2) == 0;
      const double form = selects ? 2 : i < group_jobs ? 3 : 4;
      const double test_length =
          selects ? (has_dictionary ? static_cast<double>(pages.Below(100)) : 16) : static_cast<double>(codes);
      const double entry_count = selects || pages.Below(2) == 0 ? 0 : 1 + static_cast<double>(pages.Below(200));
      double job[kPageJobNumbers] = {static_cast<double>(file.size()),
                                     static_cast<double>(page.size()),
                                     static_cast<double>(type),
                                     5,
                                     static_cast<double>(rows),
                                     static_cast<double>(start),
                                     static_cast<double>(end),
                                     form,
                                     0,
                                     static_cast<double>(out_bytes),
                                     0,
                                     0,
                                     has_dictionary ? 1.0 : 0.0,
                                     i == 0 ? 0.0 : 1.0,
                                     listed > 0 ? 2.0 : 1.0,
                                     static_cast<double>(listed > 0 ? list_at : pages.Below(kTestBytes - 100)),
                                     test_length,
                                     static_cast<double>(listed),
                                     static_cast<double>(pages.Below(5)),
                                     entry_count,
                                     1,
                                     static_cast<double>(8 * pages.Below(300)),
                                     static_cast<double>(pages.Below(15))};
      ItemType item;
      CHECK(ItemTypeOf(type, &item));
      if (form == 3 && !has_dictionary && item.domain == Domain::kIntegers && pages.Below(2) == 0) {
        job[kJobRangeCount] = static_cast<double>(1 + pages.Below(kRanges));
        job[kJobRangesOutput] = 3;
      }
      jobs.insert(jobs.end(), job, job + kPageJobNumbers);
      Pages::Append(&file, page);
      if (!selects) out_bytes += codes * (form == 3 ? kGroupBytes : kFoldBytes);
    }
    if (selects) out_bytes += (size_t{end - start} * 4 + 7) / 8 * 8;
  }
  const TemporaryFile saved(file);
  const auto mapped = saved.Map();
  CHECK(mapped != nullptr);
  std::vector<uint64_t> out(out_bytes / 8 + 1);
  Bytes tests = pages.RandomBytes(kTestBytes);
  const size_t count = jobs.size() / kPageJobNumbers;
  std::vector<double> results(count * kPageResultNumbers);
  const PageOutput outputs[] = {{reinterpret_cast<uint8_t*>(out.data()), out_bytes},
                                {tests.data(), kTestBytes},
                                {reinterpret_cast<uint8_t*>(lists.data()), lists.size() * sizeof(uint32_t)},
                                {ranges.data(), ranges.size()}};
  const PagesRequest request = {mapped.get(), jobs.data(), results.data(), count, outputs, 4, false, 2, nullptr};
  CHECK(RunDecodePages(request).ok());
  for (const Run& run : runs) {
    double rows = static_cast<double>(run.end - run.start);
    bool left = false;
    for (size_t i = run.first; i < run.first + run.count; ++i) {
      const double* result = &results[i * kPageResultNumbers];
      CHECK(!left || result[kResultOutcome] == 0);
      left = result[kResultOutcome] == 0;
      if (left) continue;
      ++*decoded;
      if (!run.selects) continue;
      CHECK(result[kResultCount] <= rows && (result[kResultOutcome] == 1 || rows == 0));
      rows = result[kResultCount];
    }
    if (!run.selects || rows == static_cast<double>(run.end - run.start)) continue;
    const auto* list = reinterpret_cast<const uint32_t*>(reinterpret_cast<const uint8_t*>(out.data()) + run.out);
    for (size_t i = 0; i < static_cast<size_t>(rows); ++i)
      CHECK(list[i] >= run.start && list[i] < run.end && (i == 0 || list[i] > list[i - 1]));
  }
  // A job that follows nothing, or something else, is refused.
  jobs[kJobFollows] = 1;
  CHECK(RunDecodePages(request).status == Status::kJobInvalid);
}

}  // namespace
}  // namespace colkit

int main(int argument_count, char** arguments) {
  const int runs = argument_count > 1 ? std::atoi(arguments[1]) : 20;
  size_t decoded = 0;
  for (int run = 0; run < runs; ++run) colkit::TestRandomPages(static_cast<uint64_t>(run), &decoded);
  std::printf("%zu of %d pages decoded\n", decoded, runs * 200);
  CHECK(decoded > static_cast<size_t>(runs) * 20);
  decoded = 0;
  for (int run = 0; run < runs; ++run) colkit::TestRandomChains(static_cast<uint64_t>(run), &decoded);
  std::printf("%zu pages of chains decoded\n", decoded);
  CHECK(decoded > static_cast<size_t>(runs) * 10);
}
