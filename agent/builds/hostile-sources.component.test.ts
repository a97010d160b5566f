/** Archives that no well-meant program makes: each ends in a failure that names the limit, and nothing of it stays. */
import { randomBytes } from "node:crypto";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { SOURCE_LIMITS } from "./source/archive-paths.ts";
import { type Archive, archiveOf, asArchive, rawEntry, rawHeader } from "./testing/archive.ts";
import { type BuildFixture, startBuildFixture } from "./testing/build-fixture.ts";
import { hasDisk, leftoversOf, namesOnDisk } from "./testing/leftovers.ts";

const MIB = 1024 ** 2;
/** Of a team: a hundredth of what operators have by default, so that it is full soon. */
const DISK_BYTES = 160 * MIB;

// Some fill a small disk, on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000 });

let builder: BuildFixture;

beforeAll(async () => {
  builder = await startBuildFixture({ diskBytes: DISK_BYTES });
});
afterAll(() => builder.close());

async function failureOf(archive: Archive) {
  const spec = builder.specOf(archive);
  const { failure } = await builder.build(archive, spec);
  await expect.poll(() => leftoversOf(builder, [spec.assignmentId])).toEqual([]);
  return failure;
}

const end = Buffer.alloc(1_024);
const gzipped = (...blocks: readonly Buffer[]) => asArchive(gzipSync(Buffer.concat([...blocks, end]), { level: 1 }));
const size = (bytes: number) => bytes.toString(8).padStart(11, "0");
/** Files first; then one directory again and again, which costs the test nothing to unpack. */
const tooMany = () => {
  const files = Array.from({ length: 2_000 }, (_, index) => rawEntry(`file-${index}`, "0", ""));
  const directory = rawEntry("directory/", "5", "");
  return gzipped(...files, Buffer.alloc(directory.length * (SOURCE_LIMITS.entries - files.length + 1), directory));
};
const link = (name: string, type: string, target: string) => rawHeader({ name, type, size: size(0), target });

test.each<[string, () => Archive | Promise<Archive>, string]>([
  ["a million files", tooMany, "it has more than 100000 entries"],
  [
    "a file of 7 GiB",
    () => gzipped(rawHeader({ name: "zeros", type: "0", size: size(7 * 1024 ** 3) })),
    `${4 * 1024 ** 3} bytes`,
  ],
  ["an extended header of 1 GiB", () => gzipped(rawHeader({ name: "x", type: "x", size: size(1024 ** 3) })), "65536"],
  ["a path out of it", () => gzipped(rawEntry("src/../../../etc/cron.d/x", "0", "x")), "leads out of the source"],
  ["an absolute path", () => gzipped(rawEntry("/etc/cron.d/x", "0", "x")), "an absolute path"],
  ["a file twice", () => gzipped(rawEntry("x", "0", "1"), rawEntry("./x", "0", "2")), "there twice"],
  ["a hard link", () => gzipped(link("x", "1", "/etc/shadow")), "is a link"],
  [
    "a file below a symbolic link",
    () => gzipped(link("out", "2", "/etc"), rawEntry("out/cron.d", "0", "")),
    "a symlink",
  ],
  ["a block device", () => gzipped(rawHeader({ name: "sda", type: "4", size: size(0) })), "is a block-device"],
  ["a pipe", () => gzipped(rawHeader({ name: "pipe", type: "6", size: size(0) })), "is a fifo"],
  ["a name with a control character", () => gzipped(rawEntry("a\u001b[2Jb", "0", "")), "not a printable path"],
  [
    "a truncated gzip stream",
    async () => {
      const { bytes } = await archiveOf([["Dockerfile", randomBytes(100_000)]]);
      return asArchive(bytes.subarray(0, 50_000));
    },
    "unexpected end of file",
  ],
  ["garbage", () => asArchive(randomBytes(100_000)), "it is no tar archive"],
])("rejects %s, says why and keeps nothing", async (_, archive, words) => {
  const failure = await failureOf(await archive());
  expect(failure).toMatchObject({ reason: "source_invalid", message: expect.stringContaining(words) });
  await expect.poll(() => namesOnDisk(builder, builder.teamId)).toEqual(["buildkit", "lost+found"]);
});

test("leaves a symbolic link out of the source alone when it removes the source", async () => {
  const failure = await failureOf(gzipped(link("out", "2", builder.folder), rawEntry("/x", "0", "")));
  expect(failure).toMatchObject({ reason: "source_invalid" });
  expect(hasDisk(builder, builder.teamId)).toBe(true);
});

// What does not fit on the team's disk, compressed or unpacked: the disk is erased, since the next build would not fit.
test.each<[string, () => Promise<Archive>]>([
  ["unpacked", () => archiveOf([["zeros", Buffer.alloc(DISK_BYTES)]])],
  ["as it was sent", () => archiveOf([["noise", randomBytes(DISK_BYTES)]], { gzip: false })],
])("names a source that does not fit on the disk %s, and the next one fits", async (_, archive) => {
  expect(await failureOf(await archive())).toMatchObject({ reason: "disk_full" });
  expect(hasDisk(builder, builder.teamId)).toBe(false);
  const next = await builder.build([["Dockerfile", 'FROM busybox:1\nENTRYPOINT ["/bin/sh"]\n']]);
  expect(next.failure).toBeNull();
});

test("names layers that fit on the disk alone and not next to the image that is made of them", async () => {
  const layers = [1, 2].map((name) => `RUN head -c 45m /dev/urandom > /${name}\n`);
  const { failure, stages } = await builder.build([["Dockerfile", `FROM busybox:1\n${layers.join("")}`]]);
  expect([failure?.reason, stages.at(-1)]).toEqual(["disk_full", "building"]);
  expect(hasDisk(builder, builder.teamId)).toBe(false);
});
