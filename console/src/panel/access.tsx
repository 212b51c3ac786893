import { CallerService, type ExplainAccessResponse } from "@authorization-service/client";
import { useQuery } from "@connectrpc/connect-query";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { permissionInWords, reasonsInWords, remediesInWords, type Subject } from "./access-words.ts";

/** Why the caller sees an assignment, and what it may do with it. */
export function Access({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(CallerService.method.explainAccess, { authorizationId: id });
  return (
    <section>
      <h3>Why can I see it</h3>
      {error ? (
        <FailureNotice error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <p className="muted">Loading…</p>
      ) : (
        <Explanation answer={data} subject="you" />
      )}
    </section>
  );
}

function Explanation({ answer, subject }: { answer: ExplainAccessResponse; subject: Subject }) {
  return (
    <ul className="access">
      {answer.permissions.map((explained) => {
        const { permission, held } = explained;
        const reasons = reasonsInWords(explained, answer.own, subject);
        const isAllowed = held || (permission === "user.grant.read" && answer.own);
        return (
          <li key={permission} data-allowed={isAllowed}>
            <strong>{permissionInWords(permission, isAllowed, subject)}</strong>
            {reasons.map((reason) => (
              <span key={reason}>{reason}</span>
            ))}
            {!isAllowed && <Remedies texts={remediesInWords(explained)} />}
          </li>
        );
      })}
    </ul>
  );
}

function Remedies({ texts }: { texts: string[] }) {
  return (
    <details>
      <summary>What is missing</summary>
      <p>Any one of these would do:</p>
      <ul>
        {texts.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </details>
  );
}
