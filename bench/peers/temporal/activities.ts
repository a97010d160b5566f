/** The one activity: nothing but returning when it began. */
import { nowUs } from "../../measure/now-us.ts";

export async function prove(_input: object): Promise<string> {
  return String(nowUs());
}
