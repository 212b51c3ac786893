/** Stands above what the server said last, while it cannot be reached. */
export function OldAnswer() {
  return (
    <p className="banner" role="status">
      The server cannot be reached. This is what it said last; the page keeps trying.
    </p>
  );
}
