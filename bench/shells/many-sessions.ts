/** Sessions that begin all at once, each with its own login. */
import { runSsh, target } from "@elastic/test/cluster/ssh-client.ts";
import { type Contender, OPTIONS } from "./contender.ts";

/** Seconds until the last of them has its response. */
export async function sessionsAtOnce({ name, place }: Contender, count: number): Promise<number> {
  const atMs = performance.now();
  const all = await Promise.all(
    Array.from({ length: count }, (_, n) => runSsh("ssh", place, [...OPTIONS, target(place), `echo ${n}`])),
  );
  const seconds = (performance.now() - atMs) / 1000;
  const wrong = all.find(({ code, out }, n) => code !== 0 || out !== `${n}\n`);
  if (wrong !== undefined) throw new Error(`a session of ${name} ended with ${wrong.code}: ${wrong.out}${wrong.err}`);
  return seconds;
}
