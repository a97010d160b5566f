/**
 * Notifies the service manager of the agent's state, by datagrams to the socket in NOTIFY_SOCKET (sd_notify(3)). Node
 * has no Unix datagrams, so the C library sends them; nothing here waits.
 */
import { loadNative } from "../kernels/native.ts";

export interface Notifier {
  /** The agent is up: from now on it is also said, twice in each watchdog interval, that it does not hang. */
  ready(): void;
  stopping(): void;
}

const SILENT: Notifier = { ready: () => undefined, stopping: () => undefined };

const AF_UNIX = 1;
const SOCK_DGRAM_CLOEXEC = 0o2000002;
const MSG_DONTWAIT_NOSIGNAL = 0x4040;
const PATH_BYTES_MAX = 107;

/** By the environment that systemd gives to a service; silent without it. */
export function openNotifier(env: NodeJS.ProcessEnv): Notifier {
  const { NOTIFY_SOCKET: socket, WATCHDOG_USEC: watchdog, WATCHDOG_PID: watched } = env;
  if (socket === undefined || !/^[/@]/.test(socket) || Buffer.byteLength(socket) > PATH_BYTES_MAX) return SILENT;
  const send = senderTo(socket);
  const intervalMs = Number(watchdog ?? "0") / 1000;
  const isWatched = intervalMs > 0 && (watched === undefined || Number(watched) === process.pid);
  let beat: NodeJS.Timeout | null = null;
  return {
    ready: () => {
      send("READY=1");
      if (isWatched) beat = setInterval(() => send("WATCHDOG=1"), intervalMs / 2).unref();
    },
    stopping: () => {
      if (beat !== null) clearInterval(beat);
      send("STOPPING=1");
    },
  };
}

function senderTo(socket: string): (text: string) => void {
  const libc = loadNative(null);
  const open = libc.func("int socket(int domain, int type, int protocol)");
  const sendto = libc.func(
    "intptr_t sendto(int fd, const void *data, size_t length, int flags, const void *address, uint32_t addressLength)",
  );
  const handle: number = open(AF_UNIX, SOCK_DGRAM_CLOEXEC, 0);
  const address = addressOf(socket);
  return (text) => {
    const data = Buffer.from(text);
    sendto(handle, data, data.length, MSG_DONTWAIT_NOSIGNAL, address, address.length);
  };
}

/** struct sockaddr_un. A name that begins with @ is in the abstract namespace, where a zero stands for it. */
function addressOf(socket: string): Buffer {
  const family = Buffer.from(new Uint16Array([AF_UNIX]).buffer);
  const isAbstract = socket.startsWith("@");
  const path = Buffer.from(isAbstract ? `\0${socket.slice(1)}` : `${socket}\0`);
  return Buffer.concat([family, path]);
}
