// See column_page.h. A page is copied before anything of it is looked at: what was checked is what is decoded, whoever writes into the file meanwhile.
#include "column_page.h"

#include <cstring>

#include "arena.h"
#include "column_items.h"
#include "column_nodes.h"
#include "crc32.h"
#include "guarded_run.h"
#include "intrinsics.h"
#include "whole_number.h"

namespace colkit {
namespace {

constexpr uint32_t kHeaderBytes = 28;
constexpr uint32_t kMaxPageRows = 65536;
constexpr uint64_t kMostPageBytes = uint64_t{1} << 22;
constexpr double kNanosecondsPerRow = 1.5;

struct Job {
  uint64_t byte_offset;
  uint32_t byte_length;
  unsigned type_id;
  unsigned column;
  uint32_t row_count;
  uint32_t start;
  uint32_t end;
  PageForm form;
  uint8_t* out;
  uint8_t* validity;  // null where nulls are not expected
  bool has_dictionary;
  ItemType type;
};

// Room for a value in the form of numbers: of types of four bytes and less, the lowest 32 bits are all of it.
uint64_t NumberBytes(const ItemType& type) { return type.bytes == 8 ? sizeof(uint64_t) : sizeof(uint32_t); }

// False where a number is none of what its meaning allows, or something lies outside of the file or the output.
bool ReadJob(const PagesRequest& request, size_t number, Job* job) {
  uint64_t n[kPageJobNumbers] = {};
  const double* numbers = request.jobs + number * kPageJobNumbers;
  const bool with_nulls = !(numbers[kValidityOutput] < 0);
  for (size_t i = 0; i < kPageJobNumbers; ++i) {
    if (i == kValidityOutput && !with_nulls) continue;
    if (!ToWholeNumber(numbers[i], uint64_t{1} << 53, &n[i])) return false;
  }
  const uint64_t file_bytes = request.file->size();
  if (n[kByteOffset] > file_bytes || n[kByteLength] > file_bytes - n[kByteOffset] || n[kByteLength] > UINT32_MAX) return false;
  if (n[kRowCount] < 1 || n[kRowCount] > kMaxPageRows || n[kStart] > n[kEnd] || n[kEnd] > n[kRowCount] || n[kHasDictionary] > 1) return false;
  if (n[kForm] > 1 || n[kOutput] >= request.output_count || n[kTypeId] > 255 || !ItemTypeOf(static_cast<unsigned>(n[kTypeId]), &job->type)) return false;
  const PageOutput& output = request.outputs[n[kOutput]];
  job->form = static_cast<PageForm>(n[kForm]);
  const bool is_items = job->form == PageForm::kItems;
  const uint64_t item_bytes = is_items ? job->type.bytes : NumberBytes(job->type);
  const uint64_t out_bytes = (is_items ? n[kEnd] - n[kStart] : n[kRowCount]) * item_bytes;
  if (item_bytes == 0 || n[kOutOffset] > output.byte_length || out_bytes > output.byte_length - n[kOutOffset]) return false;
  job->out = output.data + n[kOutOffset];
  if (reinterpret_cast<uintptr_t>(job->out) % (is_items ? item_bytes : sizeof(uint64_t)) != 0) return false;
  job->validity = nullptr;
  if (with_nulls) {
    if (n[kValidityOutput] >= request.output_count) return false;
    const PageOutput& bitmaps = request.outputs[n[kValidityOutput]];
    if (n[kValidityOffset] > bitmaps.byte_length || (n[kRowCount] + 7) / 8 > bitmaps.byte_length - n[kValidityOffset]) return false;
    job->validity = bitmaps.data + n[kValidityOffset];
  }
  job->byte_offset = n[kByteOffset];
  job->byte_length = static_cast<uint32_t>(n[kByteLength]);
  job->type_id = static_cast<unsigned>(n[kTypeId]);
  job->column = static_cast<unsigned>(n[kColumn]);
  job->row_count = static_cast<uint32_t>(n[kRowCount]);
  job->start = static_cast<uint32_t>(n[kStart]);
  job->end = static_cast<uint32_t>(n[kEnd]);
  job->has_dictionary = !is_items && n[kHasDictionary] == 1;
  return true;
}

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
bool CheckHeader(const Job& job, const uint8_t* header, uint32_t* stored_bytes, uint32_t* value_count) {
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
void WriteCodes(const Job& job, const NodeValues& values, const uint8_t* validity, double* results) {
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

bool WriteNumbers(const Job& job, const NodeValues& values, Arena* arena, double* results) {
  if (IsExactLine(values)) {
    std::memcpy(job.out, values.numbers, values.count * sizeof(uint32_t));
    results[kBase] = static_cast<double>(static_cast<int64_t>(values.base));
    results[kStep] = static_cast<double>(static_cast<int64_t>(values.step));
    results[kBelow] = static_cast<double>(values.below);
    results[kExponent] = values.kind == NodeValues::Kind::kDecimal ? static_cast<double>(values.exponent) : static_cast<double>(kIntegers);
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

bool WriteRows(const Job& job, const NodeValues& values, const uint8_t* validity, Arena* arena) {
  if (validity == nullptr) {
    WriteItems(values, job.start, job.end, job.type, job.out);
    return true;
  }
  const uint32_t first = CountOnes(validity, job.start);
  const uint32_t last = CountOnes(validity, job.end);
  uint8_t* items = arena->Take<uint8_t>(size_t{last - first} * job.type.bytes);
  if (items == nullptr) return false;
  WriteItems(values, first, last, job.type, items);
  SpreadItems(items, validity, job.start, job.end, job.type.bytes, job.out);
  return true;
}

// The body and what is in it; `page` lies at 4 bytes behind a multiple of 8, so that the body starts at one.
bool DecodeBody(const Job& job, const uint8_t* page, uint32_t stored_bytes, uint32_t value_count, Arena* arena, double* results) {
  const bool is_items = job.form == PageForm::kItems;
  if (value_count == 0) {
    if (stored_bytes != 0 || job.validity == nullptr) return false;
    if (is_items) std::memset(job.out, 0, size_t{job.end - job.start} * job.type.bytes);
    results[kExponent] = kPatterns;
    return true;
  }
  const bool has_nulls = value_count < job.row_count;
  const bool is_whole = !has_nulls && job.start == 0 && job.end == job.row_count;
  PageBody body = {page + kHeaderBytes, stored_bytes, job.type.bytes, job.has_dictionary ? kMaxPageRows : 0, nullptr, arena};
  if (job.type.bytes == 8 && (!is_items || is_whole)) body.root_words = reinterpret_cast<uint64_t*>(job.out);
  uint32_t start = 0;
  const uint8_t* validity = nullptr;
  if (has_nulls) {
    const Node whole = {0, 0, 0, stored_bytes, job.row_count, Domain::kIntegers, 1};
    Node child;
    const uint32_t octets = (job.row_count + 7) / 8;
    if (job.validity == nullptr || !ReadChild(body, whole, &start, octets, Domain::kIntegers, &child)) return false;
    validity = DecodeOctets(body, child);
    if (validity == nullptr || CountOnes(validity, job.row_count) != value_count) return false;
    std::memcpy(job.validity, validity, octets);
  }
  const uint8_t encoding = page[22];
  constexpr uint8_t kCodesEncoding = 10;
  // Of byte strings there are numbers only where they are codes.
  if (job.type.domain == Domain::kStrings && encoding != kCodesEncoding) return false;
  const Node root = {encoding, page[23], start, stored_bytes, value_count, job.type.domain, 1};
  NodeValues values;
  if (!DecodeNode(body, root, &values)) return false;
  if (is_items) return WriteRows(job, values, validity, arena);
  if (encoding != kCodesEncoding) return WriteNumbers(job, values, arena, results);
  WriteCodes(job, values, validity, results);
  return true;
}

bool DecodePage(const PagesRequest& request, const Job& job, Arena* arena, double* results) {
  if (job.byte_length < kHeaderBytes || job.byte_length > kMostPageBytes) return false;
  uint8_t* room = arena->Take<uint8_t>(size_t{job.byte_length} + 4);
  if (room == nullptr) return false;
  uint8_t* page = room + 4;
  const uint8_t* stored = request.file->data() + job.byte_offset;
  uint32_t stored_bytes;
  uint32_t value_count;
  std::memcpy(page, stored, kHeaderBytes);
  // What is not decoded here need not be copied.
  if (!CheckHeader(job, page, &stored_bytes, &value_count)) return false;
  std::memcpy(page + kHeaderBytes, stored + kHeaderBytes, job.byte_length - kHeaderBytes);
  if (request.verify_crc && Crc32(page + 4, kHeaderBytes - 4 + stored_bytes) != Load<uint32_t>(page)) return false;
  results[kValueCount] = value_count;
  return DecodeBody(job, page, stored_bytes, value_count, arena, results);
}

void CheckJobs(Piece* piece) {
  const auto& request = *static_cast<const PagesRequest*>(piece->context);
  for (size_t number = 0; number < request.count; ++number) {
    Job job;
    if (ReadJob(request, number, &job)) continue;
    piece->outcome.status = Status::kJobInvalid;
    piece->outcome.position = number;
    return;
  }
}

void DecodePiece(Piece* piece) {
  const auto& request = *static_cast<const PagesRequest*>(piece->context);
  Job job;
  if (!ReadJob(request, piece->number, &job)) {
    piece->outcome.status = Status::kInputChanged;
    piece->outcome.position = piece->number;
    return;
  }
  double* results = request.results + piece->number * kPageResultNumbers;
  Arena& arena = Arena::OfThread();
  bool decoded = false;
  // Once more where the working memory was too small.
  while (arena.Reset() && !(decoded = DecodePage(request, job, &arena, results)) && arena.TooSmall()) {
  }
  results[kIsDecoded] = decoded ? 1 : 0;
}

}  // namespace

Outcome RunDecodePages(const PagesRequest& request) {
  Outcome outcome;
  if (!request.file->StillWhole()) {
    outcome.status = Status::kFileChanged;
    return outcome;
  }
  GuardedRun run(*request.file, request.cancelled);
  PagesRequest context = request;
  outcome = run.Run(1, 1, CheckJobs, &context);
  if (!outcome.ok()) return outcome;
  double rows = 0;
  for (size_t number = 0; number < request.count; ++number) rows += request.jobs[number * kPageJobNumbers + kRowCount];
  return run.Run(request.count, ThreadsFor(rows * kNanosecondsPerRow, request.workers), DecodePiece, &context);
}

}  // namespace colkit
