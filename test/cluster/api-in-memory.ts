/** The public HTTP interface over a store in memory: for clients of it that need no agent, and its document. */
import { rolledOut, rollOutFailed } from "@elastic/coordinator/domain/service.ts";
import { startHttpFixture } from "@elastic/coordinator/http/testing/http-fixture.ts";
import { replace } from "@elastic/coordinator/store/change.ts";

export interface ApiInMemory extends AsyncDisposable {
  readonly url: string;
  /** Of a team named `team own`. */
  readonly key: string;
  /** What the scheduler does when the service's next deployment has a ready workload. */
  rollOut(serviceId: string): Promise<void>;
  /** What the scheduler does when it does not come up. */
  failRollOut(serviceId: string, message: string): Promise<void>;
  /** The OpenAPI document. */
  document(): Promise<object>;
}

export async function startApiInMemory(): Promise<ApiInMemory> {
  const fixture = await startHttpFixture();
  const { store, url } = fixture;
  const nextDeploymentOf = async (serviceId: string) => {
    const service = await store.get("services", serviceId);
    if (service === null) throw new Error(`no service ${serviceId}`);
    return service;
  };
  return {
    url,
    key: fixture.own.key,
    async rollOut(serviceId) {
      const service = await nextDeploymentOf(serviceId);
      await store.commit([replace("services", service, rolledOut(service.value))]);
    },
    async failRollOut(serviceId, message) {
      const service = await nextDeploymentOf(serviceId);
      const failed = rollOutFailed(service.value, "image_unavailable", message);
      await store.commit([replace("services", service, failed)]);
    },
    async document() {
      const answer = await fetch(`${url}/v1/openapi.json`);
      return (await answer.json()) as object;
    },
    [Symbol.asyncDispose]: () => fixture.close(),
  };
}
