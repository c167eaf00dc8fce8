import { useState } from "preact/hooks";
import type { Lanes } from "../../../core/view/board.ts";
import type { Card } from "../../../core/view/card.ts";
import { LANE_TITLES, LANES, type Lane } from "../../../core/view/lanes.ts";
import { BoardCard, focused } from "./board-card.tsx";
import { boardKey } from "./board-keys.ts";

/** How many cards a lane shows before it asks. */
const SHOWN = 60;

interface LanesProps {
  lanes: Lanes;
  /** The lanes in the order in which they are shown. */
  order?: readonly Lane[];
}

/** The lanes of the board with their cards. */
export function BoardLanes({ lanes, order = LANES }: LanesProps) {
  const known = order.some((lane) => lanes[lane].some(({ id }) => id === focused.value));
  const first = order.flatMap((lane) => lanes[lane].slice(0, 1))[0]?.id ?? "";
  const reached = known ? focused.value : first;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrow keys move between the links inside.
    <div class="lanes" onKeyDown={boardKey}>
      {order.map((lane) => (
        <BoardLane key={lane} lane={lane} cards={lanes[lane]} reached={reached} />
      ))}
    </div>
  );
}

function BoardLane({ lane, cards, reached }: { lane: Lane; cards: readonly Card[]; reached: string }) {
  const [most, setMost] = useState(SHOWN);
  const title = LANE_TITLES[lane];
  const hidden = cards.length - most;
  return (
    <section
      class={`lane ${cards.length === 0 ? "is-empty" : ""}`}
      data-lane={lane}
      aria-label={`${title}, ${cards.length}`}
    >
      <h2 class="lane-title">
        {title} <span class="count">{cards.length}</span>
      </h2>
      {cards.length > 0 && (
        <ul class="cards">
          {cards.slice(0, most).map((card) => (
            <BoardCard key={card.id} card={card} isReached={card.id === reached} />
          ))}
        </ul>
      )}
      {hidden > 0 && (
        <button type="button" class="button quiet" onClick={() => setMost(most + 200)}>
          {hidden} more
        </button>
      )}
    </section>
  );
}
