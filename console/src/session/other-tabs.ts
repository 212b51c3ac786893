import {
  currentSession,
  type Ending,
  endSession,
  endsWithin,
  onSessionChange,
  renewSession,
  type Session,
  type SignedIn,
} from "./session.ts";
import { signIn } from "./signing-in.ts";

// A new tab asks the others for their session, and a tab that waits for a person takes one that begins in another tab.
// From then on, each tab has its token to itself. It hears only of newer ones, because many issuers accept a refresh token
// only once, and of signing out.

/** Messages between tabs of the console. Only pages of this origin receive them, and nothing stores them. */
type Message =
  | { readonly kind: "ask" }
  /** The answer, also sent by a tab that has renewed its token. */
  | { readonly kind: "have"; readonly session: SignedIn }
  /** A person has signed in. */
  | { readonly kind: "began"; readonly session: SignedIn }
  /** A person has signed out. */
  | { readonly kind: "left"; readonly session: Pick<SignedIn, "id" | "token"> };

/** How long to wait for the answers of other tabs, in milliseconds. */
const patienceMs = 150;

/** Without a session for one of these reasons, a tab is about to get one. */
const isOnItsWay: readonly Ending[] = ["returning", "checking"];

let channel: BroadcastChannel | undefined;
/** The session that this tab has told the others about, or got from them. It is still this tab's when it has expired, without its refresh token. */
let known: Pick<SignedIn, "id" | "token"> | undefined;

/** Starts to share sessions, and asks for one, or for a newer token. Returns a function to stop. */
export function joinOtherTabs(): () => void {
  try {
    channel = new BroadcastChannel("authorization-console.session");
  } catch {
    // If the browser forbids it, as it may forbid storage, each tab has its own session.
    return () => {};
  }
  channel.onmessage = ({ data }: MessageEvent<Message>) => hear(data);
  const session = currentSession();
  known = session.token === undefined ? undefined : { id: session.id, token: session.token };
  const leave = onSessionChange(tellOfChange);
  void askOtherTabs();
  return () => {
    leave();
    channel?.close();
    channel = undefined;
  };
}

/** Asks the other tabs, and waits until those with a newer token of this session have answered. */
export async function askOtherTabs(): Promise<void> {
  tell({ kind: "ask" });
  await new Promise((resolve) => setTimeout(resolve, patienceMs));
}

function tell(message: Message): void {
  channel?.postMessage(message);
}

function hear(message: Message): void {
  const session = currentSession();
  if (message.kind === "ask") answer(session);
  else if (message.kind === "left") {
    const { id, token } = message.session;
    if (known?.id !== id && known?.token !== token) return;
    known = undefined;
    endSession("left");
  } else if (session.token !== undefined) {
    const { id, token, issued } = message.session;
    const isNewer = (issued?.expiresAt ?? 0) > (session.issued?.expiresAt ?? 0);
    if (id === session.id && isNewer) renewSession(token, issued);
    // An answer is meant for new tabs, and any session will do for them.
  } else if (message.kind === "have" ? session.ending === "new" : !isOnItsWay.includes(session.ending)) {
    known = { id: message.session.id, token: message.session.token };
    void signIn(message.session);
  }
}

/** Offers only a session that the service has accepted and that is still valid. */
function answer(session: Session): void {
  if (session.token === undefined || !session.hasWorked) return;
  const isOver = session.issued?.refreshToken === undefined && endsWithin(session.issued ?? {}, 0);
  if (!isOver) tell({ kind: "have", session: sharedOf(session) });
}

/** Tells the other tabs of what a person does here, and of newer tokens. */
function tellOfChange(): void {
  const session = currentSession();
  if (session.token === undefined) {
    if (session.ending !== "left" || known === undefined) return;
    tell({ kind: "left", session: known });
    known = undefined;
  } else if (session.user !== undefined && session.token !== known?.token) {
    const kind = session.id === known?.id ? "have" : "began";
    known = { id: session.id, token: session.token };
    tell({ kind, session: sharedOf(session) });
  }
}

/** Without the user, because each page asks the service who it is. */
function sharedOf({ token, issued, id, hasWorked }: SignedIn): SignedIn {
  return { token, ...(issued && { issued }), id, hasWorked };
}
