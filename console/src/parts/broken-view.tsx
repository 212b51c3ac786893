/**
 * Shown in place of a view that failed: a file could not be loaded, because the server is unavailable or has a newer
 * console by now, or the code failed. Reloading fixes all of these, and keeps the session and the address.
 */
export function BrokenView({ error }: { error: unknown }) {
  return (
    <section className="notice notice-failure" role="alert">
      <h1>This part of the page cannot be shown</h1>
      <p>It could not be loaded, or it failed. Load the page again; you stay signed in.</p>
      <button type="button" onClick={() => location.reload()}>
        Load the page again
      </button>
      <details>
        <summary>Details</summary>
        <p>{error instanceof Error ? error.message : String(error)}</p>
      </details>
    </section>
  );
}
