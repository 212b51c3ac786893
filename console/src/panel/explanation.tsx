import type { ExplainAccessResponse } from "@authorization-service/client";
import { accessWords as words } from "../words/panel.ts";
import { permissionInWords, reasonsInWords, remediesInWords, type Subject } from "./access-words.ts";

/** What someone may do with an assignment, why, and what is missing. */
export function Explanation({ answer, subject }: { answer: ExplainAccessResponse; subject: Subject }) {
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
      <summary>{words.missing}</summary>
      <p>{words.oneOf}</p>
      <ul>
        {texts.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </details>
  );
}
