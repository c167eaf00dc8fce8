import { useComputed } from "@preact/signals";
import { viewer } from "./api.ts";
import { view } from "./live.ts";
import { Icon, type IconName } from "./parts/icon.tsx";
import type { PageName } from "./router.ts";

interface Entry {
  page: PageName;
  href: string;
  name: string;
  icon: IconName;
  /** Pages that belong to it. */
  also?: readonly PageName[];
}

const ENTRIES: readonly Entry[] = [
  { page: "overview", href: "/", name: "Overview", icon: "overview" },
  { page: "board", href: "/board", name: "Board", icon: "board", also: ["task"] },
  { page: "loops", href: "/loops", name: "Loops", icon: "loops", also: ["loop"] },
  { page: "workflows", href: "/workflows", name: "Workflows", icon: "workflows", also: ["run"] },
  { page: "stats", href: "/stats", name: "Statistics", icon: "stats" },
];

export function Navigation({ page }: { page: PageName }) {
  const running = useComputed(() => view.value?.totals.running ?? 0);
  return (
    <nav aria-label="Pages" class="nav">
      {ENTRIES.map(({ page: own, href, name, icon, also = [] }) => (
        <a key={href} href={href} {...(own === page || also.includes(page) ? { "aria-current": "page" as const } : {})}>
          <Icon name={icon} />
          <span>{name}</span>
          {own === "loops" && running.value > 0 && (
            <span class="count" title={`${running.value} at work`}>
              {running}
            </span>
          )}
        </a>
      ))}
      {!viewer.value && (
        <a href="/new" class="nav-new" {...(page === "new" ? { "aria-current": "page" as const } : {})}>
          <Icon name="new" />
          <span>New task</span>
        </a>
      )}
    </nav>
  );
}
