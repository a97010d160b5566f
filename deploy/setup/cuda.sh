# CUDA's compiler, with which the acceleration library's plug-in for GPUs is built and looked at: no GPU is needed for that.
# Where it cannot be had, everything else is set up as ever, and the tests that need it are skipped.

CUDA=$CACHE/cuda/nvidia/cu13
CUDA_PACKAGES=deploy/setup/cuda-compiler.txt

cuda_tools() {
  if cuda_is_installed || python3 -m pip --version >/dev/null 2>&1; then return 0; fi
  if can_install; then PACKAGES_MISSING+=(python3-pip); fi
}

cuda_build() {
  if cuda_is_installed; then return 0; fi
  if (step "installing CUDA's compiler" cuda cuda_install); then
    sha256sum "$CUDA_PACKAGES" >"$CACHE/setup/cuda.stamp"
  else
    say "THERE IS NO CUDA COMPILER: the plug-in for GPUs is neither built nor tested here"
  fi
}

cuda_is_installed() {
  [ -x "$CUDA/bin/nvcc" ] && [ "$(cat "$CACHE/setup/cuda.stamp" 2>/dev/null)" = "$(sha256sum "$CUDA_PACKAGES")" ]
}

# The programs look for their libraries in lib64, and the packages have them in lib.
cuda_install() {
  rm -rf "$CACHE/cuda"
  python3 -m pip install --no-deps --require-hashes --only-binary :all: --target "$CACHE/cuda" -r "$CUDA_PACKAGES" &&
    ln -s lib "$CUDA/lib64" &&
    chmod +x "$CUDA"/bin/* "$CUDA"/nvvm/bin/* "$CUDA"/compute-sanitizer/{compute-sanitizer,TreeLauncher*} &&
    "$CUDA/bin/nvcc" --version
}
