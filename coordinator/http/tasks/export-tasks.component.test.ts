import { afterAll, beforeAll, expect, test } from "vitest";
import type { Service } from "../../domain/service.ts";
import { type CallResponse, call } from "../testing/call.ts";
import { addKey, addReadyService, type HttpFixture, startHttpFixture } from "../testing/http-fixture.ts";
import { moveEnded } from "../testing/move-tasks.ts";
import { claimTask, failTask, succeedTask } from "../testing/run-task.ts";

const FORMULA = '=HYPERLINK("http://evil.example","look")';
/** More than one page of the archive and of the store. */
const TASKS = 230;

let api: HttpFixture;
let service: Service;
/** Newest first. */
let ids: readonly string[];
let succeeded: string;
let failed: string;

beforeAll(async () => {
  api = await startHttpFixture();
  service = await addReadyService(api.store, api.own);
  const made: string[] = [];
  for (let n = 0; n < TASKS; n++) {
    made.push(
      (await call(`${api.url}/v1/services/${service.id}`, { key: api.own.key, body: `{"input":${n}}` })).json.task_id,
    );
    if (n === TASKS / 2) await endSome(made);
  }
  ids = made.toSorted().toReversed();
  [succeeded = "", failed = ""] = made;
});
afterAll(() => api.close());

/** The first of them ends with a result, the second without; both are archived. */
async function endSome([first = "", second = ""]: readonly string[]): Promise<void> {
  await claimTask(api, first);
  await succeedTask(api, first, "proof");
  await claimTask(api, second);
  await failTask(api, second, { reason: "bad_output", message: FORMULA });
  await moveEnded(api);
}

function exported(
  query: string,
  options: { readonly key?: string; readonly team?: string } = {},
): Promise<CallResponse> {
  const headers = options.team === undefined ? {} : { "x-team": options.team };
  return call(`${api.url}/v1/tasks/export${query}`, { key: options.key ?? api.own.key, headers });
}

test("exports every task of the list as CSV, archived ones included, as an attachment", async () => {
  const { status, text, headers } = await exported("");
  expect([status, headers.get("content-type")]).toEqual([200, "text/csv; charset=utf-8; header=present"]);
  expect(headers.get("content-disposition")).toMatch(/^attachment; filename="tasks-\d{4}-\d\d-\d\dT\d{6}\.csv"$/);
  const [head, ...rows] = text.trimEnd().split("\r\n");
  expect(head).toMatch(/^task_id,service_id,service_name,creator_id,state,phase,reason,message,created,/);
  expect(rows.map((row) => row.split(",")[0])).toEqual(ids);
  const rowOf = (id: string) => rows.find((row) => row.startsWith(id));
  expect(rowOf(succeeded)).toContain(",SUCCESS,succeeded,,,");
  expect(rowOf(failed)).toContain(`,FAILURE,failed,bad_output,"'${FORMULA.replaceAll('"', '""')}",`);
});

test("exports as JSON the records that a list has", async () => {
  const response = await exported("?phase=succeeded&format=json");
  const { items } = (await call(`${api.url}/v1/tasks?phase=succeeded`, { key: api.own.key })).json;
  expect(JSON.parse(response.text)).toEqual(items);
  expect(JSON.parse((await exported("?format=json")).text)).toHaveLength(TASKS);
  expect(JSON.parse((await exported("?format=json&reason=node_lost")).text)).toEqual([]);
});

test("exports what the filters leave, of the team that is named in the query or by the header", async () => {
  const rows = async (query: string, options = {}) => (await exported(query, options)).text.split("\r\n").length - 2;
  expect(await rows("?reason=bad_output")).toBe(1);
  expect(await rows(`?service_id=${service.id}&state=PENDING`)).toBe(TASKS - 2);
  expect(await rows(`?id_prefix=${ids[0]}`)).toBe(1);
  expect(await rows("", { key: api.other.key })).toBe(0);
  expect(await rows(`?team_id=${api.own.teamId}`)).toBe(TASKS);
  for (const response of [
    await exported(`?team_id=${api.other.teamId}`),
    await exported("", { team: api.other.teamId }),
  ])
    expect([response.status, response.json.code]).toEqual([404, "not_found"]);
});

test("refuses a key that may not read tasks, and a format that there is not", async () => {
  const { userId, teamId } = api.own;
  const writer = await addKey(api.store, { userId, defaultTeamId: teamId, scopes: ["tasks:write"] });
  expect((await exported("", { key: writer })).status).toBe(403);
  expect((await exported("?format=xlsx")).status).toBe(422);
});
