# The npm packages of package-lock.json. Node 24 itself is one of them; any Node from 18 on is enough to begin with.

# npm leaves out optional packages, native code among them, that declare not to run on the Node that runs npm.
INSTALLING_NODE_MIN=20

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
    step "installing npm packages" npm npm_install
    node deploy/setup/packages-installed.mjs ||
      fail "npm install left something out; approve the install script of the package node: npm install-scripts approve node"
  fi
}

npm_install() {
  local major version
  major=$(node --version | sed 's/^v\([0-9]*\).*/\1/')
  if [ "$major" -lt "$INSTALLING_NODE_MIN" ]; then
    version=$(node -p 'require("./package.json").devDependencies.node')
    npm install --prefix "$CACHE/installing-node" --no-save --no-package-lock "node@$version"
    PATH=$CACHE/installing-node/node_modules/.bin:$PATH
  fi
  # Not `npm ci`: it refuses a lock file without the binaries for other platforms, which not every registry has.
  npm install --no-save
}
