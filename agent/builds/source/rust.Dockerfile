# Builds the prover for linux/amd64 and makes it the startup command.
# `elastic build` sets the two images; so does `docker build --build-arg RUST_IMAGE=…`.
ARG RUST_IMAGE=docker.io/library/rust:1-slim-bookworm
ARG RUN_IMAGE=docker.io/library/debian:bookworm-slim

# What cargo reads to compile the dependencies, with stubs for the program's own code: they are compiled from this alone,
# and again only when this changes. Where a build script or a further target may read other files, all are kept.
FROM ${RUST_IMAGE} AS dependencies
WORKDIR /src
COPY . .
RUN mkdir -p /stubs/src && \
    for file in src/main.rs src/bin/*.rs src/bin/*/main.rs; do \
      if [ -f "$file" ]; then mkdir -p "/stubs/$(dirname "$file")" && echo 'fn main() {}' > "/stubs/$file"; fi; \
    done && \
    if [ -f src/lib.rs ]; then echo > /stubs/src/lib.rs; fi && \
    rm -rf src && cp -r /stubs/src src && \
    keep=$([ ! -f build.rs ] || echo all) && \
    while read -r line || [ -n "$line" ]; do \
      case "$line" in build*=*|path*=*|"[[bench]]"*|"[[example]]"*|"[[test]]"*) keep=all ;; esac; \
    done < Cargo.toml && \
    for entry in * .[!.]*; do \
      case "$entry" in Cargo.*|.cargo|vendor|src|rust-toolchain*) continue ;; esac; \
      for manifest in "$entry"/Cargo.toml "$entry"/*/Cargo.toml "$entry"/*/*/Cargo.toml; do \
        if [ -f "$manifest" ]; then continue 2; fi; \
      done; \
      if [ -z "$keep" ]; then rm -rf "$entry"; fi; \
    done

FROM ${RUST_IMAGE} AS build
WORKDIR /src
COPY --from=dependencies /src .
RUN cargo build --release --bin elastic
COPY . /context
# Its code, made newer than the stubs, and what is not here yet; what is here, copied again, would be newer than what was compiled.
RUN rm -rf src && \
    for entry in /context/* /context/.[!.]*; do \
      if [ -e "$entry" ] && [ ! -e "${entry##*/}" ]; then cp -r "$entry" .; fi; \
    done && \
    cargo build --release --bin elastic && cp "${CARGO_TARGET_DIR:-target}/release/elastic" /elastic

FROM ${RUN_IMAGE}
COPY --from=build /elastic /usr/local/bin/elastic
# The service runs it as this user too.
USER 65534:65534
EXPOSE 8080
CMD ["/usr/local/bin/elastic"]
