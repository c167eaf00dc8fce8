import { signal } from "@preact/signals";

/** Whether the page is as narrow as a phone. */
export const isNarrow = signal(false);

if (typeof matchMedia !== "undefined") {
  const query = matchMedia("(max-width: 760px)");
  isNarrow.value = query.matches;
  query.addEventListener("change", () => {
    isNarrow.value = query.matches;
  });
}
