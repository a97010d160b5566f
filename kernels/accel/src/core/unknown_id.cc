#include "core/unknown_id.h"

#include <string>

#include "core/failure.h"

namespace zka {

void refuse_id(const char* what, uint32_t id) {
  throw Failure(ZKA_E_INVALID_ARG, std::string(what) + " is " + std::to_string(static_cast<int32_t>(id)));
}

}  // namespace zka
