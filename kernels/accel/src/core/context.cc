#include "core/context.h"

#include "core/json.h"
#include "core/plugin.h"
#include "cpu/backend.h"

namespace zka {
namespace {

constexpr unsigned THREADS_MAX = 1024;

void check(const zka_config& config) {
  const auto refuse = [](const std::string& words) { throw Failure(ZKA_E_INVALID_ARG, words); };
  if (config.abi_version != ZKA_ABI_VERSION) {
    refuse("config.abi_version is " + std::to_string(config.abi_version) + ", and this library's is " +
           std::to_string(ZKA_ABI_VERSION));
  }
  if (config.backend > ZKA_BACKEND_CUDA) refuse("config.backend is " + std::to_string(config.backend));
  if (config.isa > ZKA_ISA_IFMA) refuse("config.isa is " + std::to_string(config.isa));
  if (config.threads > THREADS_MAX) refuse("config.threads is above " + std::to_string(THREADS_MAX));
  if (config.reserved != 0) refuse("config.reserved is not 0");
}

}  // namespace

zka_ctx* Context::create(const zka_config& config) {
  auto context = std::make_shared<Context>(config);
  zka_ctx* handle = Handles::all().add(context, nullptr);
  context->handle_ = handle;
  return handle;
}

Context::Context(const zka_config& config) : memory_((check(config), config.host_bytes_max)) {
  if (config.backend != ZKA_BACKEND_CPU) {
    try {
      backend_ = open_plugin(plugin_path(), config, memory_);
    } catch (const Failure& failure) {
      if (config.backend == ZKA_BACKEND_CUDA) throw;
      fell_back_ = failure.what();
    }
  }
  if (!backend_) backend_ = cpu::open_backend(config, memory_);
}

Context::~Context() = default;

std::string Context::info_json() const {
  const BackendInfo info = backend_->info();
  const zka_memory used = memory_used();
  std::string json = "{\"backend\":" + json_string(info.backend) + ",\"isa\":" + json_string(info.isa) +
                     ",\"threads\":" + std::to_string(info.threads) + ",\"name\":" + json_string(info.name) +
                     ",\"memory\":{\"host_bytes\":" + std::to_string(used.host_bytes) +
                     ",\"device_bytes\":" + std::to_string(used.device_bytes) +
                     ",\"host_bytes_max\":" + std::to_string(memory_.bytes_max()) +
                     ",\"device_bytes_max\":" + std::to_string(backend_->device_bytes_max()) + "}";
  if (!fell_back_.empty()) json += ",\"fell_back\":" + json_string(fell_back_);
  return json + "}";
}

zka_memory Context::memory_used() const noexcept {
  return {memory_.bytes(), memory_.bytes_peak(), backend_->device_bytes(), backend_->device_bytes_peak()};
}

void* Context::allocate_host(size_t bytes) {
  auto storage = backend_->buffers->allocate_host(bytes);
  void* memory = storage->data();
  const std::lock_guard lock(host_mutex_);
  host_.emplace(memory, std::move(storage));
  return memory;
}

void Context::free_host(void* memory) noexcept {
  const std::lock_guard lock(host_mutex_);
  host_.erase(memory);
}

}  // namespace zka
