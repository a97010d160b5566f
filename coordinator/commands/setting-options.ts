/** Settings as options of commands: a flag goes before its variable. */
import { Option } from "commander";
import { type Config, ConfigError, loadConfig } from "../config/config.ts";
import { SETTINGS, type SettingName } from "../config/settings.ts";
import type { CommandContext } from "./command-context.ts";

export type Flags = Readonly<Partial<Record<SettingName, string>>>;

export function optionOf(name: SettingName): Option {
  const { flag, placeholder, help, env, default: byDefault } = SETTINGS[name];
  const origin = byDefault === "" ? env : `${env}, default ${byDefault}`;
  return new Option(`${flag} ${placeholder}`, `${help} (${origin})`);
}

export function configOf(context: CommandContext, flags: Flags): Config {
  try {
    return loadConfig(context.env, flags);
  } catch (error) {
    if (error instanceof ConfigError) return context.fail(error);
    throw error;
  }
}
