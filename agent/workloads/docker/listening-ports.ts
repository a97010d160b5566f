/** Which TCP ports the programs of a container listen on, as the kernel shows them for its network namespace. */
import { readFileSync } from "node:fs";

/** Of a process of the container, as the host counts; null where the kernel does not let us see. */
export function listeningPortsOf(pid: number): readonly number[] | null {
  const tables = ["tcp", "tcp6"].map((name) => read(`/proc/${pid}/net/${name}`));
  if (tables.every((table) => table === null)) return null;
  return [...new Set(tables.flatMap((table) => parseListeningPorts(table ?? "")))].sort((one, other) => one - other);
}

/** `sl local_address rem_address st …`, addresses as hexadecimal `ip:port`; state 0A is LISTEN. */
export function parseListeningPorts(table: string): readonly number[] {
  return table.split("\n").flatMap((line) => {
    const port = /^\s*\d+: [0-9A-F]+:([0-9A-F]{4}) [0-9A-F]+:[0-9A-F]{4} 0A /.exec(line)?.[1];
    return port === undefined ? [] : [Number.parseInt(port, 16)];
  });
}

function read(file: string): string | null {
  try {
    return readFileSync(file, "latin1");
  } catch {
    return null;
  }
}
