import type * as english from "../ends.ts";
import type { Translation } from "../language/translated.ts";

export const endWords: Translation<typeof english.endWords> = {
  ends: "Läuft ab",
  never: "Nie",
  after: (days) =>
    ({ 1: "In 1 Tag", 7: "In 1 Woche", 30: "In 30 Tagen", 90: "In 90 Tagen" })[days] ?? `In ${days} Tagen`,
  at: "Zu einem bestimmten Zeitpunkt …",
  choose: "Zeitpunkt auswählen …",
  current: (when) => `Derzeitiger Ablauf: ${when}`,
  orNever: (when) => `${when} oder nie`,
  time: "Zeitpunkt des Ablaufs",
  hasPassed: "Geben Sie einen Zeitpunkt in der Zukunft ein.",
  restarts: "Abgelaufene werden wieder aktiv, wenn sie nicht deaktiviert wurden.",
  soon: "Läuft bald ab",
  in7Days: "In 7 Tagen",
  in30Days: "In 30 Tagen",
};
