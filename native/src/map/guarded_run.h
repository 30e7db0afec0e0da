// A kernel's work cut into pieces: each piece runs inside the fault guard, on the calling thread or on the pool's; the
// first failure in order of position wins, so the outcome does not depend on the number of threads.
#ifndef COLKIT_NATIVE_GUARDED_RUN_H_
#define COLKIT_NATIVE_GUARDED_RUN_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>

#include "map/mapping.h"
#include "platform/outcome.h"

namespace colkit {

// Rows that one batch of a kernel holds in its scratch memory: small enough for the second-level cache together with
// what it copies.
constexpr size_t kBatchRows = 16384;

// A thread's own working memory. `rows` holds 64-bit row numbers of a batch, or twice as many of 32 bits; a little
// more, for kernels that write a few too many.
struct Scratch {
  union {
    uint32_t rows32[2 * kBatchRows + 64];
    uint64_t rows64[kBatchRows + 64];
  };
  uint32_t segments[2 * kBatchRows];
};

// What a piece function gets; `outcome` is what it reports. It owns nothing (see fault_guard.h).
struct Piece {
  void* context;
  size_t number;
  Scratch* scratch;
  Outcome outcome;
};

class GuardedRun {
 public:
  GuardedRun(const MappedFile& file, const std::atomic<bool>* cancelled) : file_(file), cancelled_(cancelled) {}

  // Runs `kernel` once for each piece number in [0, pieces) on at most `threads` threads. Not reentrant.
  Outcome Run(size_t pieces, unsigned threads, void (*kernel)(Piece*), void* context);

 private:
  static void RunPiece(void* self, size_t number);
  void Fail(const Outcome& outcome);

  const MappedFile& file_;
  const std::atomic<bool>* cancelled_;
  void (*kernel_)(Piece*) = nullptr;
  void* context_ = nullptr;
  std::atomic<bool> failed_{false};
  std::mutex mutex_;
  Outcome first_failure_;
};

// How many threads are worth starting for work that takes one thread about `nanoseconds`; at most `workers`, or the
// process-wide setting where that is 0.
unsigned ThreadsFor(double nanoseconds, unsigned workers);

}  // namespace colkit

#endif  // COLKIT_NATIVE_GUARDED_RUN_H_
