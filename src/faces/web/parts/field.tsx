import { useId } from "preact/hooks";

interface FieldProps {
  /** Where an error of the server or the schema belongs. */
  name: string;
  label: string;
  value: string;
  onInput(value: string): void;
  hint?: string;
  /** What is wrong with it; empty: nothing. */
  fault?: string | undefined;
  type?: "text" | "number";
  /** More than one: a text area. */
  lines?: number;
  required?: boolean;
  isCode?: boolean;
  /** The id of a list of suggestions. */
  list?: string;
}

/** A labelled input with its hint, and its error right below it. */
export function Field({ name, label, value, onInput, hint = "", fault = "", ...look }: FieldProps) {
  const { type = "text", lines = 1, required = false, isCode = false, list } = look;
  const id = useId();
  const described = [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(" ");
  const common = {
    id,
    name,
    value,
    class: `input ${isCode ? "is-code" : ""}`,
    "aria-invalid": fault !== "",
    "aria-required": required,
    ...(described ? { "aria-describedby": described } : {}),
  };
  return (
    <div class="field" data-field={name}>
      <label for={id}>
        {label}
        {required && (
          <span class="required" aria-hidden="true">
            *
          </span>
        )}
      </label>
      {lines > 1 && <textarea {...common} rows={lines} onInput={(event) => onInput(event.currentTarget.value)} />}
      {lines === 1 && type === "text" && (
        <input
          {...common}
          type="text"
          {...(list ? { list } : {})}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      )}
      {lines === 1 && type === "number" && (
        <input {...common} type="number" min={0} step="any" onInput={(event) => onInput(event.currentTarget.value)} />
      )}
      {hint && (
        <p id={`${id}-hint`} class="hint">
          {hint}
        </p>
      )}
      {fault && (
        <p id={`${id}-fault`} class="fault" role="alert">
          {fault}
        </p>
      )}
    </div>
  );
}
