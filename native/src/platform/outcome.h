// What a kernel run ended with, as a plain value: kernels throw nothing, the bindings turn this into JavaScript errors.
#ifndef COLKIT_NATIVE_OUTCOME_H_
#define COLKIT_NATIVE_OUTCOME_H_

#include <cstdint>

namespace colkit {

enum class Status : uint8_t {
  kOk,
  kIndexOutOfRange,  // value, position, length
  kNotAnInteger,     // value, position
  kMaskCount,        // value: bytes that are set; length: how many the caller announced
  kRangeInvalid,     // position: which byte range; it leaves the mapping or the output
  kJobInvalid,       // position: which page; it leaves the mapping or its output, or is no page
  kInputChanged,     // another thread changed the index or mask array while the kernel ran
  kFileChanged,      // the file is shorter than when it was mapped, or was replaced under us
  kReadFailed,       // the system could not bring a page
  kCancelled,        // the environment is being torn down
  kOutOfMemory,
};

struct Outcome {
  Status status = Status::kOk;
  double value = 0;
  uint64_t position = 0;
  uint64_t length = 0;

  bool ok() const { return status == Status::kOk; }
};

}  // namespace colkit

#endif  // COLKIT_NATIVE_OUTCOME_H_
