/** POST /v1/shells. The scheduler finds it a machine; its record says how far it is. */
import { newId } from "@elastic/std/ids.ts";
import { audit } from "../../auth/audit.ts";
import { comingUp, defaultShellName, newShell, type Shell } from "../../domain/shell.ts";
import { whatShellLacks } from "../../domain/shell-outlook.ts";
import { refusals } from "../../public/refusals.ts";
import { shellRecord, shellSchema } from "../../public/shell-record.ts";
import { shellRequestSchema, toShell } from "../../public/shell-request.ts";
import { newShellPassword, sealShellPassword } from "../../secrets/shell-password.ts";
import { create } from "../../store/change.ts";
import { type CallerDeps, keyOf, requireKey, teamOf } from "../access/caller.ts";
import { parseSmallJson, SMALL_BODY_BYTES_MAX } from "../body/raw-json.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { SecretDeps } from "../deps/secret-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
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
  body: shellRequestSchema,
  response: { 202: shellSchema, ...refusals(400, 401, 403, 404, 409, 413, 415, 422, 429, 503) },
};

export function createShell(app: App, deps: CallerDeps & RecordDeps & QuotaDeps & ShellDeps & SecretDeps): void {
  app.route({
    method: "POST",
    url: "/v1/shells",
    schema,
    bodyLimit: SMALL_BODY_BYTES_MAX,
    onRequest: requireKey(deps, "shells"),
    preValidation: parseSmallJson,
    handler: async (request, reply) => {
      const teamId = teamOf(deps, request);
      const now = deps.clock.now();
      const id = newId(now);
      const image = imageOf(deps.shells, request.body.image);
      const requested = toShell(request.body);
      refuseUnknownGpu(deps.store.view, { ...image, ...requested });
      const bare = newShell({
        id,
        teamId,
        creatorId: keyOf(request).userId,
        createdAt: now,
        name: request.body.shell_name ?? defaultShellName(id),
        ...image,
        sealedPassword: sealShellPassword(deps.secrets, id, newShellPassword()),
        ...requested,
        egress: requestedEgress(deps.shells, request.body.egress),
      });
      // Said at once, and by the scheduler from then on.
      const nodes = [...deps.store.view.nodes.values()].map(({ value }) => value);
      const shell = comingUp(bare, whatShellLacks({ ...bare, verifierImage: null }, nodes), now);
      await keep(deps, shell);
      audit(deps.log, "shell_created", { requestId: request.id, shellId: id, keyId: keyOf(request).id });
      return reply
        .code(202)
        .header("location", `${deps.publicUrl()}/v1/shells/${id}`)
        .send(shellRecord(deps.store.view, deps.shells, shell));
    },
  });
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
): Promise<void> {
  const held = countHeld(store.view, "shellsPerTeam", shell.teamId, clock.now());
  const release = quotas.take("shellsPerTeam", shell.teamId, held);
  try {
    const outcome = await store.commit([create("shells", shell)]);
    if (outcome.kind === "conflict") throw new Error(`a new id was taken: ${shell.id}`);
  } finally {
    release();
  }
}
