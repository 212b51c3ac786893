import { currentSession, type Ending, endSession, endsWithin, onSessionChange, renewSession } from "./session.ts";
import { signIn } from "./sign-in-again.ts";
import type { SignedIn } from "./stored-session.ts";
import { type Message, type MessageOf, openTabChannel, tellOtherTabs } from "./tab-channel.ts";

// A new tab asks the others for their session, and a tab that waits for a person takes one that begins in another tab.
// From then on, each tab has its token to itself. It hears only of newer ones, because many issuers accept a refresh token
// only once, and of signing out.

/** How long to wait for answers of other tabs, in milliseconds. A later answer still counts until a person signs in. */
const patienceMs = 150;

/** Without a session for one of these reasons, a tab is about to get one. */
const isOnItsWay: readonly Ending[] = ["returning", "checking"];

let answers: MessageOf<"have">[] = [];
/** The session that this tab has told the others about, or got from them. */
let knownId: string | undefined;
/** When a person last used this tab. */
let usedAt = document.hasFocus() ? Date.now() : 0;

/** Starts to share sessions. Without a session, asks for one first. Returns a function to stop. */
export function joinOtherTabs(): () => void {
  const end = new AbortController();
  const close = openTabChannel(hear);
  window.addEventListener("focus", () => (usedAt = Date.now()), { signal: end.signal });
  const leave = onSessionChange(tellOfChanges());
  // The token of a tab that is loaded again may have expired in the meantime.
  if (mayTakeAny("new", "expired")) void takeOver();
  return () => {
    leave();
    end.abort();
    close();
  };
}

/** The sessions of other tabs, that of the most recently used one first. */
export async function askOtherTabs(): Promise<readonly SignedIn[]> {
  answers = [];
  tellOtherTabs({ kind: "ask" });
  await new Promise((resolve) => setTimeout(resolve, patienceMs));
  return answers.toSorted((one, other) => other.usedAt - one.usedAt).map(({ session }) => session);
}

/** Signs in with the session of the most recently used tab, because that one probably opened this one. */
async function takeOver(): Promise<void> {
  const before = currentSession();
  if (before.token !== undefined) return;
  endSession("asking");
  const [last] = await askOtherTabs();
  const session = currentSession();
  if (session.token !== undefined || session.ending !== "asking") return;
  if (last === undefined) endSession(before.ending);
  else adopt(last);
}

function hear(message: Message): void {
  const session = currentSession();
  if (message.kind === "ask") answer();
  else if (message.kind === "left") hearLeft(message.session);
  else if (session.token !== undefined) hearNewer(message.session, session);
  else if (message.kind === "have") hearAnswer(message, session.ending);
  else if (!isOnItsWay.includes(session.ending)) adopt(message.session);
}

/** Offers only a session that the service has accepted and that is still valid. */
function answer(): void {
  const session = currentSession();
  if (session.token === undefined || !session.hasWorked) return;
  const { view: _, user: __, ...shared } = session;
  const isOver = shared.issued?.refreshToken === undefined && endsWithin(shared.issued ?? {}, 0);
  if (!isOver) tellOtherTabs({ kind: "have", session: shared, usedAt });
}

function hearAnswer(message: MessageOf<"have">, ending: Ending): void {
  if (ending === "asking") answers.push(message);
  else if (mayTakeAny("new")) adopt(message.session);
}

function hearLeft(its: Pick<SignedIn, "id" | "token">): void {
  const session = currentSession();
  answers = answers.filter((one) => one.session.id !== its.id);
  const isIts =
    session.token === undefined
      ? // Its view is kept until the person is back.
        session.keptFor !== undefined && knownId === its.id && !isOnItsWay.includes(session.ending)
      : session.id === its.id || session.token === its.token;
  if (isIts) endSession("left");
}

function hearNewer(its: SignedIn, session: SignedIn): void {
  const isNewer = (its.issued?.expiresAt ?? 0) > (session.issued?.expiresAt ?? 0);
  if (its.id === session.id && isNewer) renewSession(its.token, its.issued);
}

/** Whether any session will do. On the page for signing in, people want to sign in, even if another tab has a session. */
function mayTakeAny(...endings: Ending[]): boolean {
  const session = currentSession();
  return session.token === undefined && endings.includes(session.ending) && location.pathname !== "/sign-in";
}

function adopt(session: SignedIn): void {
  knownId = session.id;
  void signIn(session);
}

/** A listener that tells the other tabs of what a person does here, and of newer tokens. */
function tellOfChanges(): () => void {
  let before = currentSession();
  knownId = before.token === undefined ? undefined : before.id;
  return () => {
    const last = before;
    const now = currentSession();
    before = now;
    if (now.token === undefined) {
      if (last.token !== undefined && now.ending === "left")
        tellOtherTabs({ kind: "left", session: { id: last.id, token: last.token } });
    } else if (now.user !== undefined && now.id !== knownId) {
      knownId = now.id;
      const { view: _, user: __, ...shared } = now;
      tellOtherTabs({ kind: "began", session: shared });
    } else if (last.token !== undefined && last.id === now.id && last.token !== now.token) answer();
  };
}
