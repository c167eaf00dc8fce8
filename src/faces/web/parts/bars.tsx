import type { Bar } from "../../../core/chart/bars.ts";

interface BarsProps {
  label: string;
  bars: readonly Bar[];
  words(value: number): string;
  /** What the colours mean; omitted if there is one. */
  names?: readonly { name: string; series: number }[];
  hrefOf?(name: string): string | null;
}

const totalOf = ({ pieces }: Bar): number => pieces.reduce((sum, { value }) => sum + value, 0);

/** Horizontal bars with their numbers as text. */
export function Bars({ label, bars, words, names = [], hrefOf = () => null }: BarsProps) {
  const most = Math.max(...bars.map(totalOf), Number.MIN_VALUE);
  const nameOf = (series: number) => names.find((one) => one.series === series)?.name;
  return (
    <>
      {names.length > 1 && (
        <p class="legend">
          {names.map(({ name, series }) => (
            <span key={name}>
              <span class={`swatch s${series}`} aria-hidden="true" /> {name}
            </span>
          ))}
        </p>
      )}
      <ul class="bars" aria-label={label}>
        {bars.map((bar, i) => (
          <li key={`${i} ${bar.name}`}>
            <BarName bar={bar} href={hrefOf(bar.name)} />
            <span class="bar-track">
              {bar.pieces
                .filter(({ value }) => value > 0)
                .map(({ series, value }) => (
                  <span
                    key={series}
                    class={`bar-piece s${series}`}
                    style={{ width: `${(value / most) * 100}%` }}
                    title={[nameOf(series), words(value)].filter(Boolean).join(": ")}
                  />
                ))}
            </span>
            <span class="bar-value">{words(totalOf(bar))}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

function BarName({ bar: { name, about }, href }: { bar: Bar; href: string | null }) {
  const title = [name, about].filter(Boolean).join(" ");
  return (
    <span class="bar-name" title={title}>
      {href ? <a href={href}>{name}</a> : name}
      {about && <span class="soft"> {about}</span>}
    </span>
  );
}
