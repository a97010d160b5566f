/** The endpoints by which a user logs in a program that has no browser. */
import type { App } from "../fastify-app.ts";
import type { HttpDeps } from "../http-deps.ts";
import { createDeviceCode } from "./create-device-code.ts";
import { decideDevice } from "./decide-device.ts";
import { redeemDeviceCode } from "./redeem-device-code.ts";

export function deviceRoutes(app: App, deps: HttpDeps): void {
  createDeviceCode(app, deps);
  redeemDeviceCode(app, deps);
  decideDevice(app, deps);
}
