import { useEffect, useId, useRef, useState } from "react";
import { signInWords } from "../words/session.ts";
import { leaveForIssuer } from "./issuer-sign-in.ts";
import type { Ending } from "./session.ts";
import { problemOf } from "./sign-in-problem.ts";

/** Signs in at the issuer in this tab, which leaves the page. The separate sign-in page does so at once. */
export function WithIssuer({ issuer, ending }: { issuer: string; ending: Ending }) {
  const [isLeaving, setLeaving] = useState(false);
  const [problem, setProblem] = useState<string>();
  const hint = useId();

  async function leave() {
    setLeaving(true);
    try {
      await leaveForIssuer(ending);
    } catch (error) {
      setProblem(problemOf(error, issuer));
      setLeaving(false);
    }
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page is opened.
  useEffect(() => {
    if (location.pathname === "/sign-in" && ending === "new") void leave();
  }, []);

  return (
    <section className="sign-in-way">
      <button
        type="button"
        className="primary"
        aria-describedby={hint}
        aria-disabled={isLeaving}
        // biome-ignore lint/a11y/noAutofocus: it is what most people come here for.
        autoFocus
        onClick={() => !isLeaving && void leave()}
      >
        {signInWords.withIssuer}
      </button>
      <p id={hint} className="hint">
        {signInWords.at[0]}
        <strong>{issuer}</strong>
        {signInWords.at[1]}
      </p>
      {problem && <p role="alert">{problem}</p>}
    </section>
  );
}

/** Signs in at the issuer in a new tab, because leaving this one would lose what is kept in it. */
export function InNewTab({ issuer }: { issuer: string }) {
  const link = useRef<HTMLAnchorElement>(null);
  const hint = useId();
  useEffect(() => link.current?.focus(), []);
  return (
    <section className="sign-in-way">
      <a
        ref={link}
        className="button primary"
        href="/sign-in?close=true"
        target="_blank"
        rel="noopener"
        aria-describedby={hint}
      >
        {signInWords.withIssuer}
      </a>
      <p id={hint} className="hint">
        {signInWords.atInNewTab[0]}
        <strong>{issuer}</strong>
        {signInWords.atInNewTab[1]}
      </p>
    </section>
  );
}
