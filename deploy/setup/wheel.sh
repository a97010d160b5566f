# What builds the wheel of the client library for Python, and makes the environments in which tests install it.

WHEEL_PACKAGES=deploy/setup/wheel.txt

wheel_tools() {
  need python3 python3
  python3 -m pip --version >/dev/null 2>&1 || PACKAGES_MISSING+=(python3-pip)
  python3 -c 'import ensurepip' 2>/dev/null || PACKAGES_MISSING+=(python3-venv)
}

wheel_build() {
  if [ "$(cat "$CACHE/setup/wheel.stamp" 2>/dev/null)" = "$(sha256sum "$WHEEL_PACKAGES")" ]; then return 0; fi
  step "installing what builds Python's wheels" wheel wheel_install
  sha256sum "$WHEEL_PACKAGES" >"$CACHE/setup/wheel.stamp"
}

wheel_install() {
  rm -rf "$CACHE/wheel"
  python3 -m pip install --no-deps --require-hashes --only-binary :all: --target "$CACHE/wheel" -r "$WHEEL_PACKAGES"
}
