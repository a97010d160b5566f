/** GET /v1/shell-offer: what a new shell may request in this installation. */

import { egressRuleText } from "@elastic/std/net/egress-rule.ts";
import { z } from "zod";
import { refusals } from "../../public/refusals.ts";
import { type CallerDeps, requireKey } from "../access/caller.ts";
import type { App } from "../endpoint/fastify-app.ts";
import type { ShellDeps } from "./shell-offer.ts";

const schema = {
  operationId: "getShellOffer",
  summary: "What a new shell may request",
  tags: ["shells"],
  response: {
    200: z
      .object({
        images: z.array(z.string()).describe("The default first; empty where the installation offers no shells."),
        egress: z.array(z.string()).describe("Where shells that request it may connect."),
      })
      .meta({ id: "ShellOffer" }),
    ...refusals(401, 403, 429, 503),
  },
};

export function getShellOffer(app: App, { shells, ...deps }: CallerDeps & ShellDeps): void {
  app.route({
    method: "GET",
    url: "/v1/shell-offer",
    schema,
    onRequest: requireKey(deps, "shells"),
    handler: async (_request, reply) =>
      reply.send({ images: [...shells.images.keys()], egress: shells.egress.map(egressRuleText) }),
  });
}
