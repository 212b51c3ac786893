import { partWords as words } from "../words/parts.ts";
import { failureOf } from "./failure.ts";

/** Says what failed, what to do about it, and what to tell the people who run the service. */
export function FailureNotice({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { title, advice, detail, requestId } = failureOf(error);
  return (
    <section className="notice notice-failure" role="alert">
      <h2>{title}</h2>
      <p>{advice}</p>
      {onRetry && (
        <button type="button" onClick={onRetry}>
          {words.retry}
        </button>
      )}
      <details>
        <summary>{words.details}</summary>
        {detail ? <p lang="en">{detail}</p> : <p>{words.noDetails}</p>}
        {requestId && (
          <p>
            {words.requestId} <code>{requestId}</code>
          </p>
        )}
      </details>
    </section>
  );
}
