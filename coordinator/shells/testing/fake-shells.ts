/** Shells and tunnels of a test's own making, for a gateway without a store or machines. */
import type { Duplex } from "node:stream";
import type { ConnectionTicket } from "../../auth/terminal-tickets.ts";
import type { ComingEnd } from "../../domain/shell-login.ts";
import {
  type OutputPiece,
  type SshTunnel,
  TunnelError,
  type TunnelKind,
  type TunnelStream,
  type Tunnels,
} from "../../tunnels/tunnels.ts";
import type { KeyLogin, LoginShell, ShellDirectory } from "../shell-directory.ts";

export interface FakeShell {
  readonly id: string;
  teamId: string;
  password: string;
  assignmentId: string | null;
  state: string;
  end: ComingEnd | null;
  notice: string | null;
}

export class FakeDirectory implements ShellDirectory {
  readonly shells = new Map<string, FakeShell>();
  /** By the key itself. */
  readonly keys = new Map<string, { readonly teamId: string; readonly login: KeyLogin }>();
  /** By their texts. */
  readonly tickets = new Map<string, ConnectionTicket>();
  /** Access keys and sessions. */
  readonly revoked = new Set<string>();
  readonly uses: string[] = [];
  known = true;
  readonly #listeners = new Set<() => void>();

  add(id: string, given: Partial<FakeShell> = {}): FakeShell {
    const up = { assignmentId: "a1", state: "ready", end: null, notice: null };
    const shell = { id, teamId: "t1", password: "right", ...up, ...given };
    this.shells.set(id, shell);
    return shell;
  }

  changed(): void {
    for (const listener of this.#listeners) listener();
  }

  isKnown(): boolean {
    return this.known;
  }

  find(shellId: string): LoginShell | null {
    const shell = this.shells.get(shellId);
    if (shell === undefined || !this.known) return null;
    return { ...shell, passwordId: shell.password, passwordMatches: (text) => text === shell.password };
  }

  keyOf(teamId: string, blob: string): KeyLogin | null {
    const key = this.keys.get(blob);
    return key?.teamId === teamId ? key.login : null;
  }

  async useTicket(text: string): Promise<ConnectionTicket | null> {
    const ticket = this.tickets.get(text) ?? null;
    this.tickets.delete(text);
    return ticket;
  }

  mayConnect(_teamId: string, keyId: string): boolean {
    return !this.revoked.has(keyId);
  }

  hasKey(teamId: string, userId: string, keyId: string): boolean {
    return [...this.keys.values()].some(
      ({ teamId: of, login }) => of === teamId && login.userId === userId && login.keyId === keyId,
    );
  }

  used(shellId: string): void {
    this.uses.push(shellId);
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

/** One that was opened: what went in, and the way to make something come out. */
export class FakeTunnel implements TunnelStream {
  readonly kind: TunnelKind;
  readonly input: Buffer[] = [];
  inputEnded = false;
  closed = false;
  readonly sizes: { readonly columns: number; readonly rows: number }[] = [];
  readonly signals: string[] = [];
  readonly exit: Promise<number | null>;
  readonly output: AsyncIterable<OutputPiece>;
  /** While it is set, nothing more is taken from the client. */
  hold: Promise<void> | null = null;
  readonly #exit = Promise.withResolvers<number | null>();

  constructor(kind: TunnelKind, program: Program) {
    this.kind = kind;
    this.exit = this.#exit.promise;
    this.exit.catch(() => undefined);
    this.output = this.#run(program);
  }

  async write(bytes: Buffer): Promise<void> {
    this.input.push(Buffer.from(bytes));
    if (this.hold !== null) await this.hold;
  }

  endInput(): void {
    this.inputEnded = true;
    this.#inputEnd.resolve();
  }

  resize(size: { readonly columns: number; readonly rows: number }): void {
    this.sizes.push(size);
  }

  signal(name: string): void {
    this.signals.push(name);
  }

  close(): void {
    this.closed = true;
    this.#inputEnd.resolve();
    this.#exit.reject(new TunnelError("the session was closed"));
  }

  readonly #inputEnd = Promise.withResolvers<void>();

  /** Resolves with all that went in, when the client has ended it. */
  async allInput(): Promise<Buffer> {
    await this.#inputEnd.promise;
    return Buffer.concat(this.input);
  }

  async *#run(program: Program): AsyncIterable<OutputPiece> {
    try {
      this.#exit.resolve(yield* program(this));
    } catch (error) {
      this.#exit.reject(error as Error);
      throw error;
    }
  }
}

/** What runs at the other end; returns its exit code. */
export type Program = (tunnel: FakeTunnel) => AsyncGenerator<OutputPiece, number | null>;

export class FakeTunnels implements Tunnels {
  readonly opened: FakeTunnel[] = [];
  program: Program;
  /** Connects to an sshd; null where the image has none. */
  sshd: ((ssh: SshTunnel) => Duplex) | null = null;

  constructor(program: Program) {
    this.program = program;
  }

  async open(assignmentId: string, kind: TunnelKind): Promise<TunnelStream> {
    if (assignmentId !== "a1") throw new TunnelError("the shell's container is not running");
    const tunnel = new FakeTunnel(kind, this.program);
    this.opened.push(tunnel);
    return tunnel;
  }

  async openSsh(_assignmentId: string, ssh: SshTunnel): Promise<Duplex> {
    if (this.sshd === null) throw new TunnelError("the shell's image has no sshd");
    return this.sshd(ssh);
  }
}

export function said(of: OutputPiece["of"], text: string): OutputPiece {
  return { of, bytes: Buffer.from(text) };
}
