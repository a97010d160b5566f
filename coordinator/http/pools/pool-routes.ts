/** The endpoints of pools. */
import type { CallerDeps } from "../access/caller.ts";
import type { EgressDeps } from "../deps/egress-deps.ts";
import type { SecretDeps } from "../deps/secret-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import type { EnrollmentDeps } from "../join-tokens/create-join-token.ts";
import type { PoolCommandDeps } from "./check-driver-command.ts";
import { createPoolToken } from "./create-pool-token.ts";
import { deletePool } from "./delete-pool.ts";
import type { PoolDeps } from "./find-pool.ts";
import { getPool } from "./get-pool.ts";
import { listPoolTokens } from "./list-pool-tokens.ts";
import { listPools } from "./list-pools.ts";
import { putPool } from "./put-pool.ts";
import { resumePool } from "./resume-pool.ts";
import { revokePoolToken } from "./revoke-pool-token.ts";

type Deps = CallerDeps & PoolDeps & PoolCommandDeps & EgressDeps & SecretDeps & EnrollmentDeps;

export function poolRoutes(app: App, deps: Deps): void {
  listPools(app, deps);
  getPool(app, deps);
  putPool(app, deps);
  deletePool(app, deps);
  resumePool(app, deps);
  createPoolToken(app, deps);
  listPoolTokens(app, deps);
  revokePoolToken(app, deps);
}
