/**
 * One container engine for all test files of a run, started when the first of them needs it: vitest runs this in
 * its own process, which outlives its workers. A client connects to the socket that the environment names, and reads
 * where the engine listens.
 */
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { type Engine, startOwnEngine } from "./engine.ts";
import { engineDoor, nameEngineDoor } from "./machine.ts";
import { makeWorkFolder } from "./work-folder.ts";

export async function setup(): Promise<(() => Promise<void>) | undefined> {
  // Opened for another tier of the same run.
  if (engineDoor() !== null) return undefined;
  const folder = makeWorkFolder();
  let engine: Promise<Engine> | null = null;
  const server = createServer((client) => {
    client.on("error", () => undefined);
    engine ??= startOwnEngine();
    engine.then(
      ({ socket }) => client.end(socket),
      (error: Error) => client.destroy(error),
    );
  });
  const door = join(folder.path, "door.sock");
  await once(server.listen(door), "listening");
  nameEngineDoor(door);
  return async () => {
    server.close();
    await (await engine?.catch(() => null))?.[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  };
}
