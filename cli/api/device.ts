/** The login of this command by a browser (RFC 8628). */
import type { KeylessCaller } from "./caller.ts";
import { call } from "./client.ts";
import type { DeviceCodeRecord, NewKeyRecord } from "./records.ts";

/** `hostName` has at most 64 characters. `expires_in` and `interval` of the code are in seconds. */
export async function createDeviceCode(caller: KeylessCaller, hostName: string): Promise<DeviceCodeRecord> {
  const body = JSON.stringify({ host_name: hostName });
  return (await call(caller, { method: "POST", path: "/v1/device/code", body })) as DeviceCodeRecord;
}

/** Refused with `authorization_pending` until the user has decided. */
export async function redeemDeviceCode(caller: KeylessCaller, deviceCode: string): Promise<NewKeyRecord> {
  const body = JSON.stringify({ device_code: deviceCode });
  return (await call(caller, { method: "POST", path: "/v1/device/token", body })) as NewKeyRecord;
}
