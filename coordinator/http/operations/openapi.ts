/** GET /v1/openapi.json: made from the schemas that the endpoints are made of. */
import swagger from "@fastify/swagger";
import { jsonSchemaTransform, jsonSchemaTransformObject } from "fastify-type-provider-zod";
import { z } from "zod";
import type { App } from "../endpoint/fastify-app.ts";
import { withoutSchemaCompilation } from "../endpoint/without-schema-compilation.ts";
import { WEBHOOK_EVENTS } from "../webhooks/webhook-document.ts";
import { finishDocument } from "./finish-document.ts";

/** Must be registered before the endpoints. */
export async function describeEndpoints(app: App): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Elastic Proving Service",
        version: "1",
        description: "Deploy provers, submit proof tasks, read results. Errors are RFC 9457 problem details.",
        license: { name: "MIT OR Apache-2.0", identifier: "MIT OR Apache-2.0" },
      },
      servers: [{ url: "/" }],
      security: [{ accessKey: [] }],
      webhooks: WEBHOOK_EVENTS,
      components: {
        securitySchemes: {
          accessKey: {
            type: "apiKey",
            in: "header",
            name: "x-api-key",
            description: "An access key. It may be sent as `Authorization: Bearer <key>` too (bearerAuth).",
          },
          bearerAuth: {
            type: "http",
            scheme: "bearer",
            description: "An access key, as in the header `x-api-key`; where both are there, that header counts.",
          },
          session: { type: "apiKey", in: "cookie", name: "__Host-elastic_session" },
          registryPassword: { type: "http", scheme: "basic" },
        },
      },
    },
    transform: jsonSchemaTransform,
    transformObject: jsonSchemaTransformObject,
  });
}

export function openApiDocument(app: App): void {
  let text: string | null = null;
  app.route({
    method: "GET",
    url: "/v1/openapi.json",
    schema: {
      operationId: "getOpenApi",
      summary: "This document",
      tags: ["operations"],
      security: [],
      response: { 200: z.record(z.string(), z.unknown()) },
    },
    ...withoutSchemaCompilation,
    handler: async (_request, reply) => {
      text ??= JSON.stringify(finishDocument({ ...app.swagger() }));
      return reply.type("application/json; charset=utf-8").send(text as never);
    },
  });
}
