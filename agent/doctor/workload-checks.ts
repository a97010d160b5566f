/** Checks of what runs workloads: the container engine, the library of builtin provers. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Check, fail, ok, warn } from "@elastic/std/check.ts";
import { createLog } from "@elastic/std/log.ts";
import type { MachineConfig } from "../config/config.ts";
import { openBuiltins } from "../workloads/builtin/open-builtin.ts";
import { ENGINE_SOCKETS, findEngine } from "../workloads/docker/engine.ts";
import { checkCluster } from "./cluster-check.ts";

export async function checkEngine({ engine: setting, cluster }: MachineConfig): Promise<Check> {
  if (cluster !== null) return await checkCluster(cluster);
  if (setting.kind === "none") return ok("engine", "switched off");
  const engine = await findEngine(setting);
  if (engine !== null) {
    const namespaces = engine.rootId === 0 ? "containers without user namespaces" : "containers in user namespaces";
    return ok("engine", `${engine.name} ${engine.version} on ${engine.socketPath}, ${namespaces}`);
  }
  const sockets = setting.kind === "socket" ? setting.path : ENGINE_SOCKETS.join(" and ");
  const remedy = "start Docker or Podman, or set ELASTIC_ENGINE_SOCKET (none: builtin provers only)";
  return setting.kind === "socket"
    ? fail("engine", `nothing responds on ${sockets}`, remedy)
    : warn("engine", `nothing responds on ${sockets}`, remedy);
}

export async function checkBuiltins(config: MachineConfig): Promise<readonly Check[]> {
  if (config.ffiLibrary === null) return [ok("builtin", "no library set (ELASTIC_FFI_LIBRARY)")];
  const stateDir = await mkdtemp(join(tmpdir(), "elastic-doctor-"));
  try {
    const { provers, sandbox } = await openBuiltins(
      { ...config, stateDir },
      () => [],
      createLog({ name: "doctor", level: "silent" }),
    );
    const library = ok("builtin", `${config.ffiLibrary} offers ${provers.join(", ")}`);
    if (sandbox === "bubblewrap") return [library, ok("sandbox", "bubblewrap works")];
    const finding = sandbox === "user" ? "another user only" : "none";
    return [library, warn("sandbox", finding, "install bubblewrap, so that builtin provers get their own namespaces")];
  } catch (error) {
    const message = (error as Error).message.split("\n", 1)[0] ?? "";
    return [fail("builtin", `the library does not load: ${message}`, "build it: cargo build --release -p elastic-ffi")];
  } finally {
    await rm(stateDir, { recursive: true, force: true });
  }
}
