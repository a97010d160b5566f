# Builds the prover for linux/amd64 and makes it the startup command.
# `elastic build` sets the two images; so does `docker build --build-arg RUST_IMAGE=…`.
ARG RUST_IMAGE=docker.io/library/rust:1-slim-bookworm
ARG RUN_IMAGE=docker.io/library/debian:bookworm-slim

# Everything but the program's own code, for which stubs stand: what it depends on is compiled from this alone, and
# again only when this changes.
FROM ${RUST_IMAGE} AS dependencies
WORKDIR /src
COPY . .
RUN mkdir -p /stubs/src && \
    for file in src/main.rs src/bin/*.rs src/bin/*/main.rs; do \
      if [ -f "$file" ]; then mkdir -p "/stubs/$(dirname "$file")" && echo 'fn main() {}' > "/stubs/$file"; fi; \
    done && \
    if [ -f src/lib.rs ]; then echo > /stubs/src/lib.rs; fi && \
    rm -rf src && cp -r /stubs/src src

FROM ${RUST_IMAGE} AS build
WORKDIR /src
COPY --from=dependencies /src .
RUN cargo build --release --bin elastic
COPY . /context
# Its code alone, made newer than the stubs. The rest is here already; copied again, it would be newer than what was compiled.
RUN rm -rf src && if [ -d /context/src ]; then cp -r /context/src src; fi && \
    cargo build --release --bin elastic && cp "${CARGO_TARGET_DIR:-target}/release/elastic" /elastic

FROM ${RUN_IMAGE}
COPY --from=build /elastic /usr/local/bin/elastic
# The service runs it as this user too.
USER 65534:65534
EXPOSE 8080
CMD ["/usr/local/bin/elastic"]
