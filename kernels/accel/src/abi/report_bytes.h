// The memory that a call would take, reported to the caller.
#pragma once
#include "abi/guard.h"
#include "core/operations/queue.h"

namespace zka::abi {

inline void report_bytes(const Bytes& bytes, uint64_t* host_bytes, uint64_t* device_bytes) {
  need(host_bytes, "host_bytes");
  need(device_bytes, "device_bytes");
  *host_bytes = bytes.host;
  *device_bytes = bytes.device;
}

}  // namespace zka::abi
