import { useId, useState } from "react";
import { signInWords } from "../words/session.ts";
import { leaveForIssuer, problemOf } from "./issuer-sign-in.ts";
import type { Ending } from "./session.ts";

type Props = { issuer: string; ending: Ending; isKept: boolean };

/** Signs in at the issuer, which leaves the page: in a new tab if leaving this one would lose what is kept in it. */
export function WithIssuer({ issuer, ending, isKept }: Props) {
  const [isLeaving, setLeaving] = useState(false);
  const [problem, setProblem] = useState<string>();
  const hint = useId();
  const [before, after] = isKept ? signInWords.atInNewTab : signInWords.at;

  async function leave() {
    setLeaving(true);
    try {
      await leaveForIssuer(ending);
    } catch (error) {
      setProblem(problemOf(error, issuer));
      setLeaving(false);
    }
  }

  return (
    <section className="stack">
      <button
        type="button"
        className="primary"
        aria-describedby={hint}
        aria-disabled={isLeaving}
        // biome-ignore lint/a11y/noAutofocus: it is what most people come here for.
        autoFocus
        onClick={() => {
          if (isKept) window.open("/", "_blank", "noopener");
          else if (!isLeaving) void leave();
        }}
      >
        {signInWords.withIssuer}
      </button>
      <p id={hint} className="hint">
        {before}
        <strong>{issuer}</strong>
        {after}
      </p>
      {problem && <p role="alert">{problem}</p>}
    </section>
  );
}
