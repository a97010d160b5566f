import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PACKAGE_ROOT } from "../package/package-root.ts";
import { BUNDLED_COMMAND } from "../testing/bundled-command.ts";

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "elastic-pack-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

test("the packed command installs and runs from its tarball alone", { timeout: 120_000 }, () => {
  npm(PACKAGE_ROOT, "pack", "--pack-destination", folder);
  const [tarball = "none"] = readdirSync(folder);
  writeFileSync(join(folder, "package.json"), "{}");
  npm(folder, "install", "--offline", join(folder, tarball));
  const elastic = join(folder, "node_modules", "elastic-cli", "bin", "elastic.js");
  expect(execFileSync(process.execPath, [elastic, "--version"], { encoding: "utf8" })).toMatch(/^\d+\.\d+\.\d+\n$/);
  // As a shell starts it: node takes --env-file for its own option wherever it stands, and must not here.
  const env = { PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, ELASTIC_CONFIG_DIR: folder };
  const ran = spawnSync(elastic, ["deploy", "--image", "i", "--env-file", "absent.env"], { encoding: "utf8", env });
  expect(ran).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("Could not read absent.env: it does not exist."),
  });
  writeFileSync(join(folder, "Cargo.toml"), '[package]\nname = "p"\nversion = "0.1.0"\n');
  execFileSync(process.execPath, [elastic, "init"], { cwd: folder, stdio: "pipe" });
  expect(readdirSync(join(folder, "elastic-sdk")).toSorted()).toContain("src");
  const installed = join(folder, "node_modules", "elastic-cli");
  // What OpenSSH starts; nothing listens there.
  const connecting = spawnSync(process.execPath, [join(installed, "bin", "connect-ssh.js"), "127.0.0.1", "1"], {
    encoding: "utf8",
  });
  expect(connecting).toMatchObject({ status: 255, stderr: expect.stringContaining("ECONNREFUSED") });
  const files = readdirSync(installed, { recursive: true, encoding: "utf8" });
  expect(files.filter((path) => /\.test\.|(^|\/)(tests?|testing)(\/|$)/.test(path))).toEqual([]);
  for (const license of ["LICENSE-MIT", "LICENSE-APACHE"]) {
    expect(readFileSync(join(installed, license), "utf8")).toBe(
      readFileSync(join(PACKAGE_ROOT, "..", license), "utf8"),
    );
    expect(existsSync(join(PACKAGE_ROOT, license))).toBe(false);
  }
  expect(readFileSync(join(installed, "third-party-licenses.txt"), "utf8")).toMatch(/^commander .*\n\n.*MIT/m);
  expect(existsSync(join(PACKAGE_ROOT, "dist"))).toBe(false);
});

test("what only few commands use is loaded by them alone", () => {
  const main = readFileSync(BUNDLED_COMMAND, "utf8");
  expect(main).toMatch(/import\("\.\/undici-/);
  expect(main).not.toMatch(/^import .*undici-/m);
});

function npm(cwd: string, ...args: readonly string[]): void {
  execFileSync("npm", args, { cwd, stdio: "pipe" });
}
