/** The API with shells that are up, whose containers are programs of the test. */
import { systemClock } from "@elastic/std/clock.ts";
import { createLog } from "@elastic/std/log.ts";
import { aShellAssignment } from "../../../domain/testing/records.ts";
import { RecordDirectory } from "../../../shells/record-directory.ts";
import { FakeTunnels, type Program } from "../../../shells/testing/fake-shells.ts";
import { webTerminals } from "../../../shells/web-terminals.ts";
import { create } from "../../../store/change.ts";
import { sessionCookie } from "../../testing/browser.ts";
import { call } from "../../testing/call.ts";
import { type HttpFixture, startHttpFixture, type Tenant } from "../../testing/http-fixture.ts";
import { readyShell } from "../../testing/tenant-things.ts";
import { dialTerminal, type Refused, TerminalClient, type TerminalClientOptions } from "./terminal-client.ts";

export interface TerminalFixture extends AsyncDisposable {
  readonly api: HttpFixture;
  readonly tunnels: FakeTunnels;
  /** Of the own team, and up. */
  readonly shellId: string;
  /** Headers of a browser that is logged in, or of a client with a key. */
  readonly browser: Readonly<Record<string, string>>;
  readonly program: Readonly<Record<string, string>>;
  newShell(tenant?: Tenant): Promise<string>;
  newBrowser(tenant?: Tenant): Promise<Readonly<Record<string, string>>>;
  ticket(headers?: Readonly<Record<string, string>>, shellId?: string): Promise<string>;
  dial(options: Partial<TerminalClientOptions>): Promise<TerminalClient | Refused>;
  /** One that is open, with a new ticket. */
  open(options?: Partial<TerminalClientOptions>): Promise<TerminalClient>;
}

/** The id of the only assignment that has a tunnel; each shell is of it. */
const ASSIGNMENT = "a1";

export async function startTerminalFixture(program: Program): Promise<TerminalFixture> {
  const api = await startHttpFixture();
  const tunnels = new FakeTunnels(program);
  const log = createLog({ name: "test", level: "silent" });
  const directory = new RecordDirectory({ store: api.store, secrets: api.secrets, clock: systemClock, log });
  const unfollow = directory.start();
  api.shellTerminals = webTerminals({ directory, tunnels, clock: systemClock, log });
  const newShell = async (tenant: Tenant = api.own): Promise<string> => {
    const { json } = await call(`${api.url}/v1/shells`, { key: tenant.key, body: "{}" });
    return await readyShell(api, json.shell_id);
  };
  const newBrowser = async (tenant: Tenant = api.own) => ({
    cookie: await sessionCookie(api, tenant, Date.now()),
    origin: api.url,
  });
  const shellId = await newShell();
  await api.store.commit([create("assignments", aShellAssignment({ id: shellId }, "n1", { id: ASSIGNMENT }))]);
  const fixture: TerminalFixture = {
    api,
    tunnels,
    shellId,
    browser: await newBrowser(),
    program: { "x-api-key": api.own.key },
    newShell,
    newBrowser,
    async ticket(headers = fixture.browser, of = shellId) {
      const path = `/v1/shells/${of}/terminal-tickets`;
      const { status, text } = await call(`${api.url}${path}`, { method: "POST", headers });
      if (status !== 201) throw new Error(`no ticket: ${status} ${text}`);
      return JSON.parse(text).ticket;
    },
    dial: (options) => dialTerminal(api.url, { shellId, headers: fixture.browser, ...options }),
    async open(options = {}) {
      const opened = await fixture.dial({ ticket: await fixture.ticket(options.headers), ...options });
      if (!(opened instanceof TerminalClient)) throw new Error(`refused: ${opened.status} ${opened.code}`);
      return opened;
    },
    [Symbol.asyncDispose]: async () => {
      unfollow();
      await api.close();
    },
  };
  return fixture;
}
