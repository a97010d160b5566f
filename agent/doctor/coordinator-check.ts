/** Checks that a coordinator can be reached and takes this node's certificate. Opens no link: that would end one. */

import { type Check, fail, ok } from "@elastic/std/check.ts";
import { Metadata, type ServiceError, status } from "@grpc/grpc-js";
import type { Channels } from "../link/channel.ts";

export interface CheckedCoordinator {
  readonly check: Check;
  /** What its clock said; null where it did not respond. */
  readonly clockMs: number | null;
}

type Answer = Pick<ServiceError, "code" | "details" | "metadata">;

const TIMEOUT_MS = 5_000;

/** Requests the right to pull nothing: any response but a rejection of the caller will do. */
export async function checkCoordinator(channels: Channels, address: string): Promise<CheckedCoordinator> {
  const client = channels.fleet(address);
  try {
    const { code, details, metadata } = await new Promise<Answer>((resolve) => {
      const options = { deadline: Date.now() + TIMEOUT_MS };
      const call = client.pullToken({ assignmentId: "" }, new Metadata(), options, (error) => {
        if (error !== null) resolve(error);
      });
      call.on("metadata", (head: Metadata) => resolve({ code: status.OK, details: "", metadata: head }));
    });
    const clockMs = Date.parse(String(metadata.get("date")[0] ?? ""));
    return { check: judge(address, code, details), clockMs: Number.isNaN(clockMs) ? null : clockMs };
  } finally {
    client.close();
  }
}

function judge(address: string, code: status, details: string): Check {
  switch (code) {
    case status.UNAVAILABLE:
    case status.DEADLINE_EXCEEDED: {
      const remedy = "check the address, the firewall, this machine's clock, and that both sides use the same CA";
      return fail("coordinator", `${address} does not respond: ${details}`, remedy);
    }
    case status.UNAUTHENTICATED:
    case status.PERMISSION_DENIED: {
      const remedy =
        "make a token for this node (elastic-coordinator token create --node <name>) and paste its line here";
      return fail("coordinator", `${address} refuses this node: ${details}`, remedy);
    }
    default:
      return ok("coordinator", `${address} responds, and accepts this node's certificate`);
  }
}
