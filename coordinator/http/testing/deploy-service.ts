/** A new service of the own team with a first deployment, as a client makes them. */
import { newId } from "@elastic/std/ids.ts";
import { type CallResponse, call } from "./call.ts";
import type { HttpFixture } from "./http-fixture.ts";

export async function deployService(
  api: HttpFixture,
  deployment: object,
  image = `r:1/prover@sha256:${"1".repeat(64)}`,
): Promise<CallResponse & { readonly serviceId: string }> {
  const { key } = api.own;
  const name = `prover-${newId(Date.now())}`;
  const created = await call(`${api.url}/v1/services`, { key, body: JSON.stringify({ service_name: name }) });
  api.image = { kind: "resolved", image, tag: null };
  const body = JSON.stringify({ image: "r:1/prover", ...deployment });
  const response = await call(`${created.json.service_url}/deployments`, { key, body });
  return { ...response, serviceId: created.json.service_id };
}
