/** The endpoints by which a user logs in a program that has no browser. */
import type { CallerDeps } from "../access/caller.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import type { QuotaDeps } from "../limits/quota-book.ts";
import { createDeviceCode } from "./create-device-code.ts";
import { decideDevice } from "./decide-device.ts";
import { redeemDeviceCode } from "./redeem-device-code.ts";

export function deviceRoutes(app: App, deps: CallerDeps & RecordDeps & QuotaDeps): void {
  createDeviceCode(app, deps);
  redeemDeviceCode(app, deps);
  decideDevice(app, deps);
}
