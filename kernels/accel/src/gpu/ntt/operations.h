// Number theoretic transforms on a device.
#pragma once
#include <memory>

#include "core/operations/ntt.h"
#include "gpu/device/device.h"

namespace zka::gpu {

// Of a pass: its tile of as many elements takes 32 KiB of shared memory, of which every device has that for two blocks.
// Only tests take a smaller one.
inline constexpr unsigned NTT_LOG_ROWS_MAX = 10;

std::unique_ptr<NttOperations> ntt_operations(Device& device, unsigned log_rows_max = NTT_LOG_ROWS_MAX);

}  // namespace zka::gpu
