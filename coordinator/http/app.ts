/** The API without its socket: hooks, endpoints, and the responses to errors. */
import { type FastifyBaseLogger, fastify, LogController } from "fastify";
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from "fastify-type-provider-zod";
import { respondToOtherOrigins } from "./access/cors.ts";
import { recheckCallers } from "./access/recheck-callers.ts";
import { auditRoutes } from "./audit/audit-routes.ts";
import { authorizedKeyRoutes } from "./authorized-keys/authorized-key-routes.ts";
import { batchRoutes } from "./batches/batch-routes.ts";
import { boundBodyTime, LONGEST_BODY_MS } from "./body/body-deadline.ts";
import { refuseEncoding, takeRawJson } from "./body/raw-json.ts";
import { buildRoutes } from "./builds/build-routes.ts";
import { consoleRoutes } from "./console/console-routes.ts";
import { deploymentRoutes } from "./deployments/deployment-routes.ts";
import { deviceRoutes } from "./device/device-routes.ts";
import type { App } from "./endpoint/fastify-app.ts";
import type { HttpDeps } from "./http-deps.ts";
import { invitationRoutes } from "./invitations/invitation-routes.ts";
import { joinTokenRoutes } from "./join-tokens/join-token-routes.ts";
import { keyRoutes } from "./keys/key-routes.ts";
import { refuseUnknownQuery } from "./known-query.ts";
import { refuseNearlyFull } from "./limits/refuse-nearly-full.ts";
import { linkedAccountRoutes } from "./linked-accounts/linked-account-routes.ts";
import { loginRoutes } from "./login/login-routes.ts";
import { meRoutes } from "./me/me-routes.ts";
import { nodeRoutes } from "./nodes/node-routes.ts";
import { respondToOddRequests } from "./odd-requests.ts";
import { describeAccess } from "./operations/describe-access.ts";
import { describeRefusals } from "./operations/describe-refusals.ts";
import { describeEndpoints } from "./operations/openapi.ts";
import { operationRoutes } from "./operations/operation-routes.ts";
import { operatorRoutes } from "./operators/operator-routes.ts";
import { poolRoutes } from "./pools/pool-routes.ts";
import { respondToClientError } from "./problems/client-error.ts";
import { isClosing } from "./problems/closing-sockets.ts";
import { handleError } from "./problems/error-handler.ts";
import { refuseChangedStore } from "./problems/refuse-changed-store.ts";
import { registryRoutes } from "./registry/registry-routes.ts";
import { refuseDuplicates, refuseOddHead, requestIdOf } from "./request-head.ts";
import { searchRoutes } from "./search/search-routes.ts";
import { serviceRoutes } from "./services/service-routes.ts";
import { sessionRoutes } from "./sessions/session-routes.ts";
import { shellRoutes } from "./shells/shell-routes.ts";
import { sourceHostRoutes } from "./source-hosts/source-host-routes.ts";
import { taskRoutes } from "./tasks/task-routes.ts";
import { teamRoutes } from "./teams/team-routes.ts";
import { terminalRoutes } from "./terminals/terminal-routes.ts";
import { routeUpgrades, shouldUpgrade } from "./terminals/web-sockets.ts";
import { respondToUnmatched } from "./unmatched.ts";
import { uploadRoutes } from "./uploads/upload-routes.ts";
import { usageRoutes } from "./usage/usage-routes.ts";
import { volumeRoutes } from "./volumes/volume-routes.ts";
import { webhookRoutes } from "./webhooks/webhook-routes.ts";

const HEADERS_TIMEOUT_MS = 15_000;
/** Node's own limit. */
const HEAD_BYTES_MAX = 16 * 1024;
/** Above the longest `?wait=`, during which a connection is silent. */
const CONNECTION_TIMEOUT_MS = 330_000;
/** Above the 60 s after which common load balancers drop an idle connection themselves. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;

export async function buildApp(deps: HttpDeps): Promise<App> {
  const app = fastify({
    loggerInstance: deps.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: (logger) => logger,
    genReqId: requestIdOf,
    trustProxy: deps.trustedProxies.length === 0 ? false : [...deps.trustedProxies],
    requestTimeout: LONGEST_BODY_MS,
    connectionTimeout: CONNECTION_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    forceCloseConnections: "idle",
    return503OnClosing: false,
    // A missing Host is refused below, in the form of refusals.
    http: { headersTimeout: HEADERS_TIMEOUT_MS, requireHostHeader: false, shouldUpgradeCallback: shouldUpgrade },
    // As long as a head may be: what is too long for an id is no id, and is refused as one that is unknown.
    routerOptions: { maxParamLength: HEAD_BYTES_MAX },
    frameworkErrors: (error, request, reply) => {
      handleError(error, request, reply);
    },
    clientErrorHandler: respondToClientError,
  }).withTypeProvider<ZodTypeProvider>();
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.setErrorHandler(handleError);
  app.decorateRequest("accessKey", null);
  takeRawJson(app);
  addHooks(app, deps);
  respondToOtherOrigins(app, deps);
  refuseChangedStore(app, deps);
  respondToUnmatched(app, deps.consoleFolder === null ? null : await consoleRoutes(app, deps.consoleFolder));
  respondToOddRequests(app);
  routeUpgrades(app);
  refuseUnknownQuery(app);
  describeAccess(app);
  recheckCallers(app);
  refuseNearlyFull(app, deps);
  describeRefusals(app);
  await describeEndpoints(app);
  addEndpoints(app, deps);
  return app;
}

function addHooks(app: App, { metrics, log, requestAudit }: Pick<HttpDeps, "metrics" | "log" | "requestAudit">): void {
  app.addHook("onRequest", (request, reply, done) => {
    // An earlier response announced that this connection closes.
    if (isClosing(request.raw.socket)) {
      reply.hijack();
      request.raw.socket.destroy();
      return;
    }
    refuseDuplicates(request.raw);
    refuseOddHead(request.raw);
    refuseEncoding(request);
    boundBodyTime(request);
    reply.header("x-request-id", request.id);
    reply.header("cache-control", "no-store");
    reply.header("x-content-type-options", "nosniff");
    done();
  });
  // Last before the endpoint: by then it is known who calls.
  app.addHook("preHandler", (request, _reply, done) => requestAudit.run(request, done));
  app.addHook("onResponse", (request, reply, done) => {
    const route = request.routeOptions.url ?? "unmatched";
    metrics.http.responded(route, request.method, reply.statusCode, reply.elapsedTime);
    if (log.isLevelEnabled("debug")) {
      const { method, id: requestId } = request;
      log.debug({ requestId, method, route, status: reply.statusCode, elapsedMs: reply.elapsedTime }, "responded");
    }
    done();
  });
}

function addEndpoints(app: App, deps: HttpDeps): void {
  taskRoutes(app, deps);
  batchRoutes(app, deps);
  uploadRoutes(app, deps);
  sessionRoutes(app, deps);
  loginRoutes(app, deps);
  linkedAccountRoutes(app, deps);
  deviceRoutes(app, deps);
  meRoutes(app, deps);
  keyRoutes(app, deps);
  authorizedKeyRoutes(app, deps);
  teamRoutes(app, deps);
  auditRoutes(app, deps);
  usageRoutes(app, deps);
  searchRoutes(app, deps);
  invitationRoutes(app, deps);
  joinTokenRoutes(app, deps);
  poolRoutes(app, deps);
  nodeRoutes(app, deps);
  operatorRoutes(app, deps);
  serviceRoutes(app, deps);
  deploymentRoutes(app, deps);
  buildRoutes(app, deps);
  volumeRoutes(app, deps);
  terminalRoutes(app, deps);
  shellRoutes(app, deps);
  registryRoutes(app, deps);
  webhookRoutes(app, deps);
  sourceHostRoutes(app, deps);
  operationRoutes(app, deps);
}
