import {
  currentSession,
  type Ending,
  endSession,
  endsWithin,
  onSessionChange,
  renewSession,
  type Session,
} from "./session.ts";
import { signIn } from "./sign-in-again.ts";
import type { SignedIn } from "./stored-session.ts";
import { type Message, type MessageOf, openTabChannel, tellOtherTabs } from "./tab-channel.ts";

// The tabs of a browser share a session. A new tab asks the others for theirs. If one tab renews or ends the session,
// that applies to all of them. Tabs that wait for a person take over a session that begins in another tab.

/** How long to wait for answers of other tabs, in milliseconds. A later answer still counts until a person signs in. */
const patienceMs = 150;

/** A message that ends a session in all of its tabs. */
const endings: readonly Ending[] = ["left", "ended", "expired"];

/** Whether there was no session when the page was opened, or its token has expired since. */
const mayTakeOver: readonly Ending[] = ["new", "expired"];

let answers: MessageOf<"have">[] = [];
/**
 * Sessions that another tab has ended, by session id if a person did so, otherwise by token. A third tab may not know
 * yet.
 */
const gone = new Set<string>();
/** The session that this tab has told the others about. */
let knownId: string | undefined;
let before: Session = currentSession();
let isHearing = false;
/** When a person last used this tab. */
let usedAt = document.hasFocus() ? Date.now() : 0;

/** Starts to share sessions. Without a session, asks for one first. Returns a function to stop. */
export function joinOtherTabs(): () => void {
  const end = new AbortController();
  before = currentSession();
  knownId = before.token === undefined ? undefined : before.id;
  const close = openTabChannel((message) => {
    isHearing = true;
    hear(message);
    isHearing = false;
  });
  window.addEventListener("focus", () => (usedAt = Date.now()), { signal: end.signal });
  const leave = onSessionChange(tell);
  if (before.token !== undefined) void askOtherTabs();
  else if (mayTakeOver.includes(before.ending) && !isForSigningIn()) void takeOver(before.ending);
  return () => {
    leave();
    end.abort();
    close();
  };
}

/** Waits until the other tabs had time to answer. A newer token of this session replaces its token. */
export async function askOtherTabs(): Promise<void> {
  tellOtherTabs({ kind: "ask" });
  await new Promise((resolve) => setTimeout(resolve, patienceMs));
}

/** Signs in with the session of the most recently used tab, because that one probably opened this one. */
async function takeOver(otherwise: Ending): Promise<void> {
  endSession("asking");
  answers = [];
  await askOtherTabs();
  if (!isEnding("asking")) return;
  const [last] = answers.filter(isGoodStill).toSorted((one, other) => other.usedAt - one.usedAt);
  if (last === undefined) endSession(otherwise);
  else adopt(last.session);
}

function hear(message: Message): void {
  const session = currentSession();
  if (message.kind === "ask") answer(session);
  else if (message.kind === "over") hearEnd(message, session);
  else if (session.token !== undefined) hearNewer(message.session, session);
  else if (message.kind === "have" && session.ending === "asking") answers.push(message);
  else if (isWelcome(message, session.ending)) adopt(message.session);
}

/** Offers only a session that the service has accepted and that is still valid. */
function answer(session: Session): void {
  if (session.token === undefined || !session.hasWorked) return;
  const { view: _, user: __, ...shared } = session;
  const isOver = shared.issued?.refreshToken === undefined && endsWithin(shared.issued ?? {}, 0);
  if (!isOver) tellOtherTabs({ kind: "have", session: shared, usedAt });
}

function hearEnd({ session: its, ending }: MessageOf<"over">, session: Session): void {
  gone.add(its.token);
  if (ending === "left") gone.add(its.id);
  if (session.token === undefined) {
    // This tab was about to take it over.
    if (session.ending === "checking" && its.id === knownId) endSession(ending);
  } else if (its.id === session.id || its.token === session.token) {
    // The other tab didn't know the newer token yet.
    if (ending !== "left" && its.renewals < session.renewals) answer(session);
    else endSession(ending);
  }
}

function hearNewer(its: SignedIn, session: SignedIn): void {
  if (its.id === session.id && its.renewals > session.renewals) renewSession(its.token, its.issued, its.renewals);
}

/** A late answer is only for a tab that never had a session. If one has ended, a person has to act. */
function isWelcome(message: MessageOf<"have" | "began">, ending: Ending): boolean {
  if (message.kind === "have") return ending === "new" && !isForSigningIn() && isGoodStill(message);
  return ending !== "returning" && ending !== "checking";
}

function isGoodStill({ session: { id, token } }: MessageOf<"have">): boolean {
  return !gone.has(id) && !gone.has(token);
}

function adopt(session: SignedIn): void {
  knownId = session.id;
  void signIn(session);
}

/** Tells the other tabs about changes of this tab's session, unless they caused them. */
function tell(): void {
  const last = before;
  const now = currentSession();
  before = now;
  if (isHearing) return;
  if (now.token === undefined) {
    if (last.token !== undefined && endings.includes(now.ending)) {
      const { id, token, renewals } = last;
      tellOtherTabs({ kind: "over", session: { id, token, renewals }, ending: now.ending });
    }
  } else if (now.user !== undefined && now.id !== knownId) {
    knownId = now.id;
    const { view: _, user: __, ...shared } = now;
    tellOtherTabs({ kind: "began", session: shared });
  } else if (last.token !== undefined && now.renewals > last.renewals) answer(now);
}

function isEnding(ending: Ending): boolean {
  const session = currentSession();
  return session.token === undefined && session.ending === ending;
}

/** People who open this page want to sign in, even if another tab has a session. */
function isForSigningIn(): boolean {
  return location.pathname === "/sign-in";
}
