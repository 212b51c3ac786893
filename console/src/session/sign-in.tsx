import { type FormEvent, useId, useState } from "react";
import { settings } from "../settings.ts";
import { leaveForIssuer } from "./issuer-sign-in.ts";
import { beginSession, type Ending } from "./session.ts";
import { problemOf } from "./sign-in-problem.ts";

type Props = { ending: Ending; problem?: string | undefined };

/** Asks who it is. The address stays as it is, so that a link shows its view after signing in. */
export function SignIn({ ending, problem }: Props) {
  const issuer = settings.oidc && new URL(settings.oidc.issuer).host;
  const reason = problem ?? reasonOf(ending, issuer);
  return (
    <main className="sign-in">
      <h1>Authorizations</h1>
      <p>See and change who holds which roles, in which project, in which organization.</p>
      {reason && <p role={ending === "failed" ? "alert" : "status"}>{reason}</p>}
      {ending !== "returning" && (
        <>
          {issuer !== undefined && <WithIssuer issuer={issuer} ending={ending} />}
          <WithToken isOnlyWay={issuer === undefined} />
        </>
      )}
    </main>
  );
}

function WithIssuer({ issuer, ending }: { issuer: string; ending: Ending }) {
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
        Sign in with your organization’s account
      </button>
      <p id={hint} className="hint">
        At <strong>{issuer}</strong>.
      </p>
      {problem && <p role="alert">{problem}</p>}
    </section>
  );
}

function WithToken({ isOnlyWay }: { isOnlyWay: boolean }) {
  const [text, setText] = useState("");
  const [problem, setProblem] = useState<string>();
  const field = useId();
  const hint = useId();

  function signIn(event: FormEvent) {
    event.preventDefault();
    const token = tokenIn(text);
    if (token === undefined) setProblem("This is no token: tokens are letters, digits and - . _ ~ + / = alone.");
    else {
      beginSession(token);
      // The field is gone, and the focus with it.
      requestAnimationFrame(() => document.getElementById("view")?.focus());
    }
  }

  return (
    <form onSubmit={signIn}>
      <label htmlFor={field}>Token</label>
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
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {problem && (
        <p role="alert" className="problem">
          {problem}
        </p>
      )}
      <p id={hint} className="hint">
        The first start prints tokens for its demo world. In a new database,{" "}
        <code>npm run --silent cli -- init --organization Acme --login ann@acme.example</code> makes the first owner and
        a token. Later, <code>npm run --silent cli -- token create --user USER_ID</code> makes one. It is kept until
        this tab is closed.
      </p>
      <button type="submit" className={isOnlyWay ? "primary" : undefined}>
        {isOnlyWay ? "Sign in" : "Sign in with the token"}
      </button>
    </form>
  );
}

/**
 * The token in what was pasted, which may be a line of the start or a header; undefined where there is none. RFC 6750,
 * section 2.1, says what tokens are made of.
 */
export function tokenIn(pasted: string): string | undefined {
  return /^\s*(?:TOKEN=|(?:Authorization: )?Bearer )?([\w.~+/-]+=*)\s*$/.exec(pasted)?.[1];
}

function reasonOf(ending: Ending, issuer: string | undefined): string | undefined {
  const there = issuer ?? "your organization";
  const reasons: Partial<Record<Ending, string>> = {
    left:
      issuer === undefined ? "You are signed out." : `You are signed out here. At ${there} you may still be signed in.`,
    refused:
      "Your token is not accepted: it may be mistyped, have expired or have been revoked. Sign in again to go on.",
    unaccepted: `The service does not know your account of ${there}. Use another one, or ask whoever runs the service.`,
    expired: "Your session has ended; sign in again to go on.",
    returning: `Signing you in with your account of ${there} …`,
  };
  return reasons[ending];
}
