# A container engine and a registry to start when they are wanted. An engine that responds already is used as it is.

engine_tools() {
  need docker-registry docker-registry
  # The agent's way into a container that has no network.
  need socat socat
  engine_answers && return 0
  need dockerd docker.io
  # Where the kernel has AppArmor on, the engine loads its profile with this program or starts nothing.
  if [ "$(cat /sys/module/apparmor/parameters/enabled 2>/dev/null)" = Y ]; then need apparmor_parser apparmor; fi
}

engine_answers() { [ -S /var/run/docker.sock ] || [ -S /run/podman/podman.sock ]; }

engine_build() { :; }
