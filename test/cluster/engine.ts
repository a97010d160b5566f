/**
 * The container engine of a test: one that responds on this machine, else the one that all tests of a run share, else
 * one that the test starts where it is root. `await using engine = await startEngine()`; ends with the test when it
 * was started by it.
 */
import { chmodSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import {
  type EngineOptions,
  enginePlace,
  engineProgram,
  removeAbandonedEngines,
  removeTraces,
  whyNoEngine,
} from "@elastic/deploy/local/engine.ts";
import { engineServes, findEngine } from "@elastic/deploy/local/engine-socket.ts";
import { engineDoor, programPath } from "./machine.ts";
import { startPart } from "./part.ts";
import { makeWorkFolder } from "./work-folder.ts";

const START_TIMEOUT_MS = 60_000;

export interface Engine extends AsyncDisposable {
  /** Path of its Unix socket. */
  readonly socket: string;
  /** Whether this test started it. */
  readonly own: boolean;
}

export interface OwnEngine extends Engine {
  /** SIGKILL to the engine alone; its containers continue to run. */
  kill(): Promise<void>;
  /** SIGTERM: it ends its containers and then itself, as when its service is stopped. */
  stop(): Promise<void>;
  /** Starts it again after kill() or stop(), as a service manager would; resolves once it responds. */
  start(): Promise<void>;
}

/** Why tests that need an engine cannot run here, or null when they can. */
export async function whyNoEngineHere(): Promise<string | null> {
  if ((await findEngine()) !== null) return null;
  return whyNoEngine(programPath());
}

/** An engine that other tests share, so that a test looks only at its own containers; a dedicated one where none is shared. */
export async function startEngine(): Promise<Engine> {
  const socket = (await findEngine()) ?? (await sharedEngine());
  if (socket !== null) return { socket, own: false, async [Symbol.asyncDispose]() {} };
  return await startOwnEngine();
}

/** Null outside of a run that has one. */
async function sharedEngine(): Promise<string | null> {
  const door = engineDoor();
  if (door === null) return null;
  const socket = await text(connect(door));
  if (socket === "") throw new Error("the engine that all tests share did not start");
  return socket;
}

export interface OwnEngineOptions extends EngineOptions {
  /** Where it finds its programs. */
  readonly path?: string;
}

/** An engine that nobody else uses, whatever else responds on this machine. */
export async function startOwnEngine({ path = programPath(), ...options }: OwnEngineOptions = {}): Promise<OwnEngine> {
  const obstacle = whyNoEngine(programPath());
  if (obstacle !== null) throw new Error(obstacle);
  await removeAbandonedEngines();
  const folder = makeWorkFolder();
  // Root of a container is not that of this machine.
  if (options.userNamespaces === true) chmodSync(folder.path, 0o711);
  const place = enginePlace(join(folder.path, "engine"), join(folder.path, "engine.log"));
  const part = await startPart({
    program: () => engineProgram(place, path, options),
    becomesReady: (child) => child.whileRunning((signal) => engineServes(place.socket, START_TIMEOUT_MS, signal)),
  });
  return {
    socket: place.socket,
    own: true,
    kill: () => part.kill(),
    async stop() {
      await part.stop();
    },
    async start() {
      // Its containerd died with it, but counts as running until it is collected, and would be waited for in vain.
      rmSync(join(place.runFolder, "exec/containerd/containerd.pid"), { force: true });
      await part.start();
    },
    async [Symbol.asyncDispose]() {
      await part.stop();
      await removeTraces(place);
      folder[Symbol.dispose]();
    },
  };
}
