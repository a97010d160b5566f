// A plug-in for a machine without a GPU, and for one whose driver is too old; or one that is broken: by the device's number.
#include <cstdio>

#include "core/plugin.h"

namespace {

struct Response {
  int status;
  const char* why;
};
constexpr Response RESPONSES[] = {{ZKA_E_NO_DEVICE, "there is no GPU"}, {ZKA_E_DRIVER, "the driver is too old"}, {ZKA_OK, ""},
                              {-12345, "a number"}};

}  // namespace

extern "C" __attribute__((visibility("default"))) int zkaccel_plugin_open(zka::PluginCall* call) {
  const Response& response = RESPONSES[call->config.device];
  std::snprintf(call->why, sizeof call->why, "version %u: %s", call->version, response.why);
  return response.status;
}
