// What a multi-scalar multiplication takes of a device's memory while it is under way.
#pragma once
#include "ec/xyzz.h"
#include "gpu/device/array.h"
#include "gpu/msm/plan.h"

namespace zka::gpu {

template <class F>
struct MsmScratch {
  MsmScratch(DeviceQueue& queue, const MsmPlan& plan)
      : parts(queue, plan.columns * plan.terms() * plan.split.limbs()),
        counters(queue, counters_of(plan)),
        places(queue, 3 * plan.buckets() + plan.slots()),
        digits(queue, plan.slots() * plan.terms()),
        entries(queue, plan.slots() * plan.terms()),
        item_sums(queue, plan.items()),
        bucket_sums(queue, plan.buckets()),
        segment_sums(queue, plan.segments()),
        block_sums(queue, plan.segment_blocks()),
        window_sums(queue, plan.columns * uint64_t{plan.windows_each()}),
        results(queue, plan.columns) {}

  static uint64_t bytes(const MsmPlan& plan) {
    return DeviceArray<uint64_t>::bytes(plan.columns * plan.terms() * plan.split.limbs()) +
           DeviceArray<uint32_t>::bytes(counters_of(plan)) +
           DeviceArray<uint32_t>::bytes(3 * plan.buckets() + plan.slots()) +
           2 * DeviceArray<uint32_t>::bytes(plan.slots() * plan.terms()) + DeviceArray<Xyzz<F>>::bytes(plan.items()) +
           DeviceArray<Xyzz<F>>::bytes(plan.buckets()) + DeviceArray<Xyzz<F>>::bytes(plan.segments()) +
           DeviceArray<Xyzz<F>>::bytes(plan.segment_blocks()) +
           DeviceArray<Xyzz<F>>::bytes(plan.columns * uint64_t{plan.windows_each()}) +
           DeviceArray<zka_jacobian>::bytes(plan.columns);
  }

  // Those that count from zero.
  static uint64_t counters_of(const MsmPlan& plan) {
    return plan.buckets() + plan.slots() + (uint64_t{1} << plan.log_item);
  }

  DeviceArray<uint64_t> parts;
  DeviceArray<uint32_t> counters, places, digits, entries;
  DeviceArray<Xyzz<F>> item_sums, bucket_sums, segment_sums, block_sums, window_sums;
  DeviceArray<zka_jacobian> results;
};

}  // namespace zka::gpu
