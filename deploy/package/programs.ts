/**
 * What each packaged program consists of. Paths are those of the repository: below `lib/<name>/` of a package files have the
 * same ones, so that modules find them in the same way.
 */
export interface ImageSettings {
  /** Debian packages that are unpacked into it, with what they depend on, and of these the ones that are not. */
  readonly packages: readonly string[];
  readonly leftOut: readonly string[];
  /** Whom it runs as; null for root. */
  readonly user: { readonly name: string; readonly id: number } | null;
  /** Of its state; it belongs to that user. */
  readonly folder: string;
  /** What it does where nothing is said. */
  readonly command: string;
  /** Of the listeners that others reach. */
  readonly ports: readonly number[];
}

export interface PackagedProgram {
  readonly name: "elastic-agent" | "elastic-coordinator";
  readonly summary: string;
  readonly main: string;
  /** Files, and folders with all in them but tests, that are read at run time. */
  readonly data: readonly string[];
  /** Files for whoever runs the machine: they are put below `share/<name>/`, in folders as here. */
  readonly shared: readonly string[];
  /** Native programs and libraries, by their place in the repository and in the package. */
  readonly native: Readonly<Record<string, string>>;
  /** npm packages that stay packages: they have native code, or are copied into sandboxes. */
  readonly npmPackages: readonly string[];
  /** Files that list, as JSON, the modules of what others bundled of its data, by their paths in the repository. */
  readonly moduleLists: readonly string[];
  /** Debian packages that it does not start without, and those that some of what it does takes. */
  readonly depends: readonly string[];
  readonly recommends: readonly string[];
  /** The parts of deploy/setup.sh that make what is listed here. */
  readonly setUp: readonly string[];
  readonly image: ImageSettings;
}

/** Of Node and its child processes, and the authorities of public certificates. */
const IMAGE_BASE = ["base-files", "libstdc++6", "ca-certificates"];
/** What scripts of these packages need, which do not run. */
const IMAGE_LEFT_OUT = ["debconf", "dpkg", "mawk", "openssl"];

export const PROGRAMS: readonly PackagedProgram[] = [
  {
    name: "elastic-agent",
    summary: "runs provers on this machine for the Elastic Proving Service",
    main: "agent/main.ts",
    data: ["agent/kernels", "agent/workloads/seccomp/profile.json", "agent/builds/source/rust.Dockerfile"],
    shared: [],
    native: {
      "target/accel/libzkaccel.so": "lib/libzkaccel.so",
      ".cache/bin/buildkitd": "bin/buildkitd",
      ".cache/bin/buildctl": "bin/buildctl",
    },
    npmPackages: ["koffi", `@koromix/koffi-${process.platform}-${process.arch}`],
    moduleLists: [],
    depends: ["libc6 (>= 2.34)", "libstdc++6"],
    recommends: ["docker.io | docker-ce | podman", "bubblewrap", "runc", "socat", "e2fsprogs", "util-linux"],
    setUp: ["node", "accel", "builder"],
    image: {
      packages: [...IMAGE_BASE, "bubblewrap", "coreutils", "dash", "e2fsprogs", "mount", "runc", "socat", "util-linux"],
      leftOut: IMAGE_LEFT_OUT,
      // As its unit of systemd, which says why.
      user: null,
      folder: "/var/lib/elastic-agent",
      command: "run",
      ports: [],
    },
  },
  {
    name: "elastic-coordinator",
    summary: "control plane of the Elastic Proving Service: API, console, scheduler",
    main: "coordinator/main.ts",
    data: ["console/dist", "deploy/template/dist", "coordinator/program-releases/install.sh"],
    shared: ["deploy/prometheus/elastic.rules.yml", "deploy/prometheus/prometheus.example.yml"],
    native: {},
    npmPackages: [],
    moduleLists: [".cache/console-modules.json"],
    depends: ["libc6 (>= 2.28)", "libstdc++6"],
    recommends: [],
    setUp: ["node", "console", "template"],
    image: {
      packages: IMAGE_BASE,
      leftOut: [...IMAGE_LEFT_OUT, "libssl3"],
      user: { name: "elastic-coordinator", id: 65_532 },
      folder: "/var/lib/elastic",
      command: "serve",
      ports: [8080, 8443, 8444, 9464],
    },
  },
];
