/** Where the parts of the demo keep their files. */
import { join } from "node:path";
import { demoFolder } from "./state-file.ts";

/** What part `name` prints. */
export function demoLog(name: string): string {
  return join(demoFolder, "logs", `${name}.log`);
}

export const demoEngineFolder = join(demoFolder, "engine");
export const demoRegistryFolder = join(demoFolder, "registry");
export const demoEtcdFolder = join(demoFolder, "etcd");
export const demoCoordinatorFolder = join(demoFolder, "coordinator");
export const demoAgentFolder = join(demoFolder, "agent");
export const demoCaFolder = join(demoFolder, "ca");
/** The login of the user's command. */
export const demoLoginFolder = join(demoFolder, "elastic");
/** The directory from which the user's command is run; `service create` links it. */
export const demoProjectFolder = join(demoFolder, "project");
