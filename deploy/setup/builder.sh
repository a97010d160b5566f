# What builds images on a machine of the fleet: BuildKit, of a pinned release and built with Go, in a sandbox that runc makes.
# Where there is no Go the machine builds nothing, and a message states that.

BUILDKIT_BUILT=($CACHE/bin/buildkitd $CACHE/bin/buildctl)
BUILDKIT_STAMP=$CACHE/setup/buildkit.stamp

builder_tools() {
  need runc runc
  need socat socat
  need mkfs.ext4 e2fsprogs
  need busybox busybox-static
}

builder_build() {
  if buildkit_is_built; then return 0; fi
  if ! has go; then
    say "Go is not installed on this machine, so BuildKit is not built: images cannot be built here, and tests of builds fail"
    return 0
  fi
  step "building BuildKit $(sed -n 's/^.*github.com\/moby\/buildkit v\([^ ]*\).*/\1/p' deploy/buildkit/go.mod)" buildkit build_buildkit
  buildkit_sources >"$BUILDKIT_STAMP"
}

buildkit_is_built() {
  local file
  for file in "${BUILDKIT_BUILT[@]}"; do [ -x "$file" ] || return 1; done
  [ "$(cat "$BUILDKIT_STAMP" 2>/dev/null)" = "$(buildkit_sources)" ]
}

buildkit_sources() { cat deploy/buildkit/go.mod deploy/buildkit/go.sum | sha256sum; }

build_buildkit() (
  cd deploy/buildkit
  export CGO_ENABLED=0 GOFLAGS=-mod=readonly
  local commands=(github.com/moby/buildkit/cmd/buildkitd github.com/moby/buildkit/cmd/buildctl)
  echo "packages: $(go list -deps "${commands[@]}" | wc -l)"
  go build -v -gcflags=all=-dwarf=false -trimpath -buildvcs=false -ldflags='-s -w' -o "$CACHE/bin/" "${commands[@]}"
)

buildkit_progress() { etcd_progress "$1"; }
