import { expect, test } from "vitest";
import { fileSystemOf } from "./file-system-of.ts";

const MOUNTS = `22 1 259:2 / / rw,relatime shared:1 - ext4 /dev/nvme0n1p2 rw
30 22 0:25 / /run rw,nosuid shared:5 - tmpfs tmpfs rw
31 22 259:3 / /var/lib rw shared:6 master:1 - xfs /dev/nvme1n1 rw
32 31 0:40 / /var/lib/with\\040space rw - nfs4 files:/x rw
33 22 0:41 / /run rw - ramfs none rw
`;

test("finds the file system of the innermost mount, and of the later of two at one place", () => {
  expect(fileSystemOf("/var/lib/elastic-agent", MOUNTS)).toBe("xfs");
  expect(fileSystemOf("/var/library", MOUNTS)).toBe("ext4");
  expect(fileSystemOf("/var/lib/with space/a", MOUNTS)).toBe("nfs4");
  expect(fileSystemOf("/run", MOUNTS)).toBe("ramfs");
  expect(fileSystemOf("/run/a", "")).toBeNull();
});
