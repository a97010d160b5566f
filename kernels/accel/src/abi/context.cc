#include "zkaccel/context.h"

#include <cstring>

#include "abi/call.h"

using namespace zka;
using abi::Call;
using abi::find;
using abi::guard;
using abi::need;

uint32_t zka_abi_version(void) { return ZKA_ABI_VERSION; }

zka_status zka_ctx_create(const zka_config* config, zka_ctx** out) {
  return guard([&] {
    abi::need_out(out);
    *out = Context::create(*need(config, "config"));
  });
}

void zka_ctx_destroy(zka_ctx* ctx) { Handles::all().remove<Context>(ctx); }

const char* zka_last_error(const zka_ctx* ctx) { return last_error::of(reinterpret_cast<uintptr_t>(ctx)); }

zka_status zka_device_info(const zka_ctx* ctx, char* json, size_t cap_bytes, size_t* needed) {
  return guard([&] {
    const std::string info = find<Context>(ctx, "ctx")->info_json();
    *need(needed, "need") = info.size() + 1;
    if (cap_bytes < info.size() + 1) {
      throw Failure(ZKA_E_SIZE, "the description takes " + std::to_string(info.size() + 1) + " bytes");
    }
    std::memcpy(need(json, "json"), info.c_str(), info.size() + 1);
  });
}

zka_status zka_memory_used(const zka_ctx* ctx, zka_memory* out) {
  return guard([&] { *need(out, "out") = find<Context>(ctx, "ctx")->memory_used(); });
}

zka_status zka_stream_create(zka_ctx* ctx, zka_stream** out) {
  return guard([&] {
    abi::need_out(out);
    const Call call(ctx);
    *out = call.hand_out(std::make_shared<Stream>(call.shared_context()));
  });
}

zka_status zka_stream_sync(zka_stream* stream) {
  return guard([&] { find<Stream>(stream, "stream")->sync(); });
}

zka_status zka_stream_cancel(zka_stream* stream) {
  return guard([&] { find<Stream>(stream, "stream")->cancel(); });
}

void zka_stream_destroy(zka_stream* stream) {
  guard([&] {
    if (stream != nullptr) find<Stream>(stream, "stream")->sync();
  });
  Handles::all().remove<Stream>(stream);
}
