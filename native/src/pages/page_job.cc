// See page_job.h.
#include "pages/page_job.h"

#include "pages/column_select.h"
#include "pages/folds/float_folds.h"
#include "pages/number_kernels.h"
#include "platform/whole_number.h"

namespace colkit {
namespace {

// The outputs are numbered from 0; null where [byte_offset, byte_offset + byte_length) is not in one.
uint8_t* DestinationIn(const PagesRequest& request, uint64_t output, uint64_t byte_offset, uint64_t byte_length) {
  if (output >= request.output_count) return nullptr;
  const PageOutput& bytes = request.outputs[output];
  return byte_offset > bytes.byte_length || byte_length > bytes.byte_length - byte_offset ? nullptr
                                                                                          : bytes.data + byte_offset;
}

// Bytes that a job writes, and what their start is a multiple of.
void OutputOf(const PageJob& job, uint64_t* bytes, uint64_t* alignment) {
  const uint64_t rows = job.end - job.start;
  *alignment = sizeof(uint64_t);
  switch (job.form) {
    case PageForm::kItems:
      *alignment = job.entry_type.bytes;
      *bytes = uint64_t{job.follows ? job.room : ItemsOf(job)} * job.entry_type.bytes;
      break;
    case PageForm::kNumbers:
      *bytes = uint64_t{job.listed > 0 ? job.listed : job.row_count} * NumberBytes(job.type);
      break;
    case PageForm::kSelect:
      *bytes = job.follows ? 0 : rows * sizeof(uint32_t);
      break;
    case PageForm::kGroups:
      *bytes = uint64_t{job.code_count} * kGroupBytes;
      break;
    case PageForm::kFolds:
      *bytes = uint64_t{job.code_count} * kFoldBytes;
      break;
    case PageForm::kTexts:
      *bytes = job.room;
      break;
  }
}

// An interval, or a list in a power of two of slots.
bool IsTestOfNumbers(uint32_t bytes) {
  constexpr uint32_t kWord = sizeof(uint64_t);
  if (bytes == sizeof(IntervalTest)) return true;
  const uint32_t slots = bytes < kListHeadBytes ? 0 : (bytes - kListHeadBytes) / kWord;
  return slots > 0 && bytes % kWord == 0 && (slots & (slots - 1)) == 0;
}

}  // namespace

bool ReadPageJob(const PagesRequest& request, size_t number, PageJob* job) {
  uint64_t n[kPageJobNumbers] = {};
  const double* numbers = request.jobs + number * kPageJobNumbers;
  job->with_nulls = !(numbers[kJobValidityOutput] < 0);
  for (size_t i = 0; i < kPageJobNumbers; ++i) {
    if (i == kJobValidityOutput && !job->with_nulls) continue;
    if (!ToWholeNumber(numbers[i], uint64_t{1} << 53, &n[i])) return false;
  }
  const uint64_t file_bytes = request.file->size();
  if (n[kJobByteOffset] > file_bytes || n[kJobByteLength] > file_bytes - n[kJobByteOffset] ||
      n[kJobByteLength] > UINT32_MAX)
    return false;
  if (n[kJobRowCount] < 1 || n[kJobRowCount] > kMaxPageRows || n[kJobStart] > n[kJobEnd] ||
      n[kJobEnd] > n[kJobRowCount] || n[kJobHasDictionary] > 1 || n[kJobCodesOnly] > 1 || n[kJobFollows] > 1 ||
      n[kJobWanted] > kWantsMoments || n[kJobEntryNulls] > 1)
    return false;
  if (n[kJobForm] >= kPageForms || n[kJobTypeId] > 255 || !ItemTypeOf(static_cast<unsigned>(n[kJobTypeId]), &job->type))
    return false;
  job->form = static_cast<PageForm>(n[kJobForm]);
  job->byte_offset = n[kJobByteOffset];
  job->byte_length = static_cast<uint32_t>(n[kJobByteLength]);
  job->type_id = static_cast<unsigned>(n[kJobTypeId]);
  job->column = static_cast<unsigned>(n[kJobColumn]);
  job->row_count = static_cast<uint32_t>(n[kJobRowCount]);
  job->start = static_cast<uint32_t>(n[kJobStart]);
  job->end = static_cast<uint32_t>(n[kJobEnd]);
  job->follows = n[kJobFollows] == 1;
  const bool selects = job->form == PageForm::kSelect;
  const bool groups = job->form == PageForm::kGroups;
  const bool by_code = groups || job->form == PageForm::kFolds;
  const bool looks_up = by_code || (job->form == PageForm::kItems && !job->follows);
  const bool may_be_codes = job->form == PageForm::kNumbers || selects || by_code || looks_up;
  job->has_dictionary = may_be_codes && n[kJobHasDictionary] == 1;
  job->codes_only = n[kJobCodesOnly] == 1;
  job->wanted = static_cast<unsigned>(n[kJobWanted]);
  job->code_count = 0;
  if (by_code) {
    if (n[kJobTestLength] < 1 || n[kJobTestLength] > kMostGroups) return false;
    job->code_count = static_cast<uint32_t>(n[kJobTestLength]);
  }
  job->entries = nullptr;
  job->entry_count = 0;
  job->entry_validity = nullptr;
  job->entry_type = job->type;
  if (looks_up && n[kJobEntryCount] > 0) {
    if (n[kJobEntryCount] > kMaxDictionaryEntries || n[kJobEntryTypeId] > 255 ||
        !ItemTypeOf(static_cast<unsigned>(n[kJobEntryTypeId]), &job->entry_type))
      return false;
    job->entry_count = static_cast<uint32_t>(n[kJobEntryCount]);
    const uint64_t bytes = uint64_t{job->entry_count} * sizeof(uint64_t);
    const bool with_bits = job->form == PageForm::kItems && n[kJobEntryNulls] == 1;
    job->entries = DestinationIn(request, n[kJobEntriesOutput], n[kJobEntriesOffset],
                                 bytes + (with_bits ? (job->entry_count + 7) / 8 : 0));
    if (job->entries == nullptr || (with_bits && !job->with_nulls)) return false;
    if (with_bits) job->entry_validity = job->entries + bytes;
  }
  job->ranges = nullptr;
  job->range_count = 0;
  if (groups && n[kJobRangeCount] > 0) {
    if (n[kJobRangeCount] > kMostRanges || job->has_dictionary || job->type.domain != Domain::kIntegers ||
        n[kJobRangesOffset] % sizeof(uint64_t) != 0)
      return false;
    job->range_count = static_cast<uint32_t>(n[kJobRangeCount]);
    job->ranges = DestinationIn(request, n[kJobRangesOutput], n[kJobRangesOffset],
                                kRangesHeadBytes + uint64_t{job->range_count} * sizeof(uint32_t));
    if (job->ranges == nullptr) return false;
  }
  job->room = 0;
  if (job->form == PageForm::kItems && job->follows) {
    if (n[kJobTestLength] > kMaxPageRows) return false;
    job->room = static_cast<uint32_t>(n[kJobTestLength]);
  }
  if (job->form == PageForm::kTexts) {
    if (n[kJobTestLength] > UINT32_MAX || job->type.domain != Domain::kStrings) return false;
    job->room = static_cast<uint32_t>(n[kJobTestLength]);
  }
  job->test = nullptr;
  job->test_bytes = 0;
  job->listed = 0;
  const bool lists = !selects && !job->follows;
  if ((lists || by_code) && n[kJobListed] > 0) {
    const bool picks = job->form == PageForm::kItems || job->form == PageForm::kNumbers;
    if (n[kJobListed] > (picks ? kMaxPageRows : job->end - job->start)) return false;
    job->listed = static_cast<uint32_t>(n[kJobListed]);
    job->test_bytes = static_cast<uint32_t>(n[kJobListed] * sizeof(uint32_t));
    job->test = DestinationIn(request, n[kJobTestOutput], n[kJobTestOffset], job->test_bytes);
    if (job->test == nullptr) return false;
  }
  uint64_t out_bytes;
  uint64_t alignment;
  OutputOf(*job, &out_bytes, &alignment);
  job->out = DestinationIn(request, n[kJobOutput], n[kJobOutputOffset], out_bytes);
  if (job->out == nullptr || alignment == 0 || reinterpret_cast<uintptr_t>(job->out) % alignment != 0) return false;
  job->validity = nullptr;
  if (job->with_nulls && !selects && !by_code) {
    const uint64_t bits = job->follows ? job->room : TellsListed(*job) ? job->listed : job->row_count;
    job->validity = DestinationIn(request, n[kJobValidityOutput], n[kJobValidityOffset], (bits + 7) / 8);
    if (job->validity == nullptr) return false;
  }
  if (selects) {
    job->test = n[kJobTestLength] > UINT32_MAX
                    ? nullptr
                    : DestinationIn(request, n[kJobTestOutput], n[kJobTestOffset], n[kJobTestLength]);
    if (job->test == nullptr) return false;
    job->test_bytes = static_cast<uint32_t>(n[kJobTestLength]);
    const bool is_of_numbers = !job->has_dictionary && job->type.domain != Domain::kStrings;
    if (is_of_numbers && job->wanted == kWantsValues && !IsTestOfNumbers(job->test_bytes)) return false;
  }
  return true;
}

bool MayFollow(const PageJob& job, const PageJob& before) {
  if (!job.follows) return true;
  if (job.row_count != before.row_count || job.start != before.start || job.end != before.end) return false;
  switch (job.form) {
    case PageForm::kSelect:
      return before.form == PageForm::kSelect;
    case PageForm::kItems:
      return before.form == PageForm::kSelect || (before.form == PageForm::kItems && before.follows);
    case PageForm::kGroups:
      return before.form == PageForm::kSelect || before.form == PageForm::kGroups;
    case PageForm::kFolds:
      return before.form == PageForm::kSelect || before.form == PageForm::kGroups || before.form == PageForm::kFolds;
    default:
      return false;
  }
}

}  // namespace colkit
