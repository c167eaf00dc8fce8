import { signal } from "@preact/signals";
import { dollars } from "../../../core/usage.ts";
import { type TaskAction, taskActions } from "../../../core/view/actions.ts";
import type { Card } from "../../../core/view/card.ts";
import { acceptTask, cancelTask, retryTask } from "../actions.tsx";
import { viewer } from "../api.ts";
import { Badge } from "../parts/badge.tsx";
import { Age } from "../parts/clock.tsx";
import { Doing } from "../parts/doing.tsx";
import { Icon } from "../parts/icon.tsx";
import { Proved } from "../parts/proved.tsx";
import { stable } from "../parts/stable.tsx";
import { hrefOf } from "../router.ts";

/** The card that the arrow keys are at; empty: the first one. */
export const focused = signal("");
const openMenu = signal("");

function reach(id: string): void {
  focused.value = id;
}

function open(id: string): void {
  openMenu.value = id;
}

interface CardProps {
  card: Card;
  /** Whether Tab reaches it: one card of the board. */
  isReached: boolean;
}

function PlainCard({ card, isReached }: CardProps) {
  const { id, title, tone, badge, why, driven } = card;
  return (
    <li class={`card edge-${tone} ${driven ? "is-driven" : ""}`} data-card={id}>
      <div class="card-top">
        <span class="id">{id}</span>
        <span class="age">
          <Age since={card.sinceMs} label={driven ? "running since" : "since"} />
        </span>
      </div>
      <a class="card-title" href={hrefOf("tasks", id)} tabIndex={isReached ? 0 : -1} onFocus={() => reach(id)}>
        {title}
      </a>
      <Badge tone={tone}>{badge}</Badge>
      {why && <p class="card-why">{why}</p>}
      <Doing of={card} />
      <CardFacts card={card} />
      {!viewer.value && <CardMenu card={card} isReached={isReached} />}
    </li>
  );
}

/** A card on the board. It renders again only if its task has changed. */
export const BoardCard = stable<CardProps>(PlainCard);

function CardFacts({ card: { proved, costUsd, attempt, lane } }: { card: Card }) {
  return (
    <div class="card-facts">
      {proved && <Proved {...proved} />}
      {costUsd > 0 && <span>{dollars(costUsd)}</span>}
      {attempt > 1 && lane !== "done" && <span>attempt {attempt}</span>}
    </div>
  );
}

/** What can be done with a task here. */
const actionsOf = (card: Card) => taskActions(card).flatMap((action) => ACTIONS[action] ?? []);

const ACTIONS: Partial<Record<TaskAction, { name: string; act(card: Card): unknown }>> = {
  accept: { name: "Accept…", act: ({ id }) => acceptTask(id) },
  retry: { name: "Retry", act: ({ id }) => retryTask(id) },
  cancel: { name: "Cancel the work…", act: ({ id }) => cancelTask(id) },
};

function CardMenu({ card, isReached }: CardProps) {
  const { id } = card;
  const isOpen = openMenu.value === id;
  const actions = actionsOf(card);
  if (actions.length === 0) return null;
  const choose = (act: (card: Card) => unknown) => (event: Event) => {
    open("");
    // A dialog returns the focus to where it was, and this item is about to be gone.
    const item = event.currentTarget;
    if (item instanceof HTMLElement) item.closest(".menu")?.querySelector("button")?.focus();
    act(card);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only hears Escape from its buttons.
    <div class="menu" onKeyDown={(event) => event.key === "Escape" && open("")}>
      <button
        type="button"
        class="icon-button"
        tabIndex={isReached ? 0 : -1}
        aria-expanded={isOpen}
        aria-label={`Actions for ${id}`}
        onClick={() => open(isOpen ? "" : id)}
      >
        <Icon name="more" />
      </button>
      {isOpen && (
        <div class="menu-list">
          {actions.map(({ name, act }) => (
            <button key={name} type="button" onClick={choose(act)}>
              {name}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}
