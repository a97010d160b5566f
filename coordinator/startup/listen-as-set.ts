/** What cannot listen names the setting that gave it its address. */
import { listenFor } from "@elastic/std/net/listen-error.ts";
import { SETTINGS, type SettingName } from "../config/settings.ts";

export function listenAsSet<T>(name: SettingName, listening: Promise<T>): Promise<T> {
  const { env, flag } = SETTINGS[name];
  return listenFor(`${env} (${flag})`, listening);
}
