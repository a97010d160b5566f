# The web console: static files that the coordinator serves.

CONSOLE_BUILT=console/dist/index.html
# What is in it: the coordinator's package has a bill of materials.
CONSOLE_MODULES=$CACHE/console-modules.json
CONSOLE_STAMP=$CACHE/setup/console.stamp

console_tools() { node_tools; }

console_build() {
  if [ -e "$CONSOLE_BUILT" ] && [ -e "$CONSOLE_MODULES" ] && [ "$(cat "$CONSOLE_STAMP" 2>/dev/null)" = "$(console_sources)" ]; then return 0; fi
  step "building the console" console vite_build
  console_sources >"$CONSOLE_STAMP"
}

console_sources() {
  {
    sha256sum package-lock.json clients/typescript/gen/schema.ts proto/build-failure-advice.ts
    find console -type f -not -path '*/node_modules/*' -not -path 'console/dist/*' -print0 | sort -z | xargs -0 sha256sum
  } | sha256sum
}

vite_build() { node_modules/.bin/node node_modules/vite/bin/vite.js build console; }
