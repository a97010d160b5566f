// The entry of core/plugin.h.
#include "core/plugin.h"

#include <cstdio>
#include <new>

#include "gpu/backend.h"

namespace {

zka_status refuse(zka::PluginCall& call, zka_status status, const char* words) {
  std::snprintf(call.why, sizeof call.why, "%s", words);
  return status;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) zka_status zkaccel_plugin_open(zka::PluginCall* call) {
  if (call->version != zka::PLUGIN_VERSION) return refuse(*call, ZKA_E_UNSUPPORTED, "it is of another release");
  try {
    call->backend = zka::gpu::open_backend(call->config, call->host_memory);
    return ZKA_OK;
  } catch (const zka::Failure& failure) {
    return refuse(*call, failure.status(), failure.what());
  } catch (const std::bad_alloc&) {
    return refuse(*call, ZKA_E_OOM_HOST, "no memory");
  } catch (const std::exception& error) {
    return refuse(*call, ZKA_E_INTERNAL, error.what());
  }
}
