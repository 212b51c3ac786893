import { type Failure, failureOf } from "./failure.ts";

/** Says what failed, what to do about it, and what to tell the people who run the service. */
export function FailureNotice({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { title, advice, detail, requestId } = failureOf(error);
  return (
    <section className="notice notice-failure" role="alert">
      <h2>{title}</h2>
      <p>{advice}</p>
      {onRetry && (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      )}
      <FailureDetails detail={detail} requestId={requestId} />
    </section>
  );
}

/** Details for the people who run the service. */
export function FailureDetails({ detail, requestId }: Pick<Failure, "detail" | "requestId">) {
  return (
    <details>
      <summary>Details</summary>
      <p>{detail || "The service said nothing more."}</p>
      {requestId && (
        <p>
          Request id: <code>{requestId}</code>
        </p>
      )}
    </details>
  );
}
