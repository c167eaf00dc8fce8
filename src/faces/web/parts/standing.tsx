import { LEVEL_WORDS, type Level } from "../../../core/proof/level.ts";
import type { LoopPage } from "../../../core/view/loop-page.ts";

interface StandingProps {
  /** How it stands. */
  words: string;
  /** What decided that or decides next, and the command to type next. */
  page: Pick<LoopPage, "decides" | "decided" | "next" | "weak">;
  proof: Level | null;
}

const DECIDES = { decided: "Decided", "decides next": "Decides next" } as const;

/** A command and what it is for; advice in words has no command. */
const COMMAND = /^(ralph(?: (?!shows\b)[^\s(,;]+)+)(.*)$/;

/** How something ended or stands, why, and what to do now. */
export function Standing({ words, page: { decides, decided, next, weak }, proof }: StandingProps) {
  return (
    <div class="standing">
      <p>
        <strong>{words}</strong>
        {proof && <span class="soft"> — {LEVEL_WORDS[proof].means}</span>}
      </p>
      {decided !== "" && (
        <p class="standing-why">
          <span class="soft">{DECIDES[decides]}: </span>
          {decided}
        </p>
      )}
      {weak.length > 0 && (
        <ul class="weak">
          {weak.map((one) => (
            <li key={one}>{one}</li>
          ))}
        </ul>
      )}
      {next !== "" && (
        <p class="next">
          <span class="soft">Next: </span>
          {next.split(" · ").map((one) => {
            const [, command = "", words = one] = COMMAND.exec(one) ?? [];
            return (
              <span key={one}>
                {command && <code class="command">{command}</code>}
                {words}
              </span>
            );
          })}
        </p>
      )}
    </div>
  );
}
