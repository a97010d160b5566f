import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { removeTemporaryFolders, temporaryFolder } from "../testing/temporary-folder.ts";
import { claimUpgrade } from "./one-at-a-time.ts";

afterAll(removeTemporaryFolders);

const MODULE = fileURLToPath(new URL("./one-at-a-time.ts", import.meta.url));

test("lets one upgrade of a machine run at a time, until it is released", async () => {
  const home = temporaryFolder();
  const release = await claimUpgrade(home);
  expect(release).not.toBeNull();
  expect(await claimUpgrade(home)).toBeNull();
  expect(await claimUpgrade(temporaryFolder()).then((other) => other?.())).toBeUndefined();
  await release?.();
  const again = await claimUpgrade(home);
  expect(again).not.toBeNull();
  await again?.();
});

test("is released when the process that has it is killed", async () => {
  const home = temporaryFolder();
  const script = `const { claimUpgrade } = await import(${JSON.stringify(MODULE)}); await claimUpgrade(${JSON.stringify(home)}); process.stdout.write("held");`;
  const holder = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void holder.kill("SIGKILL"));
  await once(holder.stdout, "data");
  expect(await claimUpgrade(home)).toBeNull();
  holder.kill("SIGKILL");
  await expect.poll(async () => (await claimUpgrade(home))?.() !== undefined).toBe(true);
});

test("is held up by no other user: neither by a lock of a file that all may open, nor by a socket of that name", async () => {
  const home = temporaryFolder();
  const file = join(home, ".lock");
  writeFileSync(file, "");
  chmodSync(file, 0o644);
  const other = spawn("flock", [file, "sh", "-c", "echo; exec cat"], { stdio: ["pipe", "pipe", "ignore"] });
  onTestFinished(() => void other.stdin.end());
  await once(other.stdout, "data");
  const socket = createServer().listen(`\0elastic-upgrade:${home}`);
  onTestFinished(() => void socket.close());
  await once(socket, "listening");
  const release = await claimUpgrade(home);
  expect(release).not.toBeNull();
  expect(statSync(file).mode & 0o777).toBe(0o600);
  // As another user would try.
  const nobody = { uid: 65_534, gid: 65_534 };
  if (process.getuid?.() === 0) expect(spawnSync("flock", ["--nonblock", file, "true"], nobody).status).not.toBe(0);
  await release?.();
  expect(existsSync(file)).toBe(true);
});
