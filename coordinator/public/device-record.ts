/** The one place that knows the public JSON of a program's login. */
import { z } from "zod";
import { DEVICE_CODE_MS, type DeviceCode, HOST_NAME_LENGTH_MAX } from "../domain/device-code.ts";
import { formatUserCode } from "../domain/user-code.ts";
import { nameSchema } from "./name-schema.ts";
import { scopeSchema } from "./scope-schema.ts";
import { timestamp, timestampSchema } from "./timestamp.ts";

export const hostNameSchema = nameSchema.max(HOST_NAME_LENGTH_MAX);

export const deviceSchema = z
  .object({
    user_code: z.string(),
    host_name: z.string().describe("As the program names its machine; it may name any."),
    address: z.string().describe("From where the login was started."),
    scopes: z.array(scopeSchema).describe("Of the access key that the program gets."),
    created: timestampSchema,
    expires: timestampSchema,
  })
  .meta({ id: "DeviceLogin" });

export function deviceRecord({ userCode, hostName, address, scopes, createdAt }: DeviceCode) {
  return {
    user_code: formatUserCode(userCode),
    host_name: hostName,
    address,
    scopes: [...scopes],
    created: timestamp(createdAt),
    expires: timestamp(createdAt + DEVICE_CODE_MS),
  };
}
