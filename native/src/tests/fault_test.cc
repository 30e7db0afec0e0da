// The guard against pages that are gone: files truncated before and during a gather, nested guards, the handler that
// was there before, and threads.
#if defined(_WIN32)
int main() {}
#else

#include <algorithm>
#include <csignal>
#include <cstring>
#include <thread>

#include <sys/wait.h>
#if defined(__linux__)
#include <sched.h>
#endif

#include "map/fault_guard.h"
#include "gather/gather.h"
#include "map/guarded_run.h"
#include "tests/test_support.h"
#include "platform/cpu.h"
#include "platform/thread_pool.h"

namespace colkit {
namespace {

constexpr size_t kFileBytes = size_t{8} << 20;

void Touch(void* context) {
  const auto* file = static_cast<const MappedFile*>(context);
  volatile uint8_t sum = 0;
  for (uint64_t at = 0; at < file->size(); at += 512) sum = static_cast<uint8_t>(sum + file->data()[at]);
}

void TestGuard() {
  const TemporaryFile on_disk(std::vector<uint8_t>(kFileBytes, 1));
  const auto file = on_disk.Map();
  CHECK(RunGuarded(Touch, file.get()));
  CHECK(file->StillWhole() && !file->WasModified());
  CHECK(truncate(on_disk.path().c_str(), 4096) == 0);
  CHECK(!file->StillWhole() && file->WasModified());
  for (int i = 0; i < 100; ++i) CHECK(!RunGuarded(Touch, file.get()));
  // The inner guard takes the fault, the outer one goes on.
  struct Nested {
    const MappedFile* file;
    bool inner;
    bool after;
  } nested = {file.get(), true, false};
  CHECK(RunGuarded(
      [](void* context) {
        auto* own = static_cast<Nested*>(context);
        own->inner = RunGuarded(Touch, const_cast<MappedFile*>(own->file));
        own->after = true;
      },
      &nested));
  CHECK(!nested.inner && nested.after);
}

// After some checks a byte is looked at in place of the size: whatever is cut off is noticed as before, unless it is
// less than a page of zeros.
void TestShorterByAnything() {
  for (const size_t zeros : {size_t{0}, size_t{7}, size_t{5000}}) {
    std::vector<uint8_t> bytes(kFileBytes, 1);
    std::fill(bytes.end() - static_cast<std::ptrdiff_t>(zeros), bytes.end(), uint8_t{0});
    for (const size_t cut : {size_t{1}, size_t{4095}, size_t{4096}, size_t{6000}, kFileBytes}) {
      const TemporaryFile on_disk(bytes);
      const auto file = on_disk.Map();
      for (int i = 0; i < 20; ++i) CHECK(file->StillWhole());
      CHECK(truncate(on_disk.path().c_str(), static_cast<off_t>(kFileBytes - cut)) == 0);
      CHECK(file->StillWhole() == (cut <= zeros && zeros < 4096));
      // What changed but is long enough is read as it is.
      CHECK(truncate(on_disk.path().c_str(), static_cast<off_t>(kFileBytes)) == 0);
      CHECK(file->StillWhole());
    }
  }
}

// While one thread gathers again and again, another takes the end of the file away and puts it back. Every gather ends,
// with its bytes or with an error.
void TestTruncationDuringGather(unsigned workers) {
  const TableFixture table({1000000}, {8}, 9);
  const TemporaryFile on_disk(table.bytes);
  const auto file = on_disk.Map();
  std::string error;
  const auto segments = table.Make(&error);
  std::vector<uint32_t> indices(200000);
  Random random(3);
  for (uint32_t& index : indices) index = static_cast<uint32_t>(random.Below(1000000));
  std::vector<uint64_t> out(indices.size());
  const ColumnTarget target = {0, reinterpret_cast<uint8_t*>(out.data()), 8};
  GatherRequest request = {file.get(), segments.get(), RowSource(), &target, 1, workers, nullptr};
  request.rows.kind = RowKind::kIndices;
  request.rows.count = indices.size();
  request.rows.indices = {IndexType::kUint32, indices.data()};
  CHECK(RunGather(request).ok());
  std::atomic<bool> stop{false};
  std::thread other([&] {
    while (!stop.load()) {
      CHECK(truncate(on_disk.path().c_str(), 4096) == 0);
      CHECK(truncate(on_disk.path().c_str(), static_cast<off_t>(table.bytes.size())) == 0);
    }
  });
  int failed = 0;
  for (int i = 0; i < 300; ++i) {
    const Outcome outcome = RunGather(request);
    CHECK(outcome.ok() || outcome.status == Status::kFileChanged);
    failed += outcome.ok() ? 0 : 1;
  }
  stop.store(true);
  other.join();
  CHECK(failed > 0);
}

// In a child process: a fault outside every guard reaches the handler that was installed before ours, or the system's
// own.
void TestPassOn(bool with_handler) {
  const pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0) {
    struct sigaction action = {};
    action.sa_handler = with_handler ? [](int) { _exit(42); } : SIG_DFL;
    sigaction(SIGBUS, &action, nullptr);
    const TemporaryFile on_disk(std::vector<uint8_t>(kFileBytes, 1));
    const auto file = on_disk.Map();
    if (truncate(on_disk.path().c_str(), 0) != 0) _exit(1);
    unlink(on_disk.path().c_str());
    Touch(file.get());
    _exit(0);
  }
  int status = 0;
  CHECK(waitpid(child, &status, 0) == child);
  if (with_handler) {
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 42);
  } else {
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGBUS);
  }
}

void TestParallelFor() {
  for (const unsigned threads : {1u, 2u, 3u, 8u}) {
    for (const size_t pieces : {0, 1, 2, 7, 1000}) {
      std::vector<std::atomic<int> > seen(pieces);
      ThreadPool::Instance().ParallelFor(
          pieces, threads,
          [](void* context, size_t piece) { ++(*static_cast<std::vector<std::atomic<int> >*>(context))[piece]; },
          &seen);
      for (const auto& times : seen) CHECK(times.load() == 1);
    }
  }
  std::atomic<int> jobs{0};
  for (int i = 0; i < 50; ++i)
    CHECK(ThreadPool::Instance().Submit([](void* context) { ++*static_cast<std::atomic<int>*>(context); }, &jobs));
  while (jobs.load() < 50) std::this_thread::yield();
  CHECK(ThreadsFor(1000, 0) == 1 && ThreadsFor(1e9, 3) == 3 && ThreadsFor(250000, 8) == 2);
}

// A thread keeps every core of the process but one, and that too where it is the only one; and gets back the one that
// it was kept off before.
void TestKeepOffCore() {
#if defined(__linux__)
  cpu_set_t allowed;
  CHECK(sched_getaffinity(0, sizeof(allowed), &allowed) == 0);
  const int cores = CPU_COUNT(&allowed);
  std::thread([&] {
    cpu_set_t set;
    for (int core = 0; core < CPU_SETSIZE; ++core) {
      if (!CPU_ISSET(core, &allowed)) continue;
      KeepOffCore(CurrentThread(), core);
      CHECK(sched_getaffinity(0, sizeof(set), &set) == 0);
      CHECK(CPU_COUNT(&set) == (cores > 1 ? cores - 1 : 1) && (cores == 1 || !CPU_ISSET(core, &set)));
      CHECK(cores == 1 || CurrentCore() != core);
    }
    KeepOffCore(CurrentThread(), -1);
    CHECK(sched_getaffinity(0, sizeof(set), &set) == 0 && CPU_EQUAL(&set, &allowed));
  }).join();
  const int core = CurrentCore();
  CHECK(core >= 0 && CPU_ISSET(core, &allowed));
  cpu_set_t one, set;
  CPU_ZERO(&one);
  CPU_SET(core, &one);
  CHECK(sched_setaffinity(0, sizeof(one), &one) == 0);
  KeepOffCore(CurrentThread(), core);
  CHECK(sched_getaffinity(0, sizeof(set), &set) == 0 && CPU_EQUAL(&set, &one));
  CHECK(sched_setaffinity(0, sizeof(allowed), &allowed) == 0);
#endif
}

}  // namespace
}  // namespace colkit

int main() {
#if !defined(__SANITIZE_ADDRESS__)
  // Before anything maps a file: the first mapping installs our handler. (AddressSanitizer brings a handler of its
  // own.)
  colkit::TestPassOn(true);
  colkit::TestPassOn(false);
#endif
  colkit::TestGuard();
  colkit::TestShorterByAnything();
  colkit::TestTruncationDuringGather(1);
  colkit::TestTruncationDuringGather(4);
  colkit::TestParallelFor();
  colkit::TestKeepOffCore();
}

#endif
