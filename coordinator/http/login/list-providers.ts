/** GET /v1/login/providers: what the login page has a button for. */
import { z } from "zod";
import type { ProviderDeps } from "../deps/provider-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";

const providerSchema = z
  .object({
    name: z.string().describe("In `/v1/login/{provider}`."),
    title: z.string().describe("For a person."),
  })
  .meta({ id: "LoginProvider" });

const schema = {
  operationId: "listLoginProviders",
  summary: "List the providers that users log in with",
  tags: ["login"],
  security: [],
  response: { 200: z.object({ items: z.array(providerSchema) }) },
};

export function listProviders(app: App, { providers }: ProviderDeps): void {
  app.route({
    method: "GET",
    url: "/v1/login/providers",
    schema,
    handler: async (_request, reply) => reply.send({ items: providers.map(({ name, title }) => ({ name, title })) }),
  });
}
