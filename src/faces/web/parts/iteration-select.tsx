interface IterationSelectProps {
  label: string;
  all: string;
  iterations: readonly number[];
  iteration: number | null;
  onIteration(n: number | null): void;
}

export function IterationSelect({ label, all, iterations, iteration, onIteration }: IterationSelectProps) {
  return (
    <label class="check">
      {label}
      <select
        class="input"
        value={iteration === null ? "" : String(iteration)}
        onChange={({ currentTarget: { value } }) => onIteration(value === "" ? null : Number(value))}
      >
        <option value="">{all}</option>
        {iterations.map((n) => (
          <option key={n} value={String(n)}>
            iteration {n}
          </option>
        ))}
      </select>
    </label>
  );
}
