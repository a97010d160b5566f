import { expect, test } from "vitest";
import { ManifestError, manifestText, parseManifest, type ReleaseManifest } from "./manifest.ts";

const MANIFEST: ReleaseManifest = {
  version: "1.2.3",
  platform: "linux-x64",
  minimumCoordinator: "1.0.0",
  minimumAgent: "0.9.0",
  files: [
    { name: "elastic-agent_1.2.3_amd64.deb", sha256: "a".repeat(64), size: 7, unpackedSize: 20 },
    { name: "elastic-agent-1.2.3-linux-x64.tar.zst", sha256: "b".repeat(64), size: 8, unpackedSize: 20 },
  ],
};

const parse = (text: string): ReleaseManifest => parseManifest(Buffer.from(text));

test("reads what it writes, and each file is a line", () => {
  const text = manifestText(MANIFEST);
  expect(parse(text)).toEqual(MANIFEST);
  expect(text).toContain(
    `\n    {"name":"elastic-agent_1.2.3_amd64.deb","sha256":"${"a".repeat(64)}","size":7,"unpackedSize":20},\n`,
  );
});

test("ignores fields that a later version adds, and refuses a later format", () => {
  const later = manifestText(MANIFEST).replace("{\n", '{\n  "notes": "of a later version",\n');
  expect(parse(later)).toEqual(MANIFEST);
  expect(() => parse(later.replace('"format": 1', '"format": 2'))).toThrow(/has format 2, and this program reads 1/);
});

test("refuses what is truncated, and each field that is no such thing", () => {
  const text = manifestText(MANIFEST);
  const wrong = [
    text.slice(0, 90),
    text.replace("elastic-agent_1.2.3", "../elastic-agent_1.2.3"),
    text.replace("elastic-agent_1.2.3", "$(reboot)"),
    text.replace("a".repeat(64), "A".repeat(64)),
    text.replace('"size":7', '"size":-7'),
    text.replace('"1.2.3"', '"1.2"'),
    text.replace('"linux-x64"', '"../x64"'),
    '"text"',
    " ".repeat(70_000),
  ];
  for (const one of wrong) expect(() => parse(one), one.slice(0, 200)).toThrow(ManifestError);
});
