/** Who may open a terminal in a browser: attempts without a right to it, each of which must fail. */
import { systemClock } from "@elastic/std/clock.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { giveTicket } from "../../auth/terminal-tickets.ts";
import { TERMINAL_TICKET_MS } from "../../domain/terminal-ticket.ts";
import { said } from "../../shells/testing/fake-shells.ts";
import { create } from "../../store/change.ts";
import { startHttp } from "../server.ts";
import { call, sendRaw } from "../testing/call.ts";
import { addKey } from "../testing/http-fixture.ts";
import { TerminalClient } from "./testing/terminal-client.ts";
import { startTerminalFixture, type TerminalFixture } from "./testing/terminal-fixture.ts";

let terminals: TerminalFixture;

beforeAll(async () => {
  terminals = await startTerminalFixture(async function* (tunnel) {
    yield said("stdout", "$ ");
    await tunnel.allInput();
    return 0;
  });
});
afterAll(() => terminals[Symbol.asyncDispose]());

const invalid = { status: 403, code: "ticket_invalid" };
const foreign = { status: 403, code: "origin_refused" };

describe("a ticket", () => {
  test("opens one terminal, whoever is faster of two at the same time", async () => {
    const ticket = await terminals.ticket();
    const both = await Promise.all([terminals.dial({ ticket }), terminals.dial({ ticket })]);
    expect(both.filter((one) => one instanceof TerminalClient)).toHaveLength(1);
    expect(both).toContainEqual(invalid);
    expect(await terminals.dial({ ticket })).toEqual(invalid);
  });

  test("is needed, as it was given", async () => {
    const ticket = await terminals.ticket();
    const altered = ticket.replace(/.$/, (last) => (last === "0" ? "1" : "0"));
    for (const bad of [undefined, "", "ett_", altered, ticket.slice(0, -1), "%00", "x".repeat(200)]) {
      expect(await terminals.dial(bad === undefined ? {} : { ticket: bad })).toEqual(invalid);
    }
    expect(await terminals.dial({ ticket: "x".repeat(201) })).toMatchObject({ status: 422 });
    // None of that has used it.
    expect(await terminals.dial({ ticket })).toBeInstanceOf(TerminalClient);
  });

  test("ends after half a minute", async () => {
    const { own, store } = terminals.api;
    const [keyId = ""] = [...store.view.accessKeys.values()].flatMap(({ value }) =>
      value.userId === own.userId ? [value.id] : [],
    );
    const holder = { userId: own.userId, keyId, shellId: terminals.shellId };
    const past = (ms: number) => ({ now: () => systemClock.now() - ms });
    const expired = await giveTicket(store, holder, past(TERMINAL_TICKET_MS));
    expect(await terminals.dial({ headers: terminals.program, ticket: expired.text })).toEqual(invalid);
    const younger = await giveTicket(store, holder, past(TERMINAL_TICKET_MS - 10_000));
    expect(await terminals.dial({ headers: terminals.program, ticket: younger.text })).toBeInstanceOf(TerminalClient);
  });

  test("is of one shell", async () => {
    const other = await terminals.newShell();
    expect(await terminals.dial({ ticket: await terminals.ticket(terminals.browser, other) })).toEqual(invalid);
  });

  test("is of one session or key: not of another of the same user, nor of another member's", async () => {
    const { api } = terminals;
    const now = Date.now();
    await api.store.commit([
      create("memberships", { userId: api.other.userId, teamId: api.own.teamId, role: "member", createdAt: now }),
    ]);
    const others = await Promise.all([terminals.newBrowser(), terminals.newBrowser(api.other)]);
    for (const headers of [...others, terminals.program, { "x-api-key": api.other.key }]) {
      expect(await terminals.dial({ ticket: await terminals.ticket(headers) })).toEqual(invalid);
      expect(await terminals.dial({ ticket: await terminals.ticket(), headers })).toEqual(invalid);
    }
  });

  test("is given by nobody else's page, to nobody without the scope, and for no shell that is not up", async () => {
    const { api, shellId } = terminals;
    const path = (id: string) => `${api.url}/v1/shells/${id}/terminal-tickets`;
    const post = (id: string, headers: Readonly<Record<string, string>>) => call(path(id), { method: "POST", headers });
    const { cookie = "" } = terminals.browser;
    for (const headers of [{ cookie }, { cookie, origin: "https://evil.example" }]) {
      expect(await post(shellId, headers)).toMatchObject({ status: 403, json: { code: "origin_refused" } });
    }
    const { userId, teamId } = api.own;
    const narrow = await addKey(api.store, { userId, defaultTeamId: teamId, scopes: ["services"] });
    expect(await post(shellId, { "x-api-key": narrow })).toMatchObject({
      status: 403,
      json: { code: "scope_missing" },
    });
    const stopped = (await call(`${api.url}/v1/shells`, { key: api.own.key, body: "{}" })).json.shell_id;
    expect(await post(stopped, terminals.program)).toMatchObject({ status: 409, json: { code: "shell_not_ready" } });
    const lone = await startHttp({ ...api.options, shellTerminals: null });
    const refused = await call(`${lone.url}/v1/shells/${shellId}/terminal-tickets`, {
      method: "POST",
      key: api.own.key,
    });
    expect(refused).toMatchObject({ status: 409, json: { code: "no_terminal" } });
    await lone.stop();
  });
});

describe("a page of another site", () => {
  test("opens no terminal with the cookie that the browser sends along, ticket or not", async () => {
    const { api, browser } = terminals;
    const { port } = new URL(api.url);
    const { cookie = "" } = browser;
    const origins: readonly Readonly<Record<string, string>>[] = [
      {},
      { origin: "null" },
      { origin: "https://evil.example" },
      { origin: `http://127.0.0.1:${Number(port) + 1}` },
      { origin: `http://localhost:${port}` },
      { origin: `https://127.0.0.1:${port}` },
      { origin: `${api.url}.evil.example` },
      { origin: `http://rebound.example:${port}`, host: `rebound.example:${port}` },
      { origin: api.url, "sec-fetch-site": "cross-site" },
      { origin: api.url, "sec-fetch-site": "same-site" },
    ];
    for (const headers of origins) {
      const ticket = await terminals.ticket();
      expect([headers, await terminals.dial({ ticket, headers: { cookie, ...headers } })]).toEqual([headers, foreign]);
    }
  });

  test("opens none with a key either, which only programs without an Origin need not name", async () => {
    const headers = { ...terminals.program, origin: "https://evil.example" };
    expect(await terminals.dial({ ticket: await terminals.ticket(terminals.program), headers })).toEqual(foreign);
    const ticket = await terminals.ticket(terminals.program);
    expect(await terminals.dial({ ticket, headers: terminals.program })).toBeInstanceOf(TerminalClient);
  });
});

test("nobody opens a terminal without a session or key, or of a shell that is not the team's", async () => {
  const ticket = await terminals.ticket();
  const { origin = "" } = terminals.browser;
  expect(await terminals.dial({ ticket, headers: { origin } })).toEqual({ status: 401, code: "key_missing" });
  const cookie = `${terminals.browser.cookie}x`;
  expect(await terminals.dial({ ticket, headers: { origin, cookie } })).toMatchObject({ status: 401 });
  const notFound = { status: 404, code: "not_found" };
  const others = await terminals.newShell(terminals.api.other);
  for (const shellId of [others, "0".repeat(32), "..%2f", "x"]) {
    expect(await terminals.dial({ shellId, ticket })).toEqual(notFound);
  }
});

describe("a request to upgrade to another protocol", () => {
  test("is refused at the terminal's path, where only a WebSocket is served", async () => {
    const path = `${terminals.api.url}/v1/shells/${terminals.shellId}/terminal?ticket=${await terminals.ticket()}`;
    const refused = await call(path, { headers: terminals.browser });
    expect([refused.status, refused.json.code, refused.headers.get("upgrade")]).toEqual([
      426,
      "upgrade_required",
      "websocket",
    ]);
  });

  test.each(["websocket", "h2c"])(
    "gets the same response as without the upgrade at any other path: %s",
    async (protocol) => {
      const { url, own } = terminals.api;
      const head = ["GET /v1/me HTTP/1.1", "host: x", `x-api-key: ${own.key}`, `upgrade: ${protocol}`];
      const response = await sendRaw(url, [...head, "connection: upgrade, close", "", ""].join("\r\n"));
      expect(response.status).toBe(200);
    },
  );

  test("is refused without a handshake that is one, and its connection is closed", async () => {
    const { url, own } = terminals.api;
    const ticket = await terminals.ticket(terminals.program);
    const path = `/v1/shells/${terminals.shellId}/terminal?ticket=${ticket}`;
    const head = [`GET ${path} HTTP/1.1`, "host: x", `x-api-key: ${own.key}`, "upgrade: websocket"];
    const response = await sendRaw(url, [...head, "connection: upgrade", "", ""].join("\r\n"));
    expect(response.status).toBe(400);
  });
});
