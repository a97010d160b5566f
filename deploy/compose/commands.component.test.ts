/** What the commands of deploy/compose refuse before they touch anything, and what `up` writes to its folder. */
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { inRepository } from "../local/repository.ts";

const folder = mkdtempSync(join(tmpdir(), "compose-"));
const site = join(folder, "site");
afterAll(() => rmSync(folder, { recursive: true }));

/** An engine that starts nothing. */
const programs = join(folder, "programs");
mkdirSync(programs);
writeFileSync(join(programs, "docker"), '#!/bin/sh\ncase "$*" in *" up "*) exit 1 ;; esac\n', { mode: 0o755 });

function run(command: string, ...args: readonly string[]) {
  const env = { PATH: `${programs}:/usr/sbin:/usr/bin:/sbin:/bin`, ELASTIC_SITE: site };
  const { status, stdout, stderr } = spawnSync(inRepository("deploy", "compose", command), args, {
    encoding: "utf8",
    env,
  });
  return { code: status, stdout, stderr };
}

test.each([
  ["up", ["--hots", "a.example"], /no option --hots: .*--help/],
  ["up", ["--host"], /--host needs a value/],
  ["up", ["--host", "a_b"], /a_b is no name of a machine/],
  ["up", [], /the first time --host is needed: the name by which/],
  ["down", ["--date"], /no option --date: .*--help/],
])("%s %j is refused with 2, and nothing was changed", (command, args, message) => {
  const { code, stderr } = run(command, ...args);
  expect(stderr).toMatch(message);
  expect(stderr).toContain("Nothing was changed");
  expect(code).toBe(2);
  expect(existsSync(site)).toBe(false);
});

test.each(["down", "coordinator", "logs"])(
  "%s fails where there is no installation, and names the folder",
  (command) => {
    const { code, stderr } = run(command);
    expect(stderr).toContain(`there is no installation in ${site}`);
    expect(code).toBe(1);
  },
);

test.each(["up", "down"])("%s --help has examples and every option", (command) => {
  const { code, stdout } = run(command, "--help");
  expect(stdout).toMatch(/^ {2}deploy\/compose\//m);
  expect(stdout).toContain("--site DIR");
  expect(code).toBe(0);
});

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

test("up names the registry after the host where it is left out, and nobody else can enter the folder", () => {
  const at = join(folder, "first");
  const { code, stderr } = run("up", "--host", "proofs.example.com", "--site", at);
  expect([code, stderr]).toEqual([1, expect.stringContaining("they did not all come up")]);
  expect(readFileSync(join(at, "site.env"), "utf8")).toBe(
    `ELASTIC_SITE=${at}\nELASTIC_SITE_HOST=proofs.example.com\nELASTIC_SITE_REGISTRY=images.proofs.example.com\n`,
  );
  expect(modeOf(at)).toBe("700");
  const passwords = ["grafana-password", "postgres-password"].map((name) => readFileSync(join(at, name), "utf8"));
  expect(passwords.map((one) => /^[0-9a-f]{48}$/.test(one))).toEqual([true, true]);
  // The next time they are the same, and so is the name.
  expect(run("up", "--site", at).code).toBe(1);
  expect(readFileSync(join(at, "grafana-password"), "utf8")).toBe(passwords[0]);
  expect(readFileSync(join(at, "site.env"), "utf8")).toContain("ELASTIC_SITE_REGISTRY=images.proofs.example.com\n");
});

test("up writes no key to a folder that other users may enter", () => {
  const at = join(folder, "open");
  mkdirSync(at);
  for (const mode of [0o755, 0o750, 0o701]) {
    chmodSync(at, mode);
    const { code, stderr } = run("up", "--host", "a.example", "--site", at);
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining(`is open to other users of this machine (mode ${mode.toString(8)})`),
    ]);
    expect(stderr).toContain("Nothing was changed");
    expect(readdirSync(at)).toEqual([]);
  }
  chmodSync(at, 0o700);
  expect(run("up", "--host", "a.example", "--site", at).stderr).toContain("they did not all come up");
  expect(existsSync(join(at, "etcd.key"))).toBe(true);
});
