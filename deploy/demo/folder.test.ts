import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { claimFolder, removeFolder, whyNotOurs } from "./folder.ts";
import { placesIn } from "./places.ts";

const root = mkdtempSync(join(tmpdir(), "demo-folder-test-"));
afterAll(() => rmSync(root, { recursive: true }));
const usual = join(root, "usual");

const foreign = expect.stringContaining("nothing was touched");

test("a folder that is not there, is empty or was claimed is the demo's, and goes with the demo", () => {
  const places = placesIn(join(root, "claimed"));
  expect(whyNotOurs(places, usual)).toBe(null);
  mkdirSync(places.folder);
  expect(whyNotOurs(places, usual)).toBe(null);
  claimFolder(places);
  mkdirSync(join(places.etcd, "member"), { recursive: true });
  expect(whyNotOurs(places, usual)).toBe(null);
  expect(removeFolder(places)).toBe(true);
  expect(existsSync(places.folder)).toBe(false);
  expect(removeFolder(places)).toBe(false);
});

test("a folder with somebody's files, and a file, are not the demo's", () => {
  const places = placesIn(join(root, "foreign"));
  mkdirSync(places.folder);
  writeFileSync(join(places.folder, "precious"), "");
  expect(whyNotOurs(places, usual)).toEqual(foreign);
  expect(whyNotOurs(places, places.folder)).toEqual(foreign);
  expect(whyNotOurs(placesIn(join(places.folder, "precious")), usual)).toEqual(foreign);
});

test("what a demo without a marker left counts as its own in the usual place only", () => {
  const places = placesIn(join(root, "older"));
  mkdirSync(places.etcd, { recursive: true });
  writeFileSync(places.state, "{}");
  expect(whyNotOurs(places, places.folder)).toBe(null);
  expect(whyNotOurs(places, usual)).toEqual(foreign);
});

test("somebody's file in the demo's folder outlives the demo, and the next one may start there", () => {
  const places = placesIn(join(root, "shared"));
  claimFolder(places);
  writeFileSync(places.state, "{}");
  const precious = join(places.folder, "precious");
  writeFileSync(precious, "mine");
  removeFolder(places);
  expect(readFileSync(precious, "utf8")).toBe("mine");
  expect(readdirSync(places.folder)).toHaveLength(2);
  expect(whyNotOurs(places, usual)).toBe(null);
});

test("the state of a demo outlives it, and the next demo with --state may use it", () => {
  const places = placesIn(join(root, "lasting"), { lasting: true });
  expect(whyNotOurs(places, usual)).toBe(null);
  claimFolder(places);
  mkdirSync(places.etcd);
  writeFileSync(places.state, "{}");
  writeFileSync(places.restart, "{}");
  expect(removeFolder(places)).toBe(true);
  expect(existsSync(places.state)).toBe(false);
  expect([places.etcd, places.restart].filter((path) => !existsSync(path))).toEqual([]);
  expect(removeFolder(places)).toBe(false);
  expect(whyNotOurs(places, usual)).toBe(null);
});

test("a folder with state is rejected without --state, and one of a temporary demo with --state", () => {
  const [lasting, temporary] = [join(root, "a-lasting"), join(root, "a-temporary")];
  claimFolder(placesIn(lasting, { lasting: true }));
  claimFolder(placesIn(temporary));
  expect(whyNotOurs(placesIn(lasting), lasting)).toContain(`Use it with --state ${lasting}`);
  expect(whyNotOurs(placesIn(temporary, { lasting: true }), usual)).toContain(`--stop --folder ${temporary}`);
  expect(whyNotOurs(placesIn(temporary, { lasting: true }), usual)).toEqual(foreign);
  expect(whyNotOurs(placesIn(lasting), usual)).toEqual(foreign);
});
