/** Without whom: browsers may have several users, and keep nothing about them. */
const name = "authorization-console.last-visit";

/** When this browser last showed the overview. Undefined if it never did, or doesn't tell. */
export function lastVisit(): Date | undefined {
  try {
    const moment = new Date(localStorage.getItem(name) ?? "");
    return Number.isNaN(moment.getTime()) ? undefined : moment;
  } catch {
    return undefined;
  }
}

export function noteVisit(): void {
  try {
    localStorage.setItem(name, new Date().toISOString());
  } catch {
    // Then every visit is the first one.
  }
}
