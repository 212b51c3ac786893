import type { Translation } from "../language/translated.ts";
import type * as english from "../panel.ts";

const you = "Sie";

export const panelWords: Translation<typeof english.panelWords> = {
  title: "Zuweisung",
  notFound: "Nicht gefunden",
  close: "Schließen",
  closeHint: "Schließen (Esc)",
  place: (project, organization) => `${project} in ${organization}`,
  gone: "Diese Zuweisung wurde gelöscht, oder Sie können sie nicht sehen",
  goneAdvice: "Jemand hat sie gelöscht, oder Sie haben dort keine Rechte.",
  wasOf: (user, project, organization) => `Sie gehörte ${user}, für ${project} in ${organization}.`,
  itsId: "Die ID der Zuweisung ist",
  whatBecame: "Was mit ihr geschah",
  history: "Verlauf",
  loading: "Wird geladen …",
  nothing: "Nichts vorhanden.",
  details: "Details",
  facts: {
    loginName: "Anmeldename",
    belongsTo: "Person gehört zu",
    organization: "Organisation",
    project: "Projekt",
    state: "Status",
    ends: "Läuft ab",
    ended: "Abgelaufen",
    created: "Angelegt",
    changed: "Geändert",
  },
  owned: "gehört dieser Organisation",
  grantedBy: (owner) => `für sie freigegeben von ${owner}`,
  notInForce: ": Die Rollen bleiben erhalten, sind aber nicht wirksam",
  ids: "IDs",
  idNames: { assignment: "Zuweisung", user: "Person", project: "Projekt", organization: "Organisation" },
  idOf: (what) => `ID: ${what}`,
  person: "Alles über diese Person",
  roles: "Rollen",
  noRoles: "Keine Rollen zugewiesen.",
  noGroup: "Ohne Gruppe",
  copy: "Kopieren",
  copied: "Kopiert",
  copyOf: (what) => `Kopieren: ${what}`,
  copiedOf: (what) => `Kopiert: ${what}`,
};

export const accessWords: Translation<typeof english.accessWords> = {
  title: "Warum sehe ich diese Zuweisung?",
  ofAnother: "Was darf diese Person damit tun",
  missing: "Was fehlt",
  oneOf: "Eines davon würde genügen:",
  you,
  may: (who, deed) => `${who} ${who === you ? "können" : "kann"} ${deed}`,
  mayNot: (who, deed) => `${who} ${who === you ? "können" : "kann"} ${deed.replace(/ (\S+)$/, " nicht $1")}`,
  deeds: {
    "user.grant.read": "sie sehen",
    "user.grant.write": "ihre Rollen und ihren Status ändern",
    "user.grant.delete": "sie löschen",
  },
  own: { you: "Es ist Ihre eigene Zuweisung.", they: "Es ist die eigene Zuweisung der Person." },
  holds: {
    you: (what) => `Sie haben: ${what}.`,
    they: (what) => `Die Person hat: ${what}.`,
  },
  holdsMore: {
    you: "Sie haben mehr, an Stellen, die Ihnen nicht angezeigt werden.",
    they: "Die Person hat mehr, an Stellen, die Ihnen nicht angezeigt werden.",
  },
  source: (roles, scope) => `${roles} ${scope}`,
  scopes: {
    everything: "für alles",
    organization: (name) => `in der Organisation ${name}`,
    project: (name) => `für das Projekt ${name}, in der Organisation, der es gehört`,
    grant: (project, organization) => `für das Projekt ${project}, wie es für ${organization} freigegeben ist`,
    unnamedGrant: (id) => `für die Freigabe ${id}`,
    unknown: "an einer Stelle, die diese Seite nicht kennt",
  },
};
