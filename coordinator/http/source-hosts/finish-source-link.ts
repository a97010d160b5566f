/**
 * GET /v1/source-hosts/:host/callback: the browser comes back from the host. It must be the one that started the link, in the
 * same session, within ten minutes, and once. What the connection may read is what the user's own token lists.
 */
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { audit } from "../../auth/audit.ts";
import { sourceLinkCookie } from "../../auth/login-cookies.ts";
import { LOGIN_MS } from "../../domain/used-login.ts";
import { HOME } from "../../login/return-path.ts";
import { redirectionSchema } from "../../public/redirection.ts";
import { type LinkTransaction, openLink } from "../../source-hosts/link-transaction.ts";
import { addressOf, type CallerDeps } from "../access/caller.ts";
import type { SecretDeps } from "../deps/secret-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { redirectInto } from "../login/redirects.ts";
import { type ConnectDeps, connectAccount } from "./connect-account.ts";
import type { SourceHostDeps } from "./find-source.ts";
import { LinkError, linkErrorOf } from "./link-error.ts";
import { sourceCallbackUrl } from "./start-source-link.ts";

/** Each may wait for its host. */
const AT_ONCE_MAX = 100;

const schema = {
  operationId: "finishSourceLink",
  summary: "Come back from a source host",
  description: "For a browser that a source host leads here. It ends in the console.",
  tags: ["sources"],
  security: [],
  params: z.object({ host: z.string() }),
  response: { 303: redirectionSchema },
};

export function finishSourceLink(app: App, deps: CallerDeps & ConnectDeps & SourceHostDeps): void {
  let finishing = 0;
  app.route({
    method: "GET",
    url: "/v1/source-hosts/:host/callback",
    exposeHeadRoute: false,
    schema,
    // Hosts add their own parameters.
    config: { takesAnyQuery: true },
    handler: async (request, reply) => {
      const { host: name } = request.params;
      const link = carriedLink(deps, request);
      finishing += 1;
      try {
        deps.admission.rates.admitUnauthenticated(addressOf(request));
        if (finishing > AT_ONCE_MAX) throw new LinkError("unavailable");
        const id = await finish(deps, request, name, link);
        return redirectBack(reply, deps, link, { connection_id: id });
      } catch (error) {
        const code = linkErrorOf(error);
        const facts = { requestId: request.id, host: link?.host ?? null, userId: link?.userId ?? null, why: code };
        audit(deps.log, "source_link_failed", facts);
        if (code === null || isFaultOfHost(code)) {
          deps.log.warn({ requestId: request.id, err: error }, "a link to a source host failed");
        }
        // One of this browser that is still on its way is left alone.
        const ended = code === "link_not_started" ? null : link;
        return redirectBack(reply, deps, ended, {
          source_error: code ?? "unavailable",
          ...(link && { source_host: link.host }),
        });
      } finally {
        finishing -= 1;
      }
    },
  });
}

async function finish(
  deps: ConnectDeps & SourceHostDeps,
  request: FastifyRequest,
  name: string,
  link: LinkTransaction | null,
): Promise<string> {
  const { clock, publicUrl, sourceHosts } = deps;
  const parameters = new URL(request.url, publicUrl()).searchParams;
  if (link === null || link.host !== name || only(parameters, "state") !== link.state) {
    throw new LinkError("link_not_started");
  }
  if (link.startedAt + LOGIN_MS <= clock.now()) throw new LinkError("link_expired");
  const host = sourceHosts.find((one) => one.name === name);
  if (host === undefined) throw new LinkError("host_unknown");
  if (parameters.has("error")) throw new LinkError("declined");
  // A member of an organization has requested its owners to install the app.
  if (only(parameters, "setup_action") === "request") throw new LinkError("approval_pending");
  const code = only(parameters, "code");
  // The page of installations takes no challenge, and names the one that the user chose.
  const isChosen = host.installationUrl !== null && link.connection === null;
  const installationId = isChosen ? only(parameters, "installation_id") : (link.connection?.installationId ?? null);
  const isNamed = !isChosen || /^[1-9]\d{0,11}$/.test(installationId ?? "");
  if (code === null || !isNamed) throw new LinkError("host_invalid");
  const verifier = isChosen ? null : link.verifier;
  const redirectUri = sourceCallbackUrl(publicUrl(), name);
  return connectAccount(deps, request, {
    host,
    link,
    installationId,
    redeem: () => host.redeemCode(code, redirectUri, verifier),
  });
}

/** Only operators can do something about it. */
function isFaultOfHost(code: string): boolean {
  return code === "host_down" || code === "host_invalid" || code === "app_rejected";
}

/** Null where it is absent, empty or there more than once. */
function only(parameters: URLSearchParams, name: string): string | null {
  const [value = "", ...more] = parameters.getAll(name);
  return value === "" || more.length > 0 ? null : value;
}

/** The link that this browser carries. */
function carriedLink(
  { secrets, publicUrl }: Pick<CallerDeps, "publicUrl"> & SecretDeps,
  { headers }: FastifyRequest,
): LinkTransaction | null {
  const sealed = sourceLinkCookie.read(headers.cookie, publicUrl());
  return sealed === null ? null : openLink(secrets, sealed);
}

/** `link` is null where the browser keeps what it carries. */
function redirectBack(
  reply: FastifyReply,
  deps: Pick<CallerDeps, "publicUrl">,
  link: LinkTransaction | null,
  query: Readonly<Record<string, string>>,
): FastifyReply {
  const { publicUrl } = deps;
  const back = new URL(link?.returnTo ?? HOME, new URL(publicUrl()).origin);
  for (const [name, value] of Object.entries(query)) back.searchParams.set(name, value);
  if (link !== null) reply.header("set-cookie", sourceLinkCookie.setCookie(null, publicUrl()));
  return redirectInto(reply, deps, back.pathname + back.search + back.hash);
}
