/** V8's sampling profiler in a process that was started with its inspector (test/cluster/inspector.ts). */

export interface CallFrame {
  readonly functionName: string;
  /** Of the script; empty for V8 and C++. */
  readonly url: string;
  readonly lineNumber: number;
}

export interface ProfileNode {
  readonly id: number;
  readonly callFrame: CallFrame;
  readonly children?: readonly number[];
}

/** As the developer tools of browsers read it from a `.cpuprofile` file; times in microseconds. */
export interface CpuProfile {
  readonly nodes: readonly ProfileNode[];
  /** Id of the node that each sample met. */
  readonly samples: readonly number[];
  /** Before each sample, since the one before it. */
  readonly timeDeltas: readonly number[];
}

/** Of the main thread. */
export interface Profiling {
  stop(): Promise<CpuProfile>;
}

const SAMPLE_EVERY_US = 200;

/** `address`: of the inspector, as `ws://…`. */
export async function startCpuProfile(address: string): Promise<Profiling> {
  const session = await connect(address);
  await session.command("Profiler.enable");
  await session.command("Profiler.setSamplingInterval", { interval: SAMPLE_EVERY_US });
  await session.command("Profiler.start");
  return {
    async stop() {
      const { profile } = (await session.command("Profiler.stop")) as { readonly profile: CpuProfile };
      session.close();
      return profile;
    },
  };
}

interface Session {
  command(method: string, params?: object): Promise<unknown>;
  close(): void;
}

interface Answer {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

async function connect(address: string): Promise<Session> {
  const socket = new WebSocket(address);
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  socket.onmessage = ({ data }) => {
    const { id, result, error } = JSON.parse(String(data)) as Answer;
    const waits = id === undefined ? undefined : waiting.get(id);
    if (error === undefined) waits?.resolve(result);
    else waits?.reject(new Error(`the inspector at ${address}: ${error.message}`));
  };
  await new Promise<void>((resolve, reject) => {
    socket.onopen = () => resolve();
    socket.onerror = () => reject(new Error(`no inspector responds at ${address}`));
  });
  socket.onclose = () => {
    for (const { reject } of waiting.values()) reject(new Error(`the process at ${address} has ended`));
  };
  let sent = 0;
  return {
    command(method, params = {}) {
      const answer = Promise.withResolvers<unknown>();
      waiting.set(++sent, answer);
      socket.send(JSON.stringify({ id: sent, method, params }));
      return answer.promise;
    },
    close: () => socket.close(),
  };
}
