# A program of a pinned release that is built with Go, for a part of set-up that needs nothing else.

# go_program NAME BINARY FOLDER COMMAND TEXT WITHOUT: builds COMMAND of the modules that FOLDER pins as .cache/bin/BINARY, where that is
# not there or was built from other sources. Where there is no Go, a message states WITHOUT, what is then missing.
go_program() {
  local name=$1 binary=$CACHE/bin/$2 folder=$3 command=$4 text=$5 without=$6 stamp=$CACHE/setup/$1.stamp sources
  sources=$(find "$folder" -maxdepth 1 \( -name 'go.*' -o -name '*.go' \) | sort | xargs cat | sha256sum)
  if [ -x "$binary" ] && [ "$(cat "$stamp" 2>/dev/null)" = "$sources" ]; then return 0; fi
  if ! has go; then
    say "Go is not installed on this machine: $without"
    return 0
  fi
  step "building $text" "$name" build_go_program "$folder" "$command" "$binary"
  printf '%s\n' "$sources" >"$stamp"
}

build_go_program() (
  cd "$1"
  export CGO_ENABLED=0 GOFLAGS=-mod=readonly
  echo "packages: $(go list -deps "$2" | wc -l)"
  go build -v -gcflags=all=-dwarf=false -trimpath -buildvcs=false -ldflags='-s -w' -o "$3" "$2"
)
