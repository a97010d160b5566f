/** From a name to a service that is built from a new repository, or from one that was created before. */
import { allPages } from "../api/all-pages.ts";
import { api } from "../api/client.ts";
import { ApiError, dataOf } from "../api/problem.ts";
import type { Service } from "../services/services-query.ts";
import { queryClient } from "../session/query-client.ts";
import { type SourceRepository, sourceQuery } from "../sources/sources-query.ts";
import { startBuild } from "../sources/start-build.ts";
import { createRepository } from "./create-repository.ts";
import { type Facts, isEmpty, nextStep, type Step } from "./next-step.ts";

export interface FirstTry {
  /** Of the service and the repository. */
  readonly name: string;
  readonly connectionId: string;
  /** Null for a new one. */
  readonly repository: SourceRepository | null;
  readonly onStep: (step: Step) => void;
  /** So that a further try creates no second one. */
  readonly onRepository: (repository: SourceRepository) => void;
}

/** Returns the service's id. Throws an ApiError where something is refused. */
export async function runFirstTry(wanted: FirstTry): Promise<string> {
  let facts = await readFacts(wanted);
  for (;;) {
    const step = nextStep(facts);
    wanted.onStep(step);
    if (step === "name_in_use") throw nameInUse(wanted.name);
    if (step === "done") return facts.service?.service_id ?? "";
    facts = await doStep(step, facts, wanted).catch(async (error: unknown) => {
      const now = step === "create_repository" ? await readFacts(wanted) : facts;
      // Another tab was first: its service is gone on with, or named.
      if (nextStep(now) !== step) return now;
      throw error;
    });
  }
}

type Doing = Exclude<Step, "name_in_use" | "done">;

async function doStep(step: Doing, facts: Facts, { name, connectionId, onRepository }: FirstTry): Promise<Facts> {
  const id = facts.service?.service_id ?? "";
  switch (step) {
    case "create_repository": {
      const repository = await createRepository(connectionId, name);
      onRepository(repository);
      return { ...facts, repository };
    }
    case "create_service": {
      const service = await dataOf(api.POST("/v1/services", { body: { service_name: name } }));
      return { ...facts, service };
    }
    case "set_source": {
      const { repository_id = "", default_branch: branch = "" } = facts.repository ?? {};
      const body = { connection_id: connectionId, repository_id, branch, deploy_on_push: true };
      const source = await dataOf(api.PUT("/v1/services/{id}/source", { params: { path: { id } }, body }));
      return { ...facts, source };
    }
    case "start_build":
      await startBuild(id);
      return { ...facts, hasBuild: true };
  }
}

async function readFacts({ name, repository }: FirstTry): Promise<Facts> {
  const service = await serviceNamed(name);
  if (service === null || !isEmpty(service)) return { service, source: null, hasBuild: false, repository };
  const { service_id: id } = service;
  const [source, builds] = await Promise.all([
    queryClient.fetchQuery({ ...sourceQuery(id), staleTime: 0 }),
    dataOf(api.GET("/v1/services/{id}/builds", { params: { path: { id }, query: { size: 1 } } })),
  ]);
  return { service, source, hasBuild: builds.items.length > 0, repository };
}

/** Names are the same whatever their upper and lower case. */
export async function serviceNamed(name: string): Promise<Service | null> {
  const { items } = await allPages((query) => dataOf(api.GET("/v1/services", { params: { query } })));
  const wanted = name.toLowerCase();
  return items.find((one) => one.state !== "Deleted" && one.service_name.toLowerCase() === wanted) ?? null;
}

function nameInUse(name: string): ApiError {
  const detail = `The team has a service of the name ${name} that runs or is built already. Choose another name.`;
  return new ApiError(409, { code: "service_name_taken", detail });
}
