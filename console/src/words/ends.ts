import { translated } from "./language/translated.ts";

/** When assignments end. */
export const endWords = translated("endWords", {
  ends: "Ends",
  never: "Never",
  after: (days: number) =>
    ({ 1: "In 1 day", 7: "In 1 week", 30: "In 30 days", 90: "In 90 days" })[days] ?? `In ${days} days`,
  at: "At a time…",
  choose: "Choose when…",
  current: (when: string) => `Current end: ${when}`,
  orNever: (when: string) => `${when}, or never`,
  time: "Time of the end",
  hasPassed: "Enter a time in the future.",
  restarts: "Those whose end has passed become active again, unless they were deactivated.",
  soon: "Ends soon",
  in7Days: "Within 7 days",
  in30Days: "Within 30 days",
} as const);
