import type { Platform } from "../../../adapters/platforms/platform.ts";
import { PLATFORMS } from "../../../adapters/platforms/platforms.ts";
import type { Route } from "../route.ts";

/** The routes of platforms that send requests: one for each operation that a platform defines. */
export const platformRoutes = (platforms: Readonly<Record<string, Platform>> = PLATFORMS): readonly Route[] =>
  Object.entries(platforms).flatMap(([name, { operation }]) =>
    operation
      ? [
          {
            operation,
            handle: ({ context: { chat }, body, text, headers }) =>
              chat.receive(name, { body, text, header: (key) => headers.get(key) }),
          },
        ]
      : [],
  );
