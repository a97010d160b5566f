/** The stage of a start that serves the public API, and the console where it is built. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Logger } from "@elastic/std/log.ts";
import { AuditLog } from "../archive/audit-log.ts";
import type { Config } from "../config/config.ts";
import { enrollmentAddress } from "../enrollment/enrollment-address.ts";
import type { RateSettings } from "../http/limits/rate-limits.ts";
import { type HttpServerOptions, startHttp } from "../http/server.ts";
import { openProviders } from "../login/open-providers.ts";
import { releasesPlace } from "../program-releases/releases-folder.ts";
import { buildPushed } from "../releases/build-pushed.ts";
import { TEMPLATES_FOLDER } from "../source-hosts/read-template.ts";
import { readCoordinators } from "../store/coordinators.ts";
import { builtinsOf } from "./builtin-provers.ts";
import { listenAsSet } from "./listen-as-set.ts";
import { type PartsWithHistory, part } from "./shared-parts.ts";

/** What console/ is built to. */
const CONSOLE_FOLDER = join(import.meta.dirname, "..", "..", "console", "dist");

/** Returns its address. */
export async function startApi(
  shared: PartsWithHistory,
  given: Pick<HttpServerOptions, "claims" | "shells" | "shellTerminals" | "sightings" | "isStopping">,
  starting: AsyncDisposableStack,
): Promise<string> {
  const { config, kv, store, archive, readable, clock, log } = shared;
  const opening = startHttp({
    ...shared,
    store: readable,
    auditLog: new AuditLog(store.view, archive),
    onPush: buildPushed({ ...shared, log: part(log, "releases") }),
    ...given,
    enrolment: enrollmentAddress(config, kv),
    poolCommands: new Set(config.poolCommands.keys()),
    releases: releasesPlace(config),
    coordinators: () => readCoordinators(kv),
    clockComplaint: () => shared.clocks.keeper.complaint(),
    providers: openProviders(config.loginProviders, clock),
    log: part(log, "http"),
    builtins: builtinsOf(config),
    config: {
      listen: config.httpListen,
      publicUrl: config.publicUrl,
      rates: ratesOf(config),
      trustedProxies: config.trustedProxies,
      consoleFolder: config.console ? findConsole(log) : null,
      templatesFolder: TEMPLATES_FOLDER,
    },
  });
  const http = await listenAsSet("httpListen", opening);
  starting.defer(() => http.stop());
  return http.url;
}

/** Null, and a line in the log, where it was not built. */
function findConsole(log: Logger): string | null {
  if (existsSync(join(CONSOLE_FOLDER, "index.html"))) return CONSOLE_FOLDER;
  log.warn(
    { folder: CONSOLE_FOLDER },
    "the console is not built, so none is served: `npm run build --workspace console`",
  );
  return null;
}

function ratesOf(config: Config): RateSettings {
  return {
    keyReads: config.rateKeyReads,
    keyWrites: config.rateKeyWrites,
    teamReads: config.rateTeamReads,
    teamWrites: config.rateTeamWrites,
    unauthenticated: config.rateUnauthenticated,
  };
}
