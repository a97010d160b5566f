# The npm packages of package-lock.json. Node 24 itself is one of them; any Node from 18 on installs them.

NODE_BIN=$ROOT/node_modules/.bin/node

node_tools() {
  need node nodejs
  need npm npm
  has setpriv && has nsenter && has prlimit && has unshare || PACKAGES_MISSING+=(util-linux)
  need openssl openssl
  need git git
  [ -e /etc/ssl/certs/ca-certificates.crt ] || [ ! -e /etc/debian_version ] || PACKAGES_MISSING+=(ca-certificates)
}

node_build() {
  if ! node deploy/setup/packages-installed.mjs; then
    # Not `npm ci`: it refuses a lock file without the binaries for other platforms, which not every registry has.
    step "installing npm packages" npm npm install --no-save
    node deploy/setup/packages-installed.mjs ||
      fail "npm install left something out; approve the install script of the package node: npm install-scripts approve node"
  fi
}
