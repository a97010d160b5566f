import { afterAll, beforeAll, expect, test } from "vitest";
import { findUser } from "../../accounts/find-account.ts";
import { setOperator } from "../../accounts/set-operator.ts";
import { OPERATOR_LOGIN_MS } from "../../domain/session.ts";
import { browse, sessionCookie } from "../testing/browser.ts";
import { type HttpFixture, startHttpFixture } from "../testing/http-fixture.ts";

let api: HttpFixture;

beforeAll(async () => {
  api = await startHttpFixture();
  await setOperator(api.store, findUser(api.store.view, api.own.userId), true);
});
afterAll(() => api.close());

const recently = (): Promise<string> => sessionCookie(api, api.own, Date.now());
const longAgo = (): Promise<string> => sessionCookie(api, api.own, Date.now() - OPERATOR_LOGIN_MS);

test("opens the fleet to an operator who logged in within the last hour, and says until when", async () => {
  const cookie = await recently();
  expect((await browse(api, "/nodes", { cookie })).status).toBe(200);
  const me = (await browse(api, "/me", { cookie })).json;
  expect(me).toMatchObject({ operator: true, operator_until: expect.stringMatching(/^\d{4}-/) });
});

test("rejects an operator's older login with a code that requests a new one", async () => {
  const cookie = await longAgo();
  expect(await browse(api, "/nodes", { cookie })).toMatchObject({ status: 403, json: { code: "login_too_old" } });
  expect((await browse(api, "/services", { cookie })).status).toBe(200);
  expect((await browse(api, "/me", { cookie })).json).toMatchObject({ operator: true, operator_until: null });
});

test("gives the operators' scopes to no other user, and to no key of an operator", async () => {
  const cookie = await sessionCookie(api, api.other, Date.now());
  expect(await browse(api, "/nodes", { cookie })).toMatchObject({ status: 403, json: { code: "scope_missing" } });
  expect((await browse(api, "/me", { cookie })).json).toMatchObject({ operator: false, operator_until: null });
  for (const scope of ["nodes", "admin"]) {
    const body = JSON.stringify({ name: "kept", scopes: [scope] });
    const refused = await browse(api, "/keys", { cookie: await recently(), body });
    expect(refused).toMatchObject({ status: 403, json: { code: "beyond_key" } });
  }
});

test("takes the operators' scopes from sessions that are open when a user stops being one", async () => {
  const cookie = await recently();
  await setOperator(api.store, findUser(api.store.view, api.own.userId), false);
  expect((await browse(api, "/nodes", { cookie })).json.code).toBe("scope_missing");
  await setOperator(api.store, findUser(api.store.view, api.own.userId), true);
  expect((await browse(api, "/nodes", { cookie })).status).toBe(200);
});
