import { RalphError } from "../../core/errors.ts";
import { strict } from "../../core/schema/messages.ts";
import { environment } from "../io/environment.ts";
import { http } from "./http.ts";
import type { OpenPlatform, Platform, PlatformSecrets } from "./platform.ts";
import { slack } from "./slack.ts";
import { telegram } from "./telegram.ts";
import { webhook } from "./webhook.ts";

/** Every platform, by its name in settings and conversations. A new one is a file beside these and a line here. */
export const PLATFORMS = { http, webhook, slack, telegram } satisfies Record<string, Platform>;

type PlatformName = keyof typeof PLATFORMS;

/** The platform of conversations over the server's own interface. */
export const HTTP: PlatformName = "http";

/** The schema of `platforms` in the settings: tokens are in the environment only. */
export function platformSettings(platforms: Readonly<Record<string, Platform>> = PLATFORMS) {
  const named = Object.entries(platforms).flatMap(([name, { settings }]) =>
    settings ? [[name, settings.optional()] as const] : [],
  );
  return strict(Object.fromEntries(named), `{ ${named.map(([name]) => name).join(", ")} }`).describe(
    "Where users talk to workflows, in addition to HTTP.",
  );
}

type Environment = Record<string, string | undefined>;

/** Opens the configured platforms. Removes their secrets from the environment of agents and commands. */
export function openPlatforms({
  settings = {},
  env = environment(),
  platforms = PLATFORMS,
}: {
  settings: unknown;
  env?: Environment;
  platforms?: Readonly<Record<string, Platform>>;
}): ReadonlyMap<string, OpenPlatform> {
  const wanted: Readonly<Record<string, unknown>> = platformSettings(platforms).parse(settings);
  const all = Object.entries(platforms);
  const found = removeSecrets(env, new Set(all.flatMap(([, { secrets }]) => Object.keys(secrets))));
  const opened = new Map<string, OpenPlatform>();
  for (const [name, platform] of all) {
    if (platform.settings && wanted[name] === undefined) continue;
    opened.set(name, platform.open(wanted[name], secretsOf(name, platform, found)));
  }
  return opened;
}

const secretsOf = (
  name: string,
  { secrets }: Platform,
  found: ReadonlyMap<string, string>,
): PlatformSecrets<string> => ({
  find: (variable) => found.get(variable) ?? null,
  require(variable) {
    const value = found.get(variable);
    if (value !== undefined) return value;
    throw new RalphError("token-missing", `platforms.${name} in the settings needs ${variable} in the environment`, {
      hint: `export ${variable}=…: ${secrets[variable]}`,
    });
  },
});

function removeSecrets(env: Environment, variables: ReadonlySet<string>): Map<string, string> {
  const found = new Map<string, string>();
  for (const variable of variables) {
    const value = env[variable]?.trim();
    if (value) found.set(variable, value);
    delete env[variable];
  }
  return found;
}
