import { partWords as words } from "../words/parts.ts";

/**
 * Shown in place of a view that failed: a file could not be loaded, because the server is unavailable or has a newer
 * console by now, or the code failed. Reloading fixes all of these, and keeps the session and the address.
 */
export function BrokenView({ error }: { error: unknown }) {
  return (
    <section className="notice notice-failure" role="alert">
      <h1>{words.broken}</h1>
      <p>{words.brokenAdvice}</p>
      <button type="button" onClick={() => location.reload()}>
        {words.reload}
      </button>
      <details>
        <summary>{words.details}</summary>
        <p>{error instanceof Error ? error.message : String(error)}</p>
      </details>
    </section>
  );
}
