import { locale } from "./language/language.ts";
import { translated } from "./language/translated.ts";

/** The words of the dialog for a new assignment. */
export const createWords = translated("createWords", {
  title: "New assignment",
  users: "People",
  organization: "Organization",
  project: "Project",
  projectHint: "Pick a project to see its roles.",
  create: "Create",
  review: (people: number) => `Review ${people.toLocaleString(locale)} assignments`,
  creating: "Creating…",
  save: "Save roles",
  saving: "Saving…",
  lookingUp: "Looking up what the link refers to…",
  granted: "granted",
  loading: "Loading…",
  nothingThere: (organization: string) => `You can't assign anything in ${organization}. Pick another organization.`,
  existing: {
    title: "Edit the existing assignment",
    there: "The person has an assignment there already.",
    edit: "Change its roles here, or open it.",
    open: "Open it",
  },
  uncertain: "The server did not answer. It is unknown whether the assignment was created.",
  look: "Check whether it is there",
  missing: { both: "Pick a person and a project.", user: "Pick a person.", project: "Pick a project." },
  noRoles: "Without roles, it gives no rights. You can add them later.",
} as const);
