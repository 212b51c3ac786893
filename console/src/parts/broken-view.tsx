/**
 * Stands where a view cannot be shown: a file of the page could not be loaded, because the server is away or has a newer
 * page by now, or the page itself failed. Loading it again mends all three; the session and the address stay.
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
