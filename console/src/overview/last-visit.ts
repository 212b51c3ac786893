const name = "authorization-console.last-visit";

/** When a user last opened the overview in this browser. Undefined if someone else opened it last, or no one did. */
export function lastVisit(userId: string): Date | undefined {
  try {
    const [visitor, time] = JSON.parse(localStorage.getItem(name) ?? "[]") as [string?, string?];
    return visitor === userId && time !== undefined ? new Date(time) : undefined;
  } catch {
    return undefined;
  }
}

export function noteVisit(userId: string): void {
  try {
    localStorage.setItem(name, JSON.stringify([userId, new Date().toISOString()]));
  } catch {
    // Then every visit is the first one.
  }
}
