import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { builderSeccomp } from "./builder-seccomp.ts";
import { SECCOMP_PROFILE, type SeccompProfile } from "./seccomp-profile.ts";

/** Of moby/profiles, seccomp v0.2.4, Apache License 2.0. */
const DEFAULT: SeccompProfile = JSON.parse(readFileSync(new URL("testing/moby-default.json", import.meta.url), "utf8"));

/** Names that are allowed on x86-64 to a container without a capability. */
function allowedBy({ syscalls }: SeccompProfile): Set<string> {
  const rules = syscalls.filter(({ action, includes }) => {
    const { caps, arches } = (includes ?? {}) as {
      readonly caps?: readonly string[];
      readonly arches?: readonly string[];
    };
    return action === "SCMP_ACT_ALLOW" && caps === undefined && (arches === undefined || arches.includes("amd64"));
  });
  return new Set(rules.flatMap(({ names }) => names));
}

test("allows what the engine's default allows to a container without capabilities, but for 32-bit sockets", () => {
  const [ours, theirs] = [allowedBy(SECCOMP_PROFILE), allowedBy(DEFAULT)];
  expect([...theirs].filter((name) => !ours.has(name))).toEqual(["socketcall"]);
  expect([...ours].filter((name) => !theirs.has(name))).toEqual([]);
});

test("allows sockets of four families, pairs of one, and no 32-bit calls", () => {
  const families = (name: string) =>
    SECCOMP_PROFILE.syscalls.filter(({ names }) => names.includes(name)).map(({ args }) => args);
  const only = (...values: readonly number[]) => values.map((value) => [{ index: 0, value, op: "SCMP_CMP_EQ" }]);
  // AF_UNIX, AF_INET, AF_INET6, AF_NETLINK.
  expect(families("socket")).toEqual(only(1, 2, 10, 16));
  expect(families("socketpair")).toEqual(only(1));
  expect(SECCOMP_PROFILE.archMap.flatMap(({ subArchitectures }) => subArchitectures)).toEqual([]);
});

test.each([
  "io_uring_setup",
  "io_uring_enter",
  "keyctl",
  "userfaultfd",
  "perf_event_open",
  "bpf",
  "mount",
  "unshare",
  "setns",
])("refuses %s", (name) => {
  expect(allowedBy(SECCOMP_PROFILE).has(name)).toBe(false);
});

test("lets a build's sandbox make containers, and do nothing else that a container may not", () => {
  const { syscalls } = builderSeccomp(SECCOMP_PROFILE) as SeccompProfile;
  const allowed = new Set(syscalls.filter(({ action }) => action === "SCMP_ACT_ALLOW").flatMap(({ names }) => names));
  for (const name of ["mount", "umount2", "unshare", "clone", "clone3", "setns", "pivot_root"])
    expect(allowed).toContain(name);
  for (const name of [
    "io_uring_setup",
    "keyctl",
    "userfaultfd",
    "perf_event_open",
    "bpf",
    "init_module",
    "socketcall",
  ]) {
    expect(allowed).not.toContain(name);
  }
  // A rule without conditions and one with them would contradict each other.
  expect(syscalls.filter(({ names }) => names.includes("clone"))).toHaveLength(1);
  expect(syscalls.filter(({ names }) => names.includes("clone3"))).toHaveLength(1);
});
