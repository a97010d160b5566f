/** Programs laid out as their packages have them, started where nothing of the repository is. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newReleaseKey } from "@elastic/std/program-release/signature.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inRepository } from "../local/repository.ts";
import { PROGRAMS } from "./programs.ts";
import { stageProgram } from "./stage-program.ts";

const KEYS = newReleaseKey();
const COMMIT = "0123456789abcdef0123456789abcdef01234567";
const RELEASE = { version: "1.2.3", committed: new Date(0), commit: COMMIT, releaseKeys: KEYS.publicPem };

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "staged-"));
  for (const program of PROGRAMS) await stageProgram(program, RELEASE, join(folder, program.name));
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true }));

function run(name: string, ...args: readonly string[]): string {
  // Without a Node of the machine.
  const env = { PATH: "/usr/bin:/bin" };
  return execFileSync(join(folder, name, "bin", name), args, { cwd: "/", env, encoding: "utf8" });
}

test("each program starts without the repository, npm and the machine's Node", () => {
  for (const { name, summary } of PROGRAMS) {
    expect(run(name, "--version")).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(summary).not.toBe("");
  }
});

test("no file of a package mentions where it was built", () => {
  for (const { name } of PROGRAMS) {
    const files = readdirSync(join(folder, name), { recursive: true, encoding: "utf8" });
    const scripts = files.filter((path) => /\.(js|json)$/.test(path));
    expect(scripts.length).toBeGreaterThan(2);
    for (const path of scripts) {
      expect(readFileSync(join(folder, name, path), "utf8").includes(`"${inRepository()}`), path).toBe(false);
    }
  }
});

test("programs that are started by their path are in the bundle, at the places that it names", () => {
  const started = PROGRAMS.flatMap(({ name }) => {
    const lib = join(folder, name, "lib", name);
    const scripts = readdirSync(lib, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".js"));
    return scripts.flatMap((script) =>
      [...readFileSync(join(lib, script), "utf8").matchAll(/new URL\("([^"]+\.js)", PACKAGE_ROOT\)(?!\.href)/g)].map(
        ([, path = ""]) => join(lib, path),
      ),
    );
  });
  expect(started.length).toBeGreaterThan(1);
  for (const path of started) expect(existsSync(path), path).toBe(true);
});

test("licences and components of all that is bundled go with it", () => {
  for (const { name } of PROGRAMS) {
    const documents = join(folder, name, "share", "doc", name);
    expect(readFileSync(join(documents, "third-party-licenses.txt"), "utf8")).toContain("@grpc/grpc-js");
    const names = componentsOf(name).map((one) => one.name);
    expect(names).toEqual(expect.arrayContaining([name, "node", "@grpc/grpc-js", "zod"]));
  }
});

interface ListedComponent {
  readonly name: string;
  readonly versionInfo: string;
  readonly checksums?: readonly { readonly algorithm: string; readonly checksumValue: string }[];
}

function componentsOf(name: string): readonly ListedComponent[] {
  const path = join(folder, name, "share", "doc", name, "sbom.spdx.json");
  return (JSON.parse(readFileSync(path, "utf8")) as { readonly packages: readonly ListedComponent[] }).packages;
}

test("every program and library in a package is among its components, by its digest", () => {
  for (const { name, native } of PROGRAMS) {
    const lib = join(folder, name, "lib", name);
    const digests = componentsOf(name).flatMap(({ checksums = [] }) => checksums.map((one) => one.checksumValue));
    const binaries = readdirSync(lib, { recursive: true, encoding: "utf8" })
      .filter((path) => !path.startsWith("node_modules") && statSync(join(lib, path)).isFile())
      .map((path) => ({ path, bytes: readFileSync(join(lib, path)) }))
      .filter(({ bytes }) => bytes.subarray(0, 4).toString("latin1") === "\x7fELF");
    expect(binaries.map(({ path }) => path).toSorted()).toEqual(["node", ...Object.values(native)].toSorted());
    for (const { path, bytes } of binaries) {
      expect(digests, path).toContain(createHash("sha256").update(bytes).digest("hex"));
    }
  }
});

test("modules of programs that Go compiled, and npm packages of the console, are among the components, by versions and digests", () => {
  const agent = componentsOf("elastic-agent");
  const [buildkitd] = agent.filter((one) => one.name === "buildkitd");
  expect(buildkitd?.versionInfo).toMatch(/^v\d+\.\d+\.\d+/);
  expect(agent.map((one) => one.name)).toEqual(
    expect.arrayContaining([
      "buildctl",
      "libzkaccel.so",
      "github.com/moby/buildkit",
      "google.golang.org/grpc",
      "stdlib",
    ]),
  );
  const coordinator = componentsOf("elastic-coordinator");
  for (const name of ["react", "react-dom", "@mantine/core", "@xterm/xterm", "uplot"]) {
    const [one] = coordinator.filter((each) => each.name === name);
    expect([name, one?.checksums]).toEqual([name, [{ algorithm: "SHA512", checksumValue: expect.any(String) }]]);
  }
  const licenses = join(
    folder,
    "elastic-coordinator",
    "share",
    "doc",
    "elastic-coordinator",
    "third-party-licenses.txt",
  );
  expect(readFileSync(licenses, "utf8")).toContain("@mantine/core");
});

test("the keys of releases are in each package", () => {
  for (const { name } of PROGRAMS) {
    expect(readFileSync(join(folder, name, "lib", name, "release-keys.pem"), "utf8")).toBe(KEYS.publicPem);
  }
});

test("each has its unit, and the coordinator its user and what Prometheus loads", () => {
  for (const { name } of PROGRAMS) {
    const unit = readFileSync(join(folder, name, "lib", "systemd", "system", `${name}.service`), "utf8");
    expect(unit).toContain(`ExecStart=/usr/local/bin/${name} `);
  }
  const own = join(folder, "elastic-coordinator");
  expect(existsSync(join(own, "lib", "sysusers.d", "elastic-coordinator.conf"))).toBe(true);
  const prometheus = join(own, "share", "elastic-coordinator", "prometheus");
  expect(readdirSync(prometheus).toSorted()).toEqual(["elastic.rules.yml", "prometheus.example.yml"]);
  // The example finds the rules there.
  execFileSync("promtool", ["check", "config", join(prometheus, "prometheus.example.yml")], { stdio: "pipe" });
});
