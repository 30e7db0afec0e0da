// See guarded_run.h.
#include "map/guarded_run.h"

#include <memory>

#include "map/fault_guard.h"
#include "platform/thread_pool.h"

namespace colkit {
namespace {

// Waking a helper takes 20 to 50 us; a helper that does less than this is not worth it.
constexpr double kNanosecondsPerThread = 100000;

Scratch* ThreadScratch() {
  thread_local std::unique_ptr<Scratch> scratch(new Scratch);
  return scratch.get();
}

struct GuardedPiece {
  void (*kernel)(Piece*);
  Piece* piece;
};

void CallKernel(void* context) {
  auto* call = static_cast<GuardedPiece*>(context);
  call->kernel(call->piece);
}

}  // namespace

Outcome GuardedRun::Run(size_t pieces, unsigned threads, void (*kernel)(Piece*), void* context) {
  kernel_ = kernel;
  context_ = context;
  ThreadPool::Instance().ParallelFor(pieces, threads, RunPiece, this);
  return first_failure_;
}

void GuardedRun::RunPiece(void* self, size_t number) {
  auto* run = static_cast<GuardedRun*>(self);
  // Pieces are claimed in ascending order: those before a failed one have begun already, so the first failure is the
  // same whatever the number of threads.
  if (run->failed_.load(std::memory_order_relaxed)) return;
  Piece piece = {run->context_, number, ThreadScratch(), Outcome()};
  GuardedPiece call = {run->kernel_, &piece};
  if (run->cancelled_ != nullptr && run->cancelled_->load(std::memory_order_relaxed)) {
    piece.outcome.status = Status::kCancelled;
  } else if (!RunGuarded(CallKernel, &call)) {
    piece.outcome = Outcome();
    piece.outcome.status = run->file_.WasModified() ? Status::kFileChanged : Status::kReadFailed;
  }
  if (!piece.outcome.ok()) run->Fail(piece.outcome);
}

void GuardedRun::Fail(const Outcome& outcome) {
  std::lock_guard<std::mutex> lock(mutex_);
  failed_.store(true, std::memory_order_relaxed);
  if (first_failure_.ok() || outcome.position < first_failure_.position) first_failure_ = outcome;
}

unsigned ThreadsFor(double nanoseconds, unsigned workers) {
  if (nanoseconds < 2 * kNanosecondsPerThread) return 1;
  if (workers == 0) workers = ThreadPool::Instance().max_workers();
  const double worth = nanoseconds / kNanosecondsPerThread;
  return worth < workers ? static_cast<unsigned>(worth) : workers;
}

}  // namespace colkit
