// See column_page.h. A page is copied before anything of it is looked at: what was checked is what is decoded, whoever
// writes into the file meanwhile.
#include "pages/column_page.h"

#include <cstring>
#include <vector>

#include "platform/arena.h"
#include "decode/column_nodes.h"
#include "decode/inflate.h"
#include "platform/crc32.h"
#include "map/guarded_run.h"
#include "pages/page_forms.h"
#include "pages/page_job.h"
#include "pages/row_groups.h"

namespace colkit {
namespace {

constexpr uint64_t kMostPageBytes = uint64_t{1} << 22;
constexpr uint8_t kCodecNone = 0;
constexpr uint8_t kCodecDeflate = 1;
constexpr double kNanosecondsPerRow = 1.5;
// Of pages of which all texts are wanted.
constexpr double kNanosecondsPerByte = 1;

template <typename T>
T Load(const uint8_t* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

struct PageSizes {
  uint32_t stored_bytes;
  uint32_t body_bytes;
};

// The header is as expected, and of a body that is not too large.
bool CheckHeader(const PageJob& job, const uint8_t* header, PageSizes* sizes, uint32_t* value_count) {
  sizes->stored_bytes = Load<uint32_t>(header + kPageStoredBytesOffset);
  sizes->body_bytes = Load<uint32_t>(header + kPageBodyBytesOffset);
  *value_count = Load<uint32_t>(header + kPageValueCountOffset);
  const uint64_t padded = (uint64_t{kPageHeaderBytes} + sizes->stored_bytes + 7) / 8 * 8;
  const uint8_t codec = header[kPageCodecOffset];
  const bool has_size = codec == kCodecNone ? sizes->body_bytes == sizes->stored_bytes
                                            : codec == kCodecDeflate && sizes->body_bytes <= kMostBodyBytes &&
                                                  sizes->body_bytes <= kMostInflation * sizes->stored_bytes;
  return padded == job.byte_length && has_size && Load<uint32_t>(header + kPageRowCountOffset) == job.row_count &&
         *value_count <= job.row_count && header[kPageKindOffset] == 0 && header[kPageTypeIdOffset] == job.type_id &&
         Load<uint16_t>(header + kPageColumnOffset) == job.column;
}

// Where no more than one row in so many is wanted, the others need not be decoded.
constexpr uint32_t kRowsPerPick = 8;

// How much of a page is wanted.
struct Wanted {
  const RowSet* rows;   // null: all
  bool leaves_entries;  // whether codes and what they stand for do in place of values
};

// The body of a page, at a multiple of 8 bytes; `header` is the page's.
bool DecodeBody(const PageJob& job, const uint8_t* header, const uint8_t* bytes, uint32_t byte_length,
                const Wanted& wanted, Arena* arena, DecodedPage* page) {
  const RowSet* rows = wanted.rows;
  const uint32_t value_count = page->value_count;
  if (value_count == 0) return byte_length == 0 && job.with_nulls;
  const bool has_nulls = value_count < job.row_count;
  const bool is_whole = !has_nulls && job.start == 0 && job.end == job.row_count && rows == nullptr;
  PageBody body = {bytes, byte_length, job.type.bytes, job.has_dictionary ? kMaxDictionaryEntries : 0, nullptr, arena};
  const bool are_items = job.form == PageForm::kItems && !job.follows && job.entries == nullptr;
  const bool fills_output = (job.form == PageForm::kNumbers && rows == nullptr) || (are_items && is_whole);
  if (job.type.bytes == 8 && fills_output) body.root_words = reinterpret_cast<uint64_t*>(job.out);
  uint32_t start = 0;
  if (has_nulls) {
    const Node whole = {0, 0, 0, byte_length, job.row_count, Domain::kIntegers, 1};
    Node child;
    if (!job.with_nulls || !ReadChild(body, whole, &start, (job.row_count + 7) / 8, Domain::kIntegers, &child))
      return false;
    page->validity = DecodeOctets(body, child);
    if (page->validity == nullptr || CountOnes(page->validity, job.row_count) != value_count) return false;
  }
  const uint8_t encoding = header[kPageEncodingOffset];
  page->are_codes = encoding == kCodes;
  if (job.codes_only && !page->are_codes) return false;
  page->are_texts = job.type.domain == Domain::kStrings && !page->are_codes;
  const Node root = {encoding,    header[kPageParameterOffset], start, byte_length,
                     value_count, job.type.domain,              1,     wanted.leaves_entries};
  if (!page->are_texts && rows != nullptr) {
    page->picks = PicksOf(*rows, arena);
    if (page->picks.rows == nullptr || !LocatePicks(page->validity, job.row_count, arena, &page->picks)) return false;
    if (page->picks.value_count > 0)
      return PickNode(body, root, {page->picks.values, page->picks.value_count}, &page->values);
    return true;
  }
  if (!page->are_texts) return DecodeNode(body, root, &page->values);
  page->values.count = value_count;
  return DecodeTexts(body, root, &page->texts);
}

bool DecodePage(const PagesRequest& request, const PageJob& job, const Wanted& wanted, Arena* arena, DecodedPage* page,
                uint64_t* needed) {
  if (job.byte_length < kPageHeaderBytes || job.byte_length > kMostPageBytes) return false;
  // The header's copy ends, and the body's begins, at a multiple of 8.
  uint8_t* room = arena->Take<uint8_t>(size_t{job.byte_length} + 4);
  if (room == nullptr) return false;
  uint8_t* header = room + 4;
  const uint8_t* stored = request.file->data() + job.byte_offset;
  PageSizes sizes;
  std::memcpy(header, stored, kPageHeaderBytes);
  // What is not decoded here need not be copied.
  if (!CheckHeader(job, header, &sizes, &page->value_count)) return false;
  if (job.form == PageForm::kTexts && job.test == nullptr && header[kPageEncodingOffset] == kPlain) {
    const uint64_t most = page->value_count * sizeof(uint32_t) + sizes.body_bytes;
    if (most > job.room) {
      *needed = most;
      return false;
    }
  }
  std::memcpy(header + kPageHeaderBytes, stored + kPageHeaderBytes, job.byte_length - kPageHeaderBytes);
  if (request.verify_crc && Crc32(header + 4, kPageHeaderBytes - 4 + sizes.stored_bytes) != Load<uint32_t>(header))
    return false;
  const uint8_t* body = header + kPageHeaderBytes;
  if (header[kPageCodecOffset] == kCodecDeflate) {
    uint8_t* inflated = arena->Take<uint8_t>(sizes.body_bytes);
    if (inflated == nullptr || !Inflate(body, sizes.stored_bytes, inflated, sizes.body_bytes)) return false;
    body = inflated;
  }
  page->job = &job;
  return DecodeBody(job, header, body, sizes.body_bytes, wanted, arena, page);
}

// Whether jobs are about the same page, and expect the same of it.
bool IsSamePage(const PageJob& a, const PageJob& b) {
  return a.byte_offset == b.byte_offset && a.byte_length == b.byte_length && a.type_id == b.type_id &&
         a.column == b.column && a.has_dictionary == b.has_dictionary && a.codes_only == b.codes_only &&
         a.with_nulls == b.with_nulls;
}

// The page of a job that may follow others: one of those that they decoded, or decoded now. Null where it is left.
const DecodedPage* PageOf(const PagesRequest& request, const PageJob& job, Arena* arena, Chain* chain,
                          DecodedPage* room) {
  for (size_t i = 0; i < chain->kept_count; ++i) {
    if (IsSamePage(*chain->kept[i].job, job)) return &chain->kept[i];
  }
  // Of items nothing is wanted but the rows that are asked for.
  const RowSet& rows = chain->rows;
  const bool picks = PicksListed(job) || (job.form == PageForm::kItems &&
                                          rows.count() * uint64_t{kRowsPerPick} <= job.row_count);
  // What all rows add up to is what the entries do, each as often as it is met. Only other folds follow.
  const bool leaves_entries = job.form == PageForm::kFolds && chain->groups == nullptr && rows.list == nullptr;
  const Wanted wanted = {picks ? &rows : nullptr, leaves_entries};
  if (!DecodePage(request, job, wanted, arena, room, &chain->needed)) return nullptr;
  if (!picks && chain->kept_count < Chain::kMostKept) chain->kept[chain->kept_count++] = *room;
  return room;
}

// The jobs of a run, cut where one does not follow the one before.
struct PagesRun {
  const PagesRequest* request;
  std::vector<size_t> first_jobs;  // and one more behind the last
};

// The rows that the jobs are about; false where a list of them is not as it must be, or there is no room for it.
bool ReadRows(const PageJob& job, Arena* arena, RowSet* rows) {
  rows->start = job.start;
  rows->end = job.end;
  if (job.form == PageForm::kSelect || job.test == nullptr) return true;
  const uint32_t count = job.test_bytes / sizeof(uint32_t);
  auto* list = arena->Take<uint32_t>(count);
  if (list == nullptr) return false;
  std::memcpy(list, job.test, job.test_bytes);
  // Loops without a way out. Rows that are picked one by one come in any order.
  const uint32_t rows_in_all = job.end - job.start;
  bool legal = true;
  for (uint32_t i = 0; i < count; ++i) legal &= list[i] - job.start < rows_in_all;
  for (uint32_t i = 1; !PicksListed(job) && i < count; ++i) legal &= list[i] > list[i - 1];
  if (!legal) return false;
  rows->list = list;
  rows->list_count = count;
  return true;
}

// Performs jobs that follow each other; how many of them it did. Behind a selection that was left nothing is done;
// behind items that were, the others are.
size_t DecodeChain(const PagesRequest& request, const PageJob* jobs, size_t count, double* results, Arena* arena) {
  Chain chain;
  size_t done = 0;
  bool ended = !ReadRows(jobs[0], arena, &chain.rows);
  for (size_t i = 0; i < count; ++i, results += kPageResultNumbers) {
    const PageJob& job = jobs[i];
    const bool by_rows = job.form == PageForm::kSelect || (job.form == PageForm::kItems && job.follows);
    const bool is_needed = !by_rows || chain.rows.count() > 0;
    // Items for which there is no room are not looked at.
    bool decoded = !ended && (job.form != PageForm::kItems || !job.follows || chain.rows.count() <= job.room);
    if (decoded && is_needed) {
      DecodedPage room;
      const DecodedPage* page = PageOf(request, job, arena, &chain, &room);
      decoded = page != nullptr && WriteForm(job, *page, arena, &chain, results);
    }
    if (decoded && by_rows) results[kResultCount] = chain.rows.count();
    results[kResultOutcome] = !decoded ? kOutcomeLeft : is_needed ? kOutcomeDecoded : kOutcomeUnneeded;
    if (!decoded && chain.needed > 0) {
      results[kResultOutcome] = kOutcomeSmall;
      results[kResultBase] = static_cast<double>(chain.needed);
    }
    done += decoded ? 1 : 0;
    ended = ended || (!decoded && job.form != PageForm::kItems);
  }
  CountGroups(nullptr, &chain);
  const RowSet& rows = chain.rows;
  if (jobs[0].form == PageForm::kSelect && rows.list != nullptr)
    std::memcpy(jobs[0].out, rows.list, rows.list_count * sizeof(uint32_t));
  return done;
}

// How many jobs of a piece are legal, from the first one on.
size_t ReadChain(const PagesRun& run, size_t piece, PageJob* jobs) {
  const size_t first = run.first_jobs[piece];
  const size_t count = run.first_jobs[piece + 1] - first;
  size_t legal = 0;
  for (; legal < count && legal < kMostChainedJobs; ++legal) {
    PageJob* job = jobs + legal;
    if (!ReadPageJob(*run.request, first + legal, job) || job->follows != (legal > 0) ||
        !MayFollow(*job, legal > 0 ? *(job - 1) : *job))
      break;
  }
  return legal;
}

void CheckJobs(Piece* piece) {
  const auto& run = *static_cast<const PagesRun*>(piece->context);
  PageJob jobs[kMostChainedJobs];
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
  PageJob jobs[kMostChainedJobs];
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
  double cost = 0;
  for (size_t number = 0; number < request.count; ++number) {
    const double* job = request.jobs + number * kPageJobNumbers;
    if (number == 0 || job[kJobFollows] == 0) context.first_jobs.push_back(number);
    cost += kNanosecondsPerRow * job[kJobRowCount];
    const bool all_texts = job[kJobForm] == static_cast<int>(PageForm::kTexts) && job[kJobListed] == 0;
    if (all_texts) cost += kNanosecondsPerByte * job[kJobByteLength];
    request.results[number * kPageResultNumbers + kResultOutcome] = kOutcomeLeft;
  }
  const size_t pieces = context.first_jobs.size();
  context.first_jobs.push_back(request.count);
  GuardedRun run(*request.file, request.cancelled);
  outcome = run.Run(1, 1, CheckJobs, &context);
  if (!outcome.ok()) return outcome;
  return run.Run(pieces, ThreadsFor(cost, request.workers), DecodePiece, &context);
}

}  // namespace colkit
