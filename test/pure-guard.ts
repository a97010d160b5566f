/**
 * Set-up of each file of the pure tier, whose files share one process and one module graph: a test that starts a
 * process or opens a socket fails, also where the code under test catches the error.
 */
import childProcess from "node:child_process";
import dgram from "node:dgram";
import { syncBuiltinESMExports } from "node:module";
import net from "node:net";
import { afterEach } from "vitest";

const violations: string[] = [];

function forbid(owner: object, name: string, what: string): void {
  Reflect.set(owner, name, () => {
    violations.push(what);
    throw new Error(`a pure test may not ${what}`);
  });
}

const PROCESS = "start a process";
const SOCKET = "open a socket";
// Asynchronous calls end here, whatever function they come from.
forbid(childProcess.ChildProcess.prototype, "spawn", PROCESS);
for (const name of ["spawnSync", "execSync", "execFileSync"]) forbid(childProcess, name, PROCESS);
forbid(net.Socket.prototype, "connect", SOCKET);
forbid(net.Server.prototype, "listen", SOCKET);
forbid(dgram.Socket.prototype, "bind", SOCKET);
syncBuiltinESMExports();

afterEach(() => {
  const found = violations.splice(0);
  if (found.length === 0) return;
  throw new Error(`${found.join(", ")}: that is a component test, in a file called *.component.test.ts`);
});
