import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import mark from "../icon.svg";
import { settings } from "../settings.ts";
import { signInWords } from "../words/session.ts";
import { type Ending, newSession, type SignedOut } from "./session.ts";
import { leaveForIssuer, problemOf, signIn } from "./signing-in.ts";

/** The sign-in page. The address stays, so a link shows its view after signing in. */
export function SignIn({ ending, problem, keptFor }: Omit<SignedOut, "token">) {
  const issuer = settings.oidc && new URL(settings.oidc.issuer).host;
  const reason = problem ?? signInWords.reasons[ending]?.(issuer);
  const isUnderWay = ending === "returning" || ending === "checking";
  return (
    <main className="sign-in stack">
      <img src={mark} alt="" width="48" height="48" />
      <h1>{signInWords.product}</h1>
      <p className="muted">{signInWords.what}</p>
      {reason && <p role={ending === "failed" ? "alert" : "status"}>{reason}</p>}
      {keptFor !== undefined && !isUnderWay && <p>{signInWords.kept}</p>}
      {!isUnderWay && (
        <>
          {issuer !== undefined && <WithIssuer issuer={issuer} ending={ending} isKept={keptFor !== undefined} />}
          <WithToken isOnlyWay={issuer === undefined} />
        </>
      )}
    </main>
  );
}

/** Signs in at the issuer, which leaves the page: in a new tab if leaving this one would lose what is kept in it. */
function WithIssuer({ issuer, ending, isKept }: { issuer: string; ending: Ending; isKept: boolean }) {
  const { mutate: leave, isIdle, error } = useMutation({ mutationFn: () => leaveForIssuer(ending) });
  const isLeaving = !isIdle && error === null;
  const hint = useId();
  const [before, after] = isKept ? signInWords.atInNewTab : signInWords.at;

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
          else if (!isLeaving) leave();
        }}
      >
        {signInWords.withIssuer}
      </button>
      <p id={hint} className="hint">
        {before}
        <strong>{issuer}</strong>
        {after}
      </p>
      {error && <p role="alert">{problemOf(error, issuer)}</p>}
      <p className="muted">{signInWords.or}</p>
    </section>
  );
}

function WithToken({ isOnlyWay }: { isOnlyWay: boolean }) {
  const [problem, setProblem] = useState<string>();
  const field = useId();
  const hint = useId();

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const token = tokenIn(String(new FormData(event.currentTarget).get("token")));
    if (token === undefined) setProblem(signInWords.noToken);
    else void signIn(newSession(token));
  }

  return (
    <form className="stack" onSubmit={submit}>
      <label htmlFor={field}>{signInWords.token}</label>
      <input
        id={field}
        aria-describedby={hint}
        type="password"
        autoComplete="off"
        spellCheck={false}
        required
        // biome-ignore lint/a11y/noAutofocus: it is the only thing to do here.
        autoFocus={isOnlyWay}
        aria-invalid={problem !== undefined || undefined}
        name="token"
      />
      {problem && (
        <p role="alert" className="problem">
          {problem}
        </p>
      )}
      <button type="submit" className={isOnlyWay ? "primary" : undefined}>
        {isOnlyWay ? signInWords.signIn : signInWords.signInWithToken}
      </button>
      <details>
        <summary>{signInWords.whence}</summary>
        <p id={hint} className="hint">
          {signInWords.whenceTexts[0]}
          <code>npm run --silent cli -- init --organization Acme --login ann@acme.example</code>
          {signInWords.whenceTexts[1]}
          <code>npm run --silent cli -- token create --user USER_ID</code>
          {signInWords.whenceTexts[2]}
        </p>
      </details>
    </form>
  );
}

/**
 * The token in a pasted text, which may be a line printed by `npm start` or a header; undefined if there is none. RFC
 * 6750, section 2.1, defines the characters of tokens.
 */
export function tokenIn(pasted: string): string | undefined {
  return /^\s*(?:TOKEN=|(?:Authorization: )?Bearer )?([\w.~+/-]+=*)\s*$/.exec(pasted)?.[1];
}
