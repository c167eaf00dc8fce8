import { signal } from "@preact/signals";

type Theme = "system" | "light" | "dark";
const KEY = "ralph-theme";
const ORDER: readonly Theme[] = ["system", "light", "dark"];

/** The chosen colours; `system` follows the browser. */
export const theme = signal<Theme>("system");

/** Applies the choice that this browser kept. */
export function applyTheme(): void {
  set(ORDER.find((one) => one === localStorage.getItem(KEY)) ?? "system");
}

export function nextTheme(): void {
  set(ORDER[(ORDER.indexOf(theme.value) + 1) % ORDER.length] ?? "system");
  localStorage.setItem(KEY, theme.value);
}

function set(chosen: Theme): void {
  theme.value = chosen;
  document.documentElement.dataset.theme = chosen;
}
