/** What a client may request before its program starts, and what of it is accepted. */
import type { ExecTunnel, TerminalSize } from "../tunnels/tunnels.ts";
import { ENV_ENTRIES_MAX, ENV_VALUE_BYTES_MAX } from "./limits.ts";

/** Language and time: whatever else a client's environment says is its own. */
const ENV_NAME = /^(LANG|LANGUAGE|LC_[A-Z]{1,32}|TZ|COLORTERM)$/;
const TERMINAL_TYPE = /^[A-Za-z0-9._+-]{1,64}$/;
const PRINTABLE = /^[\x20-\x7e]*$/;

function isAllowedEnv(name: string, value: string): boolean {
  return ENV_NAME.test(name) && value.length <= ENV_VALUE_BYTES_MAX && PRINTABLE.test(value);
}

/** Signals that a client may send, without SIG. */
export const SIGNALS: ReadonlySet<string> = new Set([
  "HUP",
  "INT",
  "QUIT",
  "TERM",
  "KILL",
  "USR1",
  "USR2",
  "ALRM",
  "ABRT",
]);

export class SessionRequest {
  readonly #env: Record<string, string> = {};
  #terminal: { readonly type: string; readonly size: TerminalSize } | null = null;

  get hasTerminal(): boolean {
    return this.#terminal !== null;
  }

  /** Whether it is accepted. */
  setEnv(name: string, value: string): boolean {
    if (!isAllowedEnv(name, value) || Object.keys(this.#env).length >= ENV_ENTRIES_MAX) return false;
    this.#env[name] = value;
    return true;
  }

  setTerminal(type: string, size: TerminalSize): void {
    this.#terminal = { type: TERMINAL_TYPE.test(type) ? type : "dumb", size };
  }

  resize(size: TerminalSize): void {
    if (this.#terminal !== null) this.#terminal = { ...this.#terminal, size };
  }

  /** `command` is null for the login shell. */
  tunnel(command: string | null): ExecTunnel {
    return { kind: "exec", command, terminal: this.#terminal, env: { ...this.#env } };
  }

  /** Without a terminal, whatever was requested before. */
  plainTunnel(command: string): ExecTunnel {
    return { kind: "exec", command, terminal: null, env: { ...this.#env } };
  }
}

/** Where distributions keep it, the image's own search path last. */
const SFTP_SERVERS = ["/usr/lib/openssh/sftp-server", "/usr/libexec/openssh/sftp-server", "/usr/lib/ssh/sftp-server"];
const NO_SFTP =
  "this shell's image has no sftp-server: install it there (openssh-sftp-server), or copy with ssh and tar";

/** Copying needs a program of the image's own. */
export const SFTP_COMMAND = [
  `for server in ${SFTP_SERVERS.join(" ")}; do [ -x "$server" ] && exec "$server"; done`,
  "command -v sftp-server >/dev/null 2>&1 && exec sftp-server",
  `echo "${NO_SFTP}" >&2`,
  "exit 127",
].join("; ");
