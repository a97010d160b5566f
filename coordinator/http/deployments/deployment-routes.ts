/** The endpoints of deployments. */
import type { App } from "../fastify-app.ts";
import type { HttpDeps } from "../http-deps.ts";
import { createDeployment } from "./create-deployment.ts";
import { deploymentEvents } from "./deployment-events.ts";
import { getDeployment } from "./get-deployment.ts";
import { listBuiltinProvers } from "./list-builtin-provers.ts";
import { listDeployments } from "./list-deployments.ts";
import { rollBack } from "./roll-back.ts";

export function deploymentRoutes(app: App, deps: HttpDeps): void {
  createDeployment(app, deps);
  listDeployments(app, deps);
  getDeployment(app, deps);
  deploymentEvents(app, deps);
  rollBack(app, deps);
  listBuiltinProvers(app, deps);
}
