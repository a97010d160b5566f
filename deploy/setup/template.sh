# The templates of repositories that the coordinator creates in users' accounts: generated from the sources of the demo prover.

TEMPLATE_BUILT=deploy/template/dist/poseidon/Cargo.toml
TEMPLATE_STAMP=$CACHE/setup/template.stamp

template_tools() { node_tools; }

template_build() {
  if [ -e "$TEMPLATE_BUILT" ] && [ "$(cat "$TEMPLATE_STAMP" 2>/dev/null)" = "$(template_sources)" ]; then return 0; fi
  step "generating the template repository" template node_modules/.bin/node deploy/template/main.ts
  template_sources >"$TEMPLATE_STAMP"
}

template_sources() {
  find Cargo.toml provers/poseidon sdk kernels/grain cli/templates/dockerignore deploy/template -type f \
    -not -path 'deploy/template/dist*' -print0 | sort -z | xargs -0 sha256sum | sha256sum
}
