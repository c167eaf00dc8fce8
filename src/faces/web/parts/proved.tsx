/** How many acceptance criteria are proved, as a small bar and `5/7`. */
export function Proved({ proved, of }: { proved: number; of: number }) {
  return (
    <span class="proved" title={`${proved} of ${of} acceptance criteria are proved`}>
      <progress class="bar" max={of} value={proved} aria-label={`${proved} of ${of} acceptance criteria are proved`} />
      <span aria-hidden="true">
        {proved}/{of}
      </span>
    </span>
  );
}
