import { randomBytes } from "node:crypto";
import { Command, InvalidArgumentError } from "commander";
import { getService } from "../api/services.ts";
import { listWebhooks } from "../api/webhooks.ts";
import type { Context } from "../context/context.ts";
import { interrupted } from "../errors/cli-error.ts";
import { deliveredMessages } from "../listen/delivered-messages.ts";
import { followMessages } from "../listen/follow-messages.ts";
import { forwardMessage } from "../listen/forward-message.ts";
import { madeMessages } from "../listen/made-messages.ts";
import { forwardedLine, forwardedRecord } from "../output/forwarded-text.ts";
import { openSession } from "../session/session.ts";
import { type EventTypes, KNOWN_TYPES, parseKnownTypes } from "../webhooks/event-types.ts";
import { examples } from "./examples.ts";
import { chosenFormat, withOutput } from "./output-options.ts";
import { chosenServiceId, type ServiceOption, withService } from "./service-option.ts";

const SECRET_BYTES = 32;

interface Options extends ServiceOption {
  readonly forward: string;
  readonly events?: EventTypes;
  readonly secret?: string;
}

/** `elastic listen`: brings a service's webhooks to a program on this machine. */
export function listen(context: Context): Command {
  return withOutput(withService(new Command("listen")))
    .description("forward what the service's webhooks receive to a program on this machine, until Ctrl-C")
    .requiredOption("--forward <url>", "where each is posted, such as http://localhost:3000/hooks", parseUrl)
    .option("--events <types>", `forward these alone, comma-separated, of ${KNOWN_TYPES.join(", ")}`, parseKnownTypes)
    .option("--secret <secret>", "sign with this (default: a new one, which is printed)", parseSecret)
    .addHelpText(
      "after",
      `
Each is posted as a webhook does it: the same body and headers, signed with the secret that is printed first.
A service that has webhooks forwards what is posted to them; of one that has none, the ends of tasks and deployments
are forwarded. What does not respond with 2xx is shown, and is not sent again. After a cut connection it resumes
without loss or repetition.
${examples(
  "elastic listen --forward http://localhost:3000",
  "elastic listen --forward http://localhost:3000/hooks --events task.failed,task.timed_out",
  'elastic listen --forward http://localhost:3000 --secret "$WEBHOOK_SECRET" --json',
)}`,
    )
    .action(async (options: Options, command: Command) => {
      const { printer } = context;
      const isJson = chosenFormat(command) === "json";
      const caller = await openSession(context);
      const service = await getService(caller, await chosenServiceId(context, caller, options));
      const { service_id: serviceId, team_id: teamId } = service;
      const webhooks = await listWebhooks(caller, serviceId);
      const source =
        webhooks.length === 0
          ? await madeMessages(caller, serviceId)
          : await deliveredMessages(caller, serviceId, webhooks);
      const receiver = { url: options.forward, secret: options.secret ?? newSecret() };
      const begun = { service_id: serviceId, forward: receiver.url, secret: receiver.secret };
      printer.begun({
        json: begun,
        text: `Forwarding the webhooks of ${service.service_name} to ${receiver.url}, signed with ${receiver.secret}`,
      });
      const onCut = (why: string, delayMs: number): void =>
        printer.note(`${why} Trying again in ${Math.ceil(delayMs / 1000)} s.`);
      for await (const message of followMessages({ caller, teamId, source, onCut })) {
        if (!isWanted(options.events, message.type)) continue;
        const forwarded = await forwardMessage(receiver, message, caller.signal).catch(() => {
          throw interrupted();
        });
        const record = forwardedRecord(message, receiver.url, forwarded);
        await printer.stream(isJson ? `${JSON.stringify(record)}\n` : `${forwardedLine(record)}\n`);
      }
    });
}

function isWanted(events: EventTypes | undefined, type: string): boolean {
  return events === undefined || events === "all" || (events as readonly string[]).includes(type);
}

function newSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString("base64")}`;
}

function parseUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null || !["http:", "https:"].includes(url.protocol)) {
    throw new InvalidArgumentError("Give an http or https address, as http://localhost:3000.");
  }
  return url.href;
}

function parseSecret(text: string): string {
  if (!/^whsec_[A-Za-z0-9+/]{22,}={0,2}$/.test(text)) {
    throw new InvalidArgumentError("Give whsec_ and base64, as this command or `elastic webhook create` prints it.");
  }
  return text;
}
