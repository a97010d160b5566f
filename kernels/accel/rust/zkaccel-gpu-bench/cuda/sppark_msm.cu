// sppark's multi-scalar multiplication over bn256, with its points on the GPU.
#include <cuda.h>

#include <cstdio>

#include <ff/alt_bn128.hpp>

#include <ec/jacobian_t.hpp>
#include <ec/xyzz_t.hpp>

using namespace alt_bn128;
typedef jacobian_t<fp_t> point_t;
typedef xyzz_t<fp_t> bucket_t;
typedef bucket_t::affine_t affine_t;
typedef fr_t scalar_t;

#include <msm/pippenger.cuh>

namespace {

struct Multiplication {
  msm_t<bucket_t, point_t, affine_t, scalar_t> msm;
  gpu_ptr_t<scalar_t> scalars;
};

int reported(const char* what, int code) {
  if (code != 0) std::fprintf(stderr, "sppark: %s: error %d of CUDA\n", what, code);
  return code;
}

}  // namespace

// Null where it failed. Points are affine and none is the identity.
extern "C" void* zkb_sppark_msm_new(const void* points, size_t n) try {
  scalar_t* scalars = nullptr;
  CUDA_OK(cudaMalloc(&scalars, n * sizeof(scalar_t)));
  return new Multiplication{{static_cast<const affine_t*>(points), n}, gpu_ptr_t<scalar_t>(scalars)};
} catch (const cuda_error& error) {
  reported("points", error.code());
  return nullptr;
}

extern "C" int zkb_sppark_msm_upload(void* msm, const void* scalars, size_t n) {
  auto& own = *static_cast<Multiplication*>(msm);
  return reported("scalars", cudaMemcpy(&own.scalars[0], scalars, n * sizeof(scalar_t), cudaMemcpyHostToDevice));
}

// `scalars` are the host's, or null for those that were uploaded. The sum is in Jacobian coordinates.
extern "C" int zkb_sppark_msm_run(void* msm, const void* scalars, size_t n, void* sum) {
  auto& own = *static_cast<Multiplication*>(msm);
  const affine_t* points = nullptr;
  auto& out = *static_cast<point_t*>(sum);
  const RustError status = scalars == nullptr
                               ? own.msm.invoke(out, points, n, own.scalars)
                               : own.msm.invoke(out, points, n, static_cast<const scalar_t*>(scalars));
  return reported("multiplication", status.code);
}

extern "C" void zkb_sppark_msm_free(void* msm) { delete static_cast<Multiplication*>(msm); }
