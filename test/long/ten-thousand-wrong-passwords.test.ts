import { guess } from "@elastic/coordinator/shells/testing/wrong-passwords.ts";
import { expect, test } from "vitest";
import { whyNoEngineHere } from "../cluster/engine.ts";
import { residentBytes } from "../cluster/resident-memory.ts";
import { startShellCluster } from "../cluster/shell-cluster.ts";
import { runSsh, target } from "../cluster/ssh-client.ts";

const noEngine = await whyNoEngineHere();
const PASSWORDS = 10_000;
const GROWTH_BYTES_MAX = 96 * 1024 * 1024;
/** Without the throttle all of them would be rejected within this. */
const WITHOUT_THROTTLE_SECONDS = 60;

test.skipIf(noEngine !== null).each([
  ["one source", ["127.4.0.1"], 50],
  ["a hundred sources", Array.from({ length: 100 }, (_, n) => `127.5.0.${n + 1}`), 1],
])("ten thousand wrong passwords from %s let nobody in and keep nobody out", async (_what, sources, atOnce) => {
  await using shells = await startShellCluster();
  const { place, cluster } = shells;
  const [coordinator] = cluster.coordinators;
  const [host = "", port = ""] = place.address.split(":");
  // The owner has been in from where the guesses come, as behind one address with others.
  const places = [place, { ...place, from: sources[0] ?? host }];
  const login = async (n: number) => (await runSsh("ssh", places[n % 2] ?? place, [target(place), "echo in"])).out;
  const logins = [await login(0), await login(1)];
  const before = residentBytes(coordinator?.child().pid);
  const beganMs = performance.now();
  const each = Math.ceil(PASSWORDS / (sources.length * atOnce));
  const guessing = Promise.all(
    sources.flatMap((source) =>
      Array.from({ length: atOnce }, () =>
        guess({ host, port: Number(port), from: source, shellId: place.user, passwords: each }),
      ),
    ),
  );
  let isOver = false;
  let most = before;
  void guessing.then(() => {
    isOver = true;
  });
  while (!isOver) {
    logins.push(await login(logins.length));
    most = Math.max(most, residentBytes(coordinator?.child().pid));
  }
  const guessed = await guessing;
  const seconds = (performance.now() - beganMs) / 1000;
  const refused = guessed.reduce((sum, one) => sum + one.refused, 0);
  process.stdout.write(
    `${refused} refused in ${Math.round(seconds)} s, ${logins.length} logins meanwhile, grown by ${(most - before) >> 20} MiB\n`,
  );
  expect(refused).toBeGreaterThanOrEqual(PASSWORDS);
  expect(guessed.every(({ admitted }) => admitted === 0)).toBe(true);
  expect(new Set(logins)).toEqual(new Set(["in\n"]));
  expect(seconds).toBeGreaterThan(WITHOUT_THROTTLE_SECONDS);
  expect(most - before).toBeLessThan(GROWTH_BYTES_MAX);
});
