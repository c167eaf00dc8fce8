import { LEVEL_WORDS, type Level } from "../../../core/proof/level.ts";

interface StandingProps {
  /** How it stands, and what decided that. */
  words: string;
  decided: string;
  /** The command to type next; empty if there is none. */
  next: string;
  proof: Level | null;
  weak: readonly string[];
}

/** Some are advice in words. */
const IS_COMMAND = /^ralph [^(,]*$/;

/** How something ended or stands, why, and what to do now. */
export function Standing({ words, decided, next, proof, weak }: StandingProps) {
  return (
    <div class="standing">
      <p>
        <strong>{words}</strong>
        {proof && <span class="soft"> — {LEVEL_WORDS[proof].means}</span>}
      </p>
      {decided !== "" && <p class="standing-why">{decided}</p>}
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
          {next.split(" · ").map((one) =>
            IS_COMMAND.test(one) ? (
              <code key={one} class="command">
                {one}
              </code>
            ) : (
              <span key={one}>{one}</span>
            ),
          )}
        </p>
      )}
    </div>
  );
}
