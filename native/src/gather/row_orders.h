// Which of two orders to copy scattered rows in. One spares waits for page tables, the other the putting in order, and
// which is dearer depends on the processor, its host and how the file lies in memory: so both are timed.
#ifndef COLKIT_NATIVE_ROW_ORDERS_H_
#define COLKIT_NATIVE_ROW_ORDERS_H_

#include <atomic>
#include <cstdint>

namespace colkit {

// Of one opened table. Threads may overwrite what others told: it is a choice of speed and never of results.
class RowOrders {
 public:
  enum Order : unsigned { kAsAsked, kBySegment };

  // The order of the next batch: each in turn at first, then the faster one, and the other now and then.
  Order Next() {
    const uint32_t batch = batches_.fetch_add(1, std::memory_order_relaxed);
    const Order faster = Pace(kBySegment) < Pace(kAsAsked) ? kBySegment : kAsAsked;
    if (batch < kFirstBatches) return batch % 2 == 0 ? kAsAsked : kBySegment;
    return batch % kBatchesBetween != 0 ? faster : faster == kAsAsked ? kBySegment : kAsAsked;
  }

  void Took(Order order, float nanoseconds_per_item) {
    // The very first ones wait for the system, which has not looked at most pages yet.
    if (batches_.load(std::memory_order_relaxed) <= kColdBatches) return;
    const float before = Pace(order);
    // A thread that was interrupted says nothing about the order: what is slower counts less, and not beyond a bound.
    if (before != 0 && nanoseconds_per_item > kInterrupted * before) nanoseconds_per_item = kInterrupted * before;
    const float share = before == 0 ? 1 : nanoseconds_per_item < before ? kShareOfFaster : kShareOfSlower;
    paces_[order].store(before + share * (nanoseconds_per_item - before), std::memory_order_relaxed);
  }

 private:
  static constexpr uint32_t kColdBatches = 2;
  static constexpr uint32_t kFirstBatches = 8;
  static constexpr uint32_t kBatchesBetween = 16;
  static constexpr float kInterrupted = 2;
  static constexpr float kShareOfFaster = 0.5f;
  static constexpr float kShareOfSlower = 0.25f;

  float Pace(Order order) const { return paces_[order].load(std::memory_order_relaxed); }

  std::atomic<uint32_t> batches_{0};
  std::atomic<float> paces_[2] = {{0}, {0}};
};

}  // namespace colkit

#endif  // COLKIT_NATIVE_ROW_ORDERS_H_
