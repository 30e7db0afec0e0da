// The page decoder as a fuzzing target: 16 bytes that say what is asked, then the bytes of one page or two. Outputs are
// heap blocks of exactly the size that the jobs need and working memory is
// poisoned between its pieces (arena.h), so that the sanitizers see every byte that is read or written elsewhere. Runs
// under libFuzzer or under mutation_loop.cc.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "pages/column_page.h"
#include "platform/crc32.h"
#include "pages/page_job.h"

namespace colkit {
namespace {

constexpr size_t kControlBytes = 16;
constexpr size_t kMostPageBytes = size_t{1} << 20;
constexpr size_t kMostJobs = 4;
constexpr size_t kMostTextBytes = size_t{1} << 16;

void Require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "page_fuzz: %s does not hold\n", what);
  std::abort();
}

uint32_t Load32(const uint8_t* bytes) {
  uint32_t value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

// Heap blocks of exactly so many bytes.
class Blocks {
 public:
  explicit Blocks(std::vector<PageOutput>* outputs) : outputs_(outputs) {}

  // The number of the new output.
  double Add(size_t bytes, uint8_t fill) {
    owned_.emplace_back(static_cast<uint8_t*>(std::malloc(bytes)), std::free);
    Require(bytes == 0 || owned_.back() != nullptr, "memory");
    if (bytes > 0) std::memset(owned_.back().get(), fill, bytes);
    outputs_->push_back({owned_.back().get(), bytes});
    return static_cast<double>(outputs_->size() - 1);
  }

 private:
  std::vector<std::unique_ptr<uint8_t, void (*)(void*)>> owned_;
  std::vector<PageOutput>* outputs_;
};

struct Page {
  size_t offset;
  size_t bytes;
  uint32_t rows;
  unsigned type;
};

// Appends a page as a file has it; where `mends`, its sizes and its checksum are made right, so that what is in the
// body is looked at. Where it `keeps_codec`, the body may be compressed, and its length is as the header says.
Page AppendPage(const uint8_t* bytes, size_t size, bool mends, bool keeps_codec, std::vector<uint8_t>* file) {
  while (file->size() % 8 != 4) file->push_back(0);
  const size_t offset = file->size();
  file->insert(file->end(), bytes, bytes + size);
  if (file->size() - offset < kPageHeaderBytes) file->resize(offset + kPageHeaderBytes);
  const auto stored = static_cast<uint32_t>(file->size() - offset - kPageHeaderBytes);
  while ((file->size() - offset) % 8 != 0) file->push_back(0xa5);
  uint8_t* page = file->data() + offset;
  if (mends) {
    std::memcpy(page + kPageStoredBytesOffset, &stored, sizeof stored);
    if (!keeps_codec) {
      std::memcpy(page + kPageBodyBytesOffset, &stored, sizeof stored);
      page[kPageCodecOffset] = 0;
    }
    page[kPageKindOffset] = 0;
    const uint32_t crc = Crc32(page + 4, kPageHeaderBytes - 4 + stored);
    std::memcpy(page, &crc, sizeof crc);
  }
  return {offset, file->size() - offset, Load32(page + kPageRowCountOffset) % (kMaxPageRows + 1),
          page[kPageTypeIdOffset]};
}

// A file over memory, mapped as any other.
std::shared_ptr<MappedFile> MapBytes(const std::vector<uint8_t>& bytes) {
  const int fd = memfd_create("page", 0);
  Require(fd >= 0 && write(fd, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()), "a file in memory");
  std::string error;
  std::shared_ptr<MappedFile> mapped = MappedFile::Open("", fd, &error);
  Require(mapped != nullptr, "a mapping");
  close(fd);
  return mapped;
}

// Whether jobs of this form may go on with what a job before them found, as the first one of a chain is made here.
bool Chains(PageForm form) {
  return form == PageForm::kSelect || form == PageForm::kGroups || form == PageForm::kFolds;
}

// The number of a form, so that jobs that follow each other are mostly such as may.
PageForm FormOf(const uint8_t* control, size_t number) {
  if (number == 0) return static_cast<PageForm>(control[0] % kPageForms);
  const PageForm first = static_cast<PageForm>(control[0] % kPageForms);
  if (!Chains(first)) {
    constexpr PageForm kAlone[] = {PageForm::kItems, PageForm::kNumbers, PageForm::kTexts};
    return kAlone[control[1 + number] % 3];
  }
  if (first == PageForm::kFolds) return PageForm::kFolds;
  if (first == PageForm::kGroups) return control[1] % 4 >= number ? PageForm::kGroups : PageForm::kFolds;
  return control[1 + number] % 2 == 0 ? PageForm::kSelect : PageForm::kItems;
}

// A test of texts: mostly constants that are bytes of the pages, sometimes words that are none.
std::vector<uint8_t> TextTest(const uint8_t* control, const uint8_t* pages, size_t page_bytes) {
  if (control[4] % 16 == 15) return std::vector<uint8_t>(pages, pages + std::min<size_t>(page_bytes, control[3]));
  const uint32_t kind = control[4] % kTextTestKinds;
  const uint32_t count = kind == static_cast<uint32_t>(TextTestKind::kRange) ? 2 : 1 + control[3] % 8;
  std::vector<uint32_t> words = {kind, control[3] / 4u, count};
  std::string constants;
  for (uint32_t i = 0; i < count; ++i) {
    const size_t at = (control[8 + i % 4] * 37u + i) % page_bytes;
    const uint32_t length = static_cast<uint32_t>(std::min<size_t>(control[12 + i % 4] % 9, page_bytes - at));
    words.push_back(length);
    constants.append(reinterpret_cast<const char*>(pages) + at, length);
  }
  std::vector<uint8_t> test(words.size() * sizeof(uint32_t) + constants.size());
  std::memcpy(test.data(), words.data(), words.size() * sizeof(uint32_t));
  std::memcpy(test.data() + words.size() * sizeof(uint32_t), constants.data(), constants.size());
  return test;
}

// Some of the rows [start, end), ascending; now and then none that may be asked for.
std::vector<uint32_t> ListRows(const uint8_t* control, uint32_t start, uint32_t end) {
  std::vector<uint32_t> rows;
  const uint32_t step = 1 + control[2] / 4 % 5;
  for (uint32_t row = start + control[2] % 4; row < end; row += step) rows.push_back(row);
  if (control[2] >= 250 && !rows.empty()) rows[control[4] % rows.size()] = Load32(control + 8);
  return rows;
}

// What a job of texts wrote: ends that ascend, codes of texts, bytes up to the last end.
void CheckTexts(const PageOutput& output, const double* result) {
  const auto count = static_cast<size_t>(result[kResultStep]);
  const auto bytes = static_cast<size_t>(result[kResultBase]);
  const bool coded = result[kResultExponent] == static_cast<double>(kNumbersCodedTexts);
  const size_t codes = coded ? static_cast<size_t>(result[kResultCount]) : 0;
  Require((count + codes) * sizeof(uint32_t) + bytes <= output.byte_length, "room for the texts");
  uint32_t last = 0;
  for (size_t i = 0; i < count; ++i) {
    const uint32_t end = Load32(output.data + i * sizeof(uint32_t));
    Require(end >= last, "ends that ascend");
    last = end;
  }
  Require(last == bytes, "as many bytes as the texts have");
  for (size_t i = 0; i < codes; ++i)
    Require(Load32(output.data + (count + i) * sizeof(uint32_t)) < count, "codes of texts");
}

// Groups of one job: each begins at one of the rows that were asked for, all of them together have all.
void CheckGroups(const PageOutput& output, const double* result, uint32_t rows) {
  uint64_t all = 0;
  const auto count = static_cast<size_t>(result[kResultCount]);
  Require(count * kGroupBytes <= output.byte_length, "room for the groups");
  for (size_t i = 0; i < count; ++i) {
    const uint8_t* record = output.data + i * kGroupBytes;
    const uint32_t of_group = Load32(record + 16);
    if (of_group == 0) continue;
    Require(Load32(record + 12) < rows, "a first row that was asked for");
    all += of_group;
  }
  Require(all == rows, "groups of all rows");
}

void RunInput(const uint8_t* data, size_t size) {
  if (size < kControlBytes + kPageHeaderBytes || size > kMostPageBytes) return;
  const uint8_t* control = data;
  const uint8_t* pages = data + kControlBytes;
  const size_t page_bytes = size - kControlBytes;
  const bool mends = (control[5] & 1) == 0;
  const bool keeps_codec = (control[5] & 32) != 0;
  const bool lists = (control[5] & 64) != 0;
  const bool looks_up = (control[5] & 128) != 0;
  // Where there are two pages, the second one starts at a byte that the input says.
  const bool has_two = (control[5] & 2) != 0;
  const size_t cut =
      has_two ? kPageHeaderBytes + Load32(control + 12) % (page_bytes - kPageHeaderBytes + 1) : page_bytes;
  std::vector<uint8_t> file = {'C', 'N', 'A', '1'};
  std::vector<Page> parts = {AppendPage(pages, cut, mends, keeps_codec, &file)};
  if (cut < page_bytes) parts.push_back(AppendPage(pages + cut, page_bytes - cut, mends, keeps_codec, &file));
  const std::shared_ptr<MappedFile> mapped = MapBytes(file);

  std::vector<PageOutput> outputs;
  Blocks blocks(&outputs);
  std::vector<double> jobs;
  const size_t count = 1 + control[6] % kMostJobs;
  const uint32_t rows = parts[0].rows;
  const uint32_t start = rows == 0 ? 0 : (Load32(control + 8) & 0xffff) % rows;
  const uint32_t end = start + (control[7] % 3 == 0 ? rows - start : (Load32(control + 8) >> 16) % (rows - start + 1));
  const bool has_dictionary = (control[5] & 4) != 0;
  const bool with_nulls = (control[5] & 8) != 0;
  const uint32_t codes = 1 + control[7] % 64;
  double selected = -1;
  std::vector<uint32_t> listed;
  for (size_t number = 0; number < count; ++number) {
    const Page& page = parts[number % parts.size()];
    const PageForm form = FormOf(control, number);
    const bool follows = number > 0 && Chains(FormOf(control, 0));
    ItemType type;
    if (!ItemTypeOf(page.type, &type)) return;
    // What codes stand for, where they are to be looked up: whatever the page has.
    const bool by_code = form == PageForm::kGroups || form == PageForm::kFolds;
    const uint32_t entry_count = looks_up && (by_code || (form == PageForm::kItems && !follows)) ? 1 + control[1] : 0;
    const unsigned entry_type = control[4] % (sizeof kItemTypes / sizeof kItemTypes[0]);
    const bool entry_nulls = form == PageForm::kItems && entry_count > 0 && with_nulls && (control[6] & 1) != 0;
    double entries = 0;
    if (entry_count > 0) {
      entries = blocks.Add(entry_count * sizeof(uint64_t) + (entry_nulls ? (entry_count + 7) / 8 : 0), control[3]);
      std::memcpy(outputs[static_cast<size_t>(entries)].data, pages,
                  std::min<size_t>(page_bytes, entry_count * sizeof(uint64_t)));
      if (form == PageForm::kItems) type = kItemTypes[entry_type];
    }
    size_t bytes = 0;
    double test_output = 0;
    double test_length = 0;
    double listed_rows = 0;
    const auto list = [&] {
      listed_rows = static_cast<double>(listed.size());
      test_output = blocks.Add(listed.size() * sizeof(uint32_t), 0);
      if (!listed.empty())
        std::memcpy(outputs[static_cast<size_t>(test_output)].data, listed.data(), listed.size() * sizeof(uint32_t));
    };
    switch (form) {
      case PageForm::kItems:
        test_length = follows ? end - start : 0;
        bytes = size_t{end - start} * type.bytes;
        if (follows || !lists) break;
        // In any order.
        listed = ListRows(control, start, end);
        std::reverse(listed.begin(), listed.end());
        list();
        if (!listed.empty()) bytes = listed.size() * type.bytes;
        break;
      case PageForm::kTexts:
        bytes = control[4] % 4 == 0 ? control[3] : kMostTextBytes;
        test_length = static_cast<double>(bytes);
        break;
      case PageForm::kNumbers:
        bytes = rows * NumberBytes(type);
        break;
      case PageForm::kSelect:
        bytes = size_t{end - start} * sizeof(uint32_t);
        if (type.domain == Domain::kStrings && !has_dictionary) {
          const std::vector<uint8_t> test = TextTest(control, pages, page_bytes);
          test_length = static_cast<double>(test.size());
          test_output = blocks.Add(test.size(), 0);
          std::copy(test.begin(), test.end(), outputs[static_cast<size_t>(test_output)].data);
        } else {
          // An interval, or a list in a table of slots.
          const double of_numbers = control[7] % 4 < 2 ? 16 : 16 + (8 << control[7] / 4 % 8);
          test_length = has_dictionary ? codes : of_numbers;
          test_output = blocks.Add(static_cast<size_t>(test_length), control[4]);
        }
        break;
      case PageForm::kGroups:
      case PageForm::kFolds:
        bytes = size_t{codes} * (form == PageForm::kGroups ? kGroupBytes : kFoldBytes);
        test_length = codes;
        if (number > 0 || !lists) break;
        listed = ListRows(control, start, end);
        list();
        break;
    }
    double output = form == PageForm::kSelect && follows ? selected : blocks.Add(bytes, 0xee);
    if (form == PageForm::kSelect && !follows) selected = output;
    const double validity = with_nulls ? blocks.Add((rows + 7) / 8, 0xee) : -1;
    const auto number_of = [](auto value) { return static_cast<double>(value); };
    const double column = number_of(file[page.offset + 26] | file[page.offset + 27] << 8);
    double ranges = 0;
    uint32_t range_count = 0;
    if (form == PageForm::kGroups && !has_dictionary && type.domain == Domain::kIntegers && (control[6] & 2) != 0) {
      range_count = 1 + control[2];
      ranges = blocks.Add(kRangesHeadBytes + range_count * sizeof(uint32_t), control[1] % 4);
      // Some are of a width that lets them be met; what is in the input may be anything.
      uint8_t* head = outputs[static_cast<size_t>(ranges)].data;
      std::memcpy(head, pages, std::min<size_t>(page_bytes, kRangesHeadBytes));
      const uint64_t sound[] = {uint64_t{0} - control[0], 1 + control[7] % 8u, 1 + control[4] % 64u};
      if ((control[6] & 4) != 0) std::memcpy(head, sound, sizeof sound);
    }
    double job[kPageJobNumbers] = {};
    job[kJobByteOffset] = number_of(page.offset);
    job[kJobByteLength] = number_of(page.bytes);
    job[kJobTypeId] = number_of(page.type);
    job[kJobColumn] = column;
    job[kJobRowCount] = number_of(rows);
    job[kJobStart] = number_of(start);
    job[kJobEnd] = number_of(end);
    job[kJobForm] = number_of(form);
    job[kJobOutput] = output;
    job[kJobValidityOutput] = validity;
    job[kJobHasDictionary] = has_dictionary ? 1 : 0;
    job[kJobCodesOnly] = has_dictionary && (control[3] & 4) != 0 ? 1 : 0;
    const bool asks_for_nulls = control[7] >= 192;
    job[kJobWanted] = form != PageForm::kSelect ? control[3] % 4 : asks_for_nulls ? 1 + control[7] % 2 : 0;
    job[kJobFollows] = follows ? 1 : 0;
    job[kJobTestOutput] = test_output;
    job[kJobTestLength] = test_length;
    job[kJobListed] = listed_rows;
    job[kJobEntryCount] = entry_count;
    job[kJobEntriesOutput] = entries;
    job[kJobEntryTypeId] = entry_type;
    job[kJobEntryNulls] = entry_nulls ? 1 : 0;
    job[kJobRangeCount] = range_count;
    job[kJobRangesOutput] = ranges;
    jobs.insert(jobs.end(), job, job + kPageJobNumbers);
  }
  std::vector<double> results(count * kPageResultNumbers);
  const bool verify_crc = mends || (control[5] & 16) != 0;
  const PagesRequest request = {mapped.get(), jobs.data(), results.data(), count, outputs.data(), outputs.size(),
                                verify_crc,   1,           nullptr};
  if (!RunDecodePages(request).ok()) return;
  for (size_t number = 0; number < count; ++number) {
    const double* result = &results[number * kPageResultNumbers];
    const double* job = &jobs[number * kPageJobNumbers];
    if (result[kResultOutcome] != kOutcomeDecoded) continue;
    const PageOutput& output = outputs[static_cast<size_t>(job[kJobOutput])];
    if (job[kJobForm] == static_cast<double>(PageForm::kTexts)) CheckTexts(output, result);
    if (job[kJobForm] == static_cast<double>(PageForm::kGroups) && number == 0)
      CheckGroups(output, result, listed.empty() ? end - start : static_cast<uint32_t>(listed.size()));
  }
  // What was found of a selection lies among the rows that were asked for, ascending.
  uint32_t left = end - start;
  for (size_t number = 0; number < count; ++number) {
    const double* result = &results[number * kPageResultNumbers];
    const double form = jobs[number * kPageJobNumbers + kJobForm];
    if (result[kResultOutcome] == kOutcomeLeft || form != static_cast<double>(PageForm::kSelect)) break;
    Require(result[kResultCount] >= 0 && result[kResultCount] <= left, "a selection of rows that were asked for");
    left = static_cast<uint32_t>(result[kResultCount]);
  }
  if (selected < 0 || left == end - start) return;
  uint32_t least = start;
  for (uint32_t i = 0; i < left; ++i) {
    const uint32_t row = Load32(outputs[static_cast<size_t>(selected)].data + i * sizeof(uint32_t));
    Require(row >= least && row < end, "an ascending selection");
    least = row + 1;
  }
}

}  // namespace
}  // namespace colkit

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  colkit::RunInput(data, size);
  return 0;
}
