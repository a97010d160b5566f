# etcd: the first of 3.5 or newer on the path; else a pinned release built with Go; else the distribution's package,
# which is old (3.4) on Debian 12.

ETCD_BUILT=$CACHE/bin/etcd
ETCD_STAMP=$CACHE/setup/etcd.stamp

etcd_tools() {
  has_recent_etcd || etcd_is_built || has go || need etcd etcd-server
}

etcd_build() {
  if has_recent_etcd || etcd_is_built; then return 0; fi
  if has go && build_etcd; then return 0; fi
  if ! has etcd; then
    need etcd etcd-server
    install_packages
  fi
  say "using $(etcd --version | head -n 1), which is old: install etcd 3.5 or newer, or Go, for anything but a trial"
}

has_recent_etcd() {
  has etcd || return 1
  local version major minor
  version=$(etcd --version 2>/dev/null | sed -n 's/^etcd Version: //p')
  IFS=. read -r major minor _ <<<"$version"
  [ "${major:-0}" -gt 3 ] || { [ "${major:-0}" -eq 3 ] && [ "${minor:-0}" -ge 5 ]; }
}

etcd_is_built() { [ -x "$ETCD_BUILT" ] && [ "$(cat "$ETCD_STAMP" 2>/dev/null)" = "$(etcd_sources)" ]; }

etcd_sources() { cat deploy/etcd/main.go deploy/etcd/go.mod deploy/etcd/go.sum | sha256sum; }

# A subshell, so that a Go that cannot build this leaves the distribution's package as the way out.
build_etcd() {
  if (step "building etcd $(sed -n 's/^require go.etcd.io\/etcd\/server\/v3 v//p' deploy/etcd/go.mod)" etcd go_build); then
    etcd_sources >"$ETCD_STAMP"
  else
    return 1
  fi
}

go_build() {
  cd deploy/etcd
  export CGO_ENABLED=0 GOFLAGS=-mod=readonly
  echo "packages: $(go list -deps . | wc -l)"
  # What a debugger reads is stripped by the linker anyway, and takes the compiler a fifth of its time.
  go build -v -gcflags=all=-dwarf=false -trimpath -buildvcs=false -ldflags='-s -w' -o "$ETCD_BUILT" .
}

# Packages in Go's cache are not built, and so not in the log.
etcd_progress() {
  local total
  total=$(sed -n 's/^packages: //p' "$1")
  [ -z "$total" ] || echo "at most $((total - $(grep -vc -e '^packages: ' -e '^go: ' "$1" || true))) of $total packages left"
}
