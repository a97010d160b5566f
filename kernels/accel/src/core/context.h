// A context: its memory, its backend, and how operations run in it.
#pragma once
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "core/backend.h"
#include "core/handles.h"
#include "core/memory.h"
#include "zkaccel/context.h"

namespace zka {

class Context : public Object {
 public:
  using Handle = zka_ctx;
  static constexpr const char* NAME = "context";

  // Throws Failure INVALID_ARG, UNSUPPORTED, NO_DEVICE, DRIVER, OOM_*.
  static zka_ctx* create(const zka_config& config);
  explicit Context(const zka_config& config);
  ~Context() override;

  const zka_ctx* handle() const noexcept { return handle_; }
  Memory& memory() noexcept { return memory_; }
  Backend& backend() noexcept { return *backend_; }
  std::string info_json() const;
  zka_memory memory_used() const noexcept;

  // Memory that the caller gets as it is, and frees by its address.
  void* allocate_host(size_t bytes);
  void free_host(void* memory) noexcept;

 private:
  const zka_ctx* handle_ = nullptr;
  Memory memory_;
  std::string fell_back_;  // why AUTO took the CPU; empty: it did not
  std::unique_ptr<Backend> backend_;
  std::mutex host_mutex_;
  std::map<void*, std::unique_ptr<Storage>> host_;
};

}  // namespace zka
