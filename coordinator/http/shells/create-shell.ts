/** POST /v1/shells. The scheduler finds it a machine; its record says how far it is. */
import { newId } from "@elastic/std/ids.ts";
import type { z } from "zod";
import { audit } from "../../auth/audit.ts";
import { comingUp, defaultShellName, newShell, type Shell } from "../../domain/shell.ts";
import { whatShellLacks } from "../../domain/shell-outlook.ts";
import { refusals } from "../../public/refusals.ts";
import { shellRecord, shellSchema } from "../../public/shell-record.ts";
import { shellRequestSchema, toShell } from "../../public/shell-request.ts";
import { newShellPassword, sealShellPassword } from "../../secrets/shell-password.ts";
import { create } from "../../store/change.ts";
import { type CallerDeps, keyOf, requireKey, teamOf } from "../access/caller.ts";
import { readVisible } from "../access/read-visible.ts";
import { parseSmallJson, SMALL_BODY_BYTES_MAX } from "../body/raw-json.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { SecretDeps } from "../deps/secret-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { idempotencyHeaders, OneTimeCreations, type Remember } from "../idempotency/create-once.ts";
import { countHeld } from "../limits/count-held.ts";
import type { QuotaDeps } from "../limits/quota-book.ts";
import { invalidRequest, Problem } from "../problems/problem.ts";
import { refuseUnknownGpu } from "./refuse-unknown-gpu.ts";
import { requestedEgress } from "./requested-egress.ts";
import type { ShellDeps, ShellOffer } from "./shell-offer.ts";

const schema = {
  operationId: "createShell",
  summary: "Create a shell",
  description: "A container to log into over SSH, with a home that outlives every stop. Its password is in its record.",
  tags: ["shells"],
  headers: idempotencyHeaders,
  body: shellRequestSchema,
  response: { 202: shellSchema, ...refusals(400, 401, 403, 404, 409, 413, 415, 422, 429, 503) },
};

export function createShell(app: App, deps: CallerDeps & RecordDeps & QuotaDeps & ShellDeps & SecretDeps): void {
  const creations = new OneTimeCreations(deps, schema.operationId);
  app.route({
    method: "POST",
    url: "/v1/shells",
    schema,
    bodyLimit: SMALL_BODY_BYTES_MAX,
    onRequest: requireKey(deps, "shells"),
    preValidation: parseSmallJson,
    handler: async (request, reply) => {
      const teamId = teamOf(deps, request);
      const caller = keyOf(request);
      const { made: shell, isReplay } = await creations.run({
        request,
        teamId,
        find: async (id) => (await readVisible(deps.store, caller, "shells", id)).value,
        make: async (remember) => {
          const requested = requestedShell(deps, request.body, { teamId, creatorId: caller.userId });
          await keep(deps, requested, remember);
          audit(deps.log, "shell_created", { requestId: request.id, shellId: requested.id, keyId: caller.id });
          return requested;
        },
      });
      if (isReplay) reply.header("idempotent-replayed", "true");
      return reply
        .code(202)
        .header("location", `${deps.publicUrl()}/v1/shells/${shell.id}`)
        .send(shellRecord(deps.store.view, deps.shells, shell));
    },
  });
}

function requestedShell(
  { store, clock, shells, secrets }: RecordDeps & ShellDeps & SecretDeps,
  body: z.output<typeof shellRequestSchema>,
  owner: Pick<Shell, "teamId" | "creatorId">,
): Shell {
  const now = clock.now();
  const id = newId(now);
  const image = imageOf(shells, body.image);
  const requested = toShell(body);
  refuseUnknownGpu(store.view, { ...image, ...requested });
  const bare = newShell({
    id,
    ...owner,
    createdAt: now,
    name: body.shell_name ?? defaultShellName(id),
    ...image,
    sealedPassword: sealShellPassword(secrets, id, newShellPassword()),
    ...requested,
    egress: requestedEgress(shells, body.egress),
  });
  // Said at once, and by the scheduler from then on.
  const nodes = [...store.view.nodes.values()].map(({ value }) => value);
  return comingUp(bare, whatShellLacks({ ...bare, verifierImage: null }, nodes), now);
}

function imageOf({ images }: ShellOffer, requested: string | undefined): Pick<Shell, "imageName" | "image"> {
  const [first] = images.keys();
  if (first === undefined) {
    throw new Problem("no_shells", "This installation offers no shells: whoever runs it sets ELASTIC_SHELL_IMAGES.");
  }
  const imageName = requested ?? first;
  const image = images.get(imageName);
  if (image !== undefined) return { imageName, image };
  throw invalidRequest([{ pointer: "#/image", detail: `one of ${[...images.keys()].join(", ")}` }]);
}

async function keep(
  { store, quotas, clock }: QuotaDeps & Pick<RecordDeps, "store" | "clock">,
  shell: Shell,
  remember: Remember,
): Promise<void> {
  const held = countHeld(store.view, "shellsPerTeam", shell.teamId, clock.now());
  const release = quotas.take("shellsPerTeam", shell.teamId, held);
  try {
    const outcome = await store.commit([create("shells", shell), ...remember(shell)]);
    if (outcome.kind === "conflict") throw new Error(`the id or the Idempotency-Key of shell ${shell.id} was taken`);
  } finally {
    release();
  }
}
