// See column_page.h. A page is copied before anything of it is looked at: what was checked is what is decoded, whoever writes into the file meanwhile.
#include "column_page.h"

#include <cstring>

#include <vector>

#include "arena.h"
#include "column_items.h"
#include "column_nodes.h"
#include "column_select.h"
#include "crc32.h"
#include "guarded_run.h"
#include "intrinsics.h"
#include "number_kernels.h"
#include "page_job.h"

namespace colkit {
namespace {

constexpr uint32_t kHeaderBytes = 28;
constexpr uint64_t kMostPageBytes = uint64_t{1} << 22;
constexpr double kNanosecondsPerRow = 1.5;

// A page that was decoded, in the arena.
struct DecodedPage {
  const PageJob* job = nullptr;  // that it was decoded for
  uint32_t value_count = 0;
  NodeValues values;
  const uint8_t* validity = nullptr;  // null where no row is null, and where all are
  bool are_codes = false;
};

// What jobs that follow each other have found so far.
struct Chain {
  RowSet rows;
  const uint32_t* codes = nullptr;  // of all rows of the page
  // A column that is asked about may be asked for too.
  static constexpr size_t kMostKept = 4;
  DecodedPage kept[kMostKept];
  size_t kept_count = 0;
};

template <typename T>
T Load(const uint8_t* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

uint32_t CountOnes(const uint8_t* bitmap, uint32_t count) {
  uint32_t ones = 0;
  for (uint32_t i = 0; i < count / 8; ++i) ones += PopCount(bitmap[i]);
  return count % 8 == 0 ? ones : ones + PopCount(bitmap[count / 8] & ((1u << (count % 8)) - 1));
}

// The header is as expected, and of a body that is not compressed.
bool CheckHeader(const PageJob& job, const uint8_t* header, uint32_t* stored_bytes, uint32_t* value_count) {
  *stored_bytes = Load<uint32_t>(header + 4);
  *value_count = Load<uint32_t>(header + 16);
  const uint64_t padded = (uint64_t{kHeaderBytes} + *stored_bytes + 7) / 8 * 8;
  return padded == job.byte_length && Load<uint32_t>(header + 8) == *stored_bytes && Load<uint32_t>(header + 12) == job.row_count && *value_count <= job.row_count &&
         header[20] == 0 && header[21] == job.type_id && header[24] == 0 && Load<uint16_t>(header + 26) == job.column;
}

// Base and step are told only where doubles hold them exactly.
bool IsExactLine(const NodeValues& values) {
  const auto is_safe = [](uint64_t word) { return word + kLargestSafe <= 2 * kLargestSafe; };
  return values.numbers != nullptr && values.patch_count == 0 && is_safe(values.base) && is_safe(values.step);
}

// A code a row, -1 for a null.
void WriteCodes(const PageJob& job, const NodeValues& values, const uint8_t* validity, double* results) {
  results[kBelow] = static_cast<double>(values.below);
  results[kExponent] = kCodes;
  if (validity == nullptr) {
    std::memcpy(job.out, values.numbers, values.count * sizeof(uint32_t));
    return;
  }
  auto* out = reinterpret_cast<uint32_t*>(job.out);
  const uint32_t* next = values.numbers;
  // Which row is null cannot be predicted, so it is arithmetic and not a branch.
  for (uint32_t row = 0; row < job.row_count; ++row) {
    const uint32_t present = validity[row / 8] >> (row % 8) & 1;
    out[row] = *next | (present - 1);
    next += present;
  }
}

void WriteLine(const NodeValues& values, double* results) {
  results[kBase] = static_cast<double>(static_cast<int64_t>(values.base));
  results[kStep] = static_cast<double>(static_cast<int64_t>(values.step));
  results[kBelow] = static_cast<double>(values.below);
  results[kExponent] = values.kind == NodeValues::Kind::kDecimal ? static_cast<double>(values.exponent) : static_cast<double>(kIntegers);
}

bool WriteNumbers(const PageJob& job, const NodeValues& values, Arena* arena, double* results) {
  if (IsExactLine(values)) {
    std::memcpy(job.out, values.numbers, values.count * sizeof(uint32_t));
    WriteLine(values, results);
    return true;
  }
  // Decimals in other forms are divided where they are asked for.
  if (values.kind == NodeValues::Kind::kDecimal && values.patch_count == 0) return false;
  const bool are_words = values.kind == NodeValues::Kind::kWide && values.patch_count == 0;
  const uint64_t* words = are_words ? values.words : PatternsOf(values, job.type.domain, arena);
  if (words == nullptr) return false;
  if (NumberBytes(job.type) == sizeof(uint64_t)) {
    if (static_cast<const void*>(words) != static_cast<const void*>(job.out)) std::memcpy(job.out, words, values.count * sizeof(uint64_t));
    results[kExponent] = kPatterns;
    return true;
  }
  auto* out = reinterpret_cast<uint32_t*>(job.out);
  for (uint32_t i = 0; i < values.count; ++i) out[i] = static_cast<uint32_t>(words[i]);
  results[kBase] = 0;
  results[kStep] = 1;
  results[kBelow] = 4294967296.0;
  results[kExponent] = kIntegers;
  return true;
}

bool WriteRows(const PageJob& job, const DecodedPage& page, Arena* arena) {
  if (page.validity == nullptr) {
    WriteItems(page.values, job.start, job.end, job.type, job.out);
    return true;
  }
  const uint32_t first = CountOnes(page.validity, job.start);
  const uint32_t last = CountOnes(page.validity, job.end);
  uint8_t* items = arena->Take<uint8_t>(size_t{last - first} * job.type.bytes);
  if (items == nullptr) return false;
  WriteItems(page.values, first, last, job.type, items);
  SpreadItems(items, page.validity, job.start, job.end, job.type.bytes, job.out);
  return true;
}

// The rows that a selection left.
bool WriteSelected(const PageJob& job, const DecodedPage& page, const RowSet& rows, Arena* arena) {
  if (page.validity != nullptr || rows.count() > job.room) return false;
  if (rows.list == nullptr) {
    WriteItems(page.values, rows.start, rows.end, job.type, job.out);
    return true;
  }
  NodeValues picked;
  if (!PickValues(page.values, rows.list, rows.list_count, job.type.domain, arena, &picked)) return false;
  WriteItems(picked, 0, rows.list_count, job.type, job.out);
  return true;
}

bool Select(const PageJob& job, const DecodedPage& page, Arena* arena, RowSet* rows) {
  const TestedPage tested = {&page.values, &job.type, page.validity, job.row_count};
  if (page.are_codes) return SelectCodes(tested, job.test, job.test_bytes, arena, rows);
  if (job.has_dictionary) return false;
  IntervalTest test;
  std::memcpy(test.words, job.test, sizeof test.words);
  return SelectInterval(tested, test, arena, rows);
}

// The first row of each code and how many rows have it.
bool WriteKeys(const PageJob& job, const NodeValues& values, Chain* chain) {
  if (values.below > job.code_count) return false;
  auto* out = reinterpret_cast<uint32_t*>(job.out);
  std::memset(out, 0, size_t{job.code_count} * 2 * sizeof(uint32_t));
  chain->codes = values.numbers;
  for (uint32_t row = job.end; row-- > job.start;) {
    const uint32_t code = values.numbers[row];
    out[2 * code] = row;
    ++out[2 * code + 1];
  }
  return true;
}

bool WriteSums(const PageJob& job, const NodeValues& values, const Chain& chain, Arena* arena, double* results) {
  if (!IsExactLine(values)) return false;
  auto* sums = reinterpret_cast<double*>(job.out);
  auto* counts = arena->Take<double>(job.code_count);
  if (counts == nullptr) return false;
  for (uint32_t code = 0; code < job.code_count; ++code) sums[code] = counts[code] = 0;
  WriteLine(values, results);
  return SumByCode(values.numbers + job.start, chain.codes + job.start, job.end - job.start, job.code_count, sums, counts);
}

// A page of nulls only.
bool WriteNulls(const PageJob& job, Chain* chain, double* results) {
  switch (job.form) {
    case PageForm::kItems:
      if (job.follows) return false;
      std::memset(job.out, 0, size_t{job.end - job.start} * job.type.bytes);
      return true;
    case PageForm::kNumbers: results[kExponent] = kPatterns; return true;
    case PageForm::kSelect:
      chain->rows = RowSet();
      return true;
    default: return false;
  }
}

bool WriteValues(const PageJob& job, const DecodedPage& page, Arena* arena, Chain* chain, double* results) {
  results[kValueCount] = page.value_count;
  if (page.value_count == 0) return WriteNulls(job, chain, results);
  const bool has_nulls = page.validity != nullptr;
  if (has_nulls && job.validity != nullptr) std::memcpy(job.validity, page.validity, (job.row_count + 7) / 8);
  switch (job.form) {
    case PageForm::kItems: return job.follows ? WriteSelected(job, page, chain->rows, arena) : WriteRows(job, page, arena);
    case PageForm::kNumbers:
      if (!page.are_codes) return WriteNumbers(job, page.values, arena, results);
      WriteCodes(job, page.values, page.validity, results);
      return true;
    case PageForm::kSelect: return Select(job, page, arena, &chain->rows);
    case PageForm::kKeys: return page.are_codes && !has_nulls && WriteKeys(job, page.values, chain);
    case PageForm::kSums: return !page.are_codes && !has_nulls && WriteSums(job, page.values, *chain, arena, results);
  }
  return false;
}

// The body of `bytes`, which lie at 4 bytes behind a multiple of 8, so that the body starts at one.
bool DecodeBody(const PageJob& job, const uint8_t* bytes, uint32_t stored_bytes, Arena* arena, DecodedPage* page) {
  const uint32_t value_count = page->value_count;
  if (value_count == 0) return stored_bytes == 0 && job.with_nulls;
  const bool has_nulls = value_count < job.row_count;
  const bool is_whole = !has_nulls && job.start == 0 && job.end == job.row_count;
  PageBody body = {bytes + kHeaderBytes, stored_bytes, job.type.bytes, job.has_dictionary ? kMaxPageRows : 0, nullptr, arena};
  const bool fills_output = job.form == PageForm::kNumbers || (job.form == PageForm::kItems && !job.follows && is_whole);
  if (job.type.bytes == 8 && fills_output) body.root_words = reinterpret_cast<uint64_t*>(job.out);
  uint32_t start = 0;
  if (has_nulls) {
    const Node whole = {0, 0, 0, stored_bytes, job.row_count, Domain::kIntegers, 1};
    Node child;
    if (!job.with_nulls || !ReadChild(body, whole, &start, (job.row_count + 7) / 8, Domain::kIntegers, &child)) return false;
    page->validity = DecodeOctets(body, child);
    if (page->validity == nullptr || CountOnes(page->validity, job.row_count) != value_count) return false;
  }
  const uint8_t encoding = bytes[22];
  constexpr uint8_t kCodesEncoding = 10;
  page->are_codes = encoding == kCodesEncoding;
  // Of byte strings there are numbers only where they are codes.
  if (job.type.domain == Domain::kStrings && !page->are_codes) return false;
  const Node root = {encoding, bytes[23], start, stored_bytes, value_count, job.type.domain, 1};
  return DecodeNode(body, root, &page->values);
}

bool DecodePage(const PagesRequest& request, const PageJob& job, Arena* arena, DecodedPage* page) {
  if (job.byte_length < kHeaderBytes || job.byte_length > kMostPageBytes) return false;
  uint8_t* room = arena->Take<uint8_t>(size_t{job.byte_length} + 4);
  if (room == nullptr) return false;
  uint8_t* bytes = room + 4;
  const uint8_t* stored = request.file->data() + job.byte_offset;
  uint32_t stored_bytes;
  std::memcpy(bytes, stored, kHeaderBytes);
  // What is not decoded here need not be copied.
  if (!CheckHeader(job, bytes, &stored_bytes, &page->value_count)) return false;
  std::memcpy(bytes + kHeaderBytes, stored + kHeaderBytes, job.byte_length - kHeaderBytes);
  if (request.verify_crc && Crc32(bytes + 4, kHeaderBytes - 4 + stored_bytes) != Load<uint32_t>(bytes)) return false;
  page->job = &job;
  return DecodeBody(job, bytes, stored_bytes, arena, page);
}

// Whether jobs are about the same page, and expect the same of it.
bool IsSamePage(const PageJob& a, const PageJob& b) {
  return a.byte_offset == b.byte_offset && a.byte_length == b.byte_length && a.type_id == b.type_id && a.column == b.column && a.has_dictionary == b.has_dictionary && a.with_nulls == b.with_nulls;
}

// The page of a job that may follow others: one of those that they decoded, or decoded now. Null where it is left.
const DecodedPage* PageOf(const PagesRequest& request, const PageJob& job, Arena* arena, Chain* chain, DecodedPage* room) {
  for (size_t i = 0; i < chain->kept_count; ++i) {
    if (IsSamePage(*chain->kept[i].job, job)) return &chain->kept[i];
  }
  if (!DecodePage(request, job, arena, room)) return nullptr;
  if (chain->kept_count < Chain::kMostKept) chain->kept[chain->kept_count++] = *room;
  return room;
}

// The jobs of a run, cut where one does not follow the one before.
struct PagesRun {
  const PagesRequest* request;
  std::vector<size_t> first_jobs;  // and one more behind the last
};

// Performs jobs that follow each other; how many of them it did. Behind a selection that was left nothing is done; behind items that were, the others are.
size_t DecodeChain(const PagesRequest& request, const PageJob* jobs, size_t count, double* results, Arena* arena) {
  Chain chain;
  chain.rows.start = jobs[0].start;
  chain.rows.end = jobs[0].end;
  size_t done = 0;
  bool ended = false;
  for (size_t i = 0; i < count; ++i, results += kPageResultNumbers) {
    const PageJob& job = jobs[i];
    const bool by_rows = job.form == PageForm::kSelect || (job.form == PageForm::kItems && job.follows);
    const bool is_needed = !by_rows || chain.rows.count() > 0;
    bool decoded = !ended;
    if (decoded && is_needed) {
      DecodedPage room;
      const DecodedPage* page = PageOf(request, job, arena, &chain, &room);
      decoded = page != nullptr && WriteValues(job, *page, arena, &chain, results);
    }
    if (decoded && by_rows) results[kValueCount] = chain.rows.count();
    results[kIsDecoded] = !decoded ? 0 : is_needed ? 1 : 2;
    done += decoded ? 1 : 0;
    ended = ended || (!decoded && job.form != PageForm::kItems);
  }
  const RowSet& rows = chain.rows;
  if (jobs[0].form == PageForm::kSelect && rows.list != nullptr) std::memcpy(jobs[0].out, rows.list, rows.list_count * sizeof(uint32_t));
  return done;
}

constexpr size_t kMostInChain = 64;

// How many jobs of a piece are legal, from the first one on.
size_t ReadChain(const PagesRun& run, size_t piece, PageJob* jobs) {
  const size_t first = run.first_jobs[piece];
  const size_t count = run.first_jobs[piece + 1] - first;
  size_t legal = 0;
  for (; legal < count && legal < kMostInChain; ++legal) {
    PageJob* job = jobs + legal;
    if (!ReadPageJob(*run.request, first + legal, job) || job->follows != (legal > 0) || !MayFollow(*job, legal > 0 ? *(job - 1) : *job)) break;
  }
  return legal;
}

void CheckJobs(Piece* piece) {
  const auto& run = *static_cast<const PagesRun*>(piece->context);
  PageJob jobs[kMostInChain];
  for (size_t number = 0; number + 1 < run.first_jobs.size(); ++number) {
    const size_t end = run.first_jobs[number] + ReadChain(run, number, jobs);
    if (end == run.first_jobs[number + 1]) continue;
    piece->outcome.status = Status::kJobInvalid;
    piece->outcome.position = end;
    return;
  }
}

void DecodePiece(Piece* piece) {
  const auto& run = *static_cast<const PagesRun*>(piece->context);
  const PagesRequest& request = *run.request;
  const size_t first = run.first_jobs[piece->number];
  const size_t count = run.first_jobs[piece->number + 1] - first;
  PageJob jobs[kMostInChain];
  if (ReadChain(run, piece->number, jobs) < count) {
    piece->outcome.status = Status::kInputChanged;
    piece->outcome.position = first;
    return;
  }
  double* results = request.results + first * kPageResultNumbers;
  Arena& arena = Arena::OfThread();
  // Once more where the working memory was too small.
  while (arena.Reset() && DecodeChain(request, jobs, count, results, &arena) < count && arena.TooSmall()) {
  }
}

}  // namespace

Outcome RunDecodePages(const PagesRequest& request) {
  Outcome outcome;
  if (!request.file->StillWhole()) {
    outcome.status = Status::kFileChanged;
    return outcome;
  }
  PagesRun context = {&request, {}};
  double rows = 0;
  for (size_t number = 0; number < request.count; ++number) {
    const double* job = request.jobs + number * kPageJobNumbers;
    if (number == 0 || job[kFollows] == 0) context.first_jobs.push_back(number);
    rows += job[kRowCount];
    request.results[number * kPageResultNumbers + kIsDecoded] = 0;
  }
  const size_t pieces = context.first_jobs.size();
  context.first_jobs.push_back(request.count);
  GuardedRun run(*request.file, request.cancelled);
  outcome = run.Run(1, 1, CheckJobs, &context);
  if (!outcome.ok()) return outcome;
  return run.Run(pieces, ThreadsFor(rows * kNanosecondsPerRow, request.workers), DecodePiece, &context);
}

}  // namespace colkit
