import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { inRepository, repositoryRoot } from "@elastic/deploy/local/repository.ts";
import { expect, test } from "vitest";
import { ofRelease, releasedCommit, unpackLastRelease } from "./last-release.ts";
import { toolEnvironment } from "./machine.ts";
import { RELEASES_FOLDER, releaseArchive } from "./release-archive.ts";
import { makeWorkFolder } from "./work-folder.ts";

const COMMITS = ["a".repeat(40), "b".repeat(40)] as const;
/** What is started of a release, and what npm installs it by. */
const STARTED = [
  "coordinator/main.ts",
  "agent/main.ts",
  "proto/gen/elastic/fleet/v1/fleet.ts",
  "std/clock.ts",
  "package-lock.json",
  ...["agent", "bench", "cli", "console", "coordinator", "deploy", "proto", "std", "test"].map(
    (workspace) => `${workspace}/package.json`,
  ),
];

test("finds the commit of the newest version that was released", () => {
  const [newer, older] = COMMITS;
  const versions = `## [0.2.0] - 2026-12-01\n\nAt commit \`${newer}\`.\n\n## [0.1.0] - 2026-11-26\n\nThe first, commit \`${older}\`.\n`;
  expect(releasedCommit(`# Changelog\n\n## [Unreleased]\n\n- Since commit \`${older}\`.\n\n${versions}`)).toBe(newer);
  expect(() => releasedCommit("# Changelog\n\n## [Unreleased]\n")).toThrow("names no commit");
  expect(releasedCommit(readFileSync(inRepository("CHANGELOG.md"), "utf8"))).toMatch(/^[0-9a-f]{40}$/);
});

test("runs a program out of the release's tree, and leaves what is elsewhere", () => {
  const program = {
    name: "p",
    command: "node",
    args: [inRepository("agent", "main.ts"), "run"],
    env: {},
    logFile: "p.log",
  };
  expect(ofRelease(program, "/release").args).toEqual(["/release/agent/main.ts", "run"]);
});

test("finds the release in a clone without its history, with the programs and manifests of its commit", async () => {
  using work = makeWorkFolder();
  const [clone, fromArchive, fromHistory] = ["clone", "archive", "history"].map((name) => join(work.path, name));
  if (clone === undefined || fromArchive === undefined || fromHistory === undefined) throw new Error("no folders");
  const env = toolEnvironment();
  const source = pathToFileURL(repositoryRoot).href;
  execFileSync("git", ["clone", "--quiet", "--depth=1", "--no-checkout", source, clone], { env });
  mkdirSync(fromArchive);
  expect(await unpackLastRelease(fromArchive, clone)).toBe("archive");
  for (const path of STARTED) expect(existsSync(join(fromArchive, path))).toBe(true);
  mkdirSync(fromHistory);
  // On a machine whose own clone is shallow both are the archive.
  await unpackLastRelease(fromHistory);
  const files = readdirSync(fromArchive, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && entry.name !== "release.tar",
  );
  const differing = files
    .map((entry) => relative(fromArchive, join(entry.parentPath, entry.name)))
    .filter((path) => !readFileSync(join(fromArchive, path)).equals(readFileSync(join(fromHistory, path))));
  expect(differing).toEqual([]);
});

test("rejects an archive that is damaged, and names the commit of a release that has none", async () => {
  using work = makeWorkFolder();
  const commit = releasedCommit(readFileSync(inRepository("CHANGELOG.md"), "utf8"));
  for (const name of readdirSync(RELEASES_FOLDER)) writeFileSync(join(work.path, name), "damaged");
  await expect(releaseArchive(commit, work.path)).rejects.toThrow(/is damaged/);
  await expect(releaseArchive("f".repeat(40))).rejects.toThrow(/lacks commit f{40} .*git fetch --unshallow/);
});
