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
  const [token, setToken] = useState("");
  const field = useId();
  const hint = useId();

  function signIn(event: FormEvent) {
    event.preventDefault();
    beginSession(token.trim());
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
        value={token}
        onChange={(event) => setToken(event.target.value)}
      />
      <p id={hint} className="hint">
        The start of the service prints tokens for its demo world; <code>npm run cli -- token create --user ann</code>{" "}
        makes one. It is kept until this tab is closed.
      </p>
      <button type="submit" className={isOnlyWay ? "primary" : undefined}>
        {isOnlyWay ? "Sign in" : "Sign in with the token"}
      </button>
    </form>
  );
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
