import { type FormEvent, useId, useState } from "react";
import { beginSession, type Ending } from "./session.ts";

const reasons: Record<Ending, string | undefined> = {
  new: undefined,
  refused: "Your token is not accepted: it may be mistyped, have expired or have been revoked. Sign in again to go on.",
  left: "You are signed out.",
};

/** Asks for a token. The address stays as it is, so that a link shows its view after signing in. */
export function SignIn({ ending }: { ending: Ending }) {
  const [token, setToken] = useState("");
  const field = useId();
  const hint = useId();

  function signIn(event: FormEvent) {
    event.preventDefault();
    beginSession(token.trim());
  }

  return (
    <main className="sign-in">
      <h1>Authorizations</h1>
      <p>See and change who holds which roles, in which project, in which organization.</p>
      {reasons[ending] && <p role="status">{reasons[ending]}</p>}
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
          autoFocus
          value={token}
          onChange={(event) => setToken(event.target.value)}
        />
        <p id={hint} className="hint">
          The start of the service prints tokens for its demo world; <code>npm run cli -- token create --user ann</code>{" "}
          makes one. It is kept until this tab is closed.
        </p>
        <button type="submit" className="primary">
          Sign in
        </button>
      </form>
    </main>
  );
}
