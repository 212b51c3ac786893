/** Shown above the server's last answer while the server can't be reached. */
export function OldAnswer() {
  return (
    <p className="banner" role="status">
      The server cannot be reached. This is what it said last; the page keeps trying.
    </p>
  );
}
