// What computes: the CPU, or a plug-in that is loaded at run time. A backend is a set of operations, one class a module;
// a module that it has not is null, and calls of it are ZKA_E_UNSUPPORTED. All arguments have been checked when an
// operation is called, `zka_fe*` is memory of the backend unless said otherwise, and what goes wrong is thrown as Failure.
#pragma once
#include <cstdint>
#include <memory>
#include <string>

#include "core/job.h"
#include "core/operations/buffers.h"
#include "core/operations/lookup.h"
#include "core/operations/msm.h"
#include "core/operations/ntt.h"
#include "core/operations/polynomial.h"
#include "core/operations/products.h"
#include "core/operations/quotient.h"
#include "core/operations/vectors.h"

namespace zka {

// What zka_device_info says of a backend.
struct BackendInfo {
  std::string backend, isa, name;
  unsigned threads = 0;
};

class Backend {
 public:
  virtual ~Backend() = default;

  virtual BackendInfo info() const = 0;
  // Bytes on the device: now and the most ever. 0 where the host's memory is all there is.
  virtual uint64_t device_bytes() const noexcept { return 0; }
  virtual uint64_t device_bytes_peak() const noexcept { return 0; }
  // What it may take there at most.
  virtual uint64_t device_bytes_max() const noexcept { return 0; }
  // For one stream; what is queued looks at `cancel`, which outlives it.
  virtual std::unique_ptr<Queue> queue(const Cancel& cancel) = 0;

  std::unique_ptr<BufferOperations> buffers;
  std::unique_ptr<VectorOperations> vectors;
  std::unique_ptr<ProductOperations> products;
  std::unique_ptr<MsmOperations> msm;
  std::unique_ptr<NttOperations> ntt;
  std::unique_ptr<QuotientOperations> quotient;
  std::unique_ptr<PolynomialOperations> polynomial;
  std::unique_ptr<LookupOperations> lookup;
};

}  // namespace zka
