import { locale } from "./language/language.ts";
import { translated } from "./language/translated.ts";

/** The words of the dialog for a new assignment. */
export const createWords = translated("createWords", {
  title: "New assignment",
  users: "People",
  organization: "Organization",
  project: "Project",
  findProject: "Find a project",
  moreProjects: "There are more. Search by name.",
  noProject: "No project matches.",
  create: "Create",
  review: (people: number) => `Review ${people.toLocaleString(locale)} assignments`,
  save: "Save roles",
  lookingUp: "Looking up what the link refers to…",
  granted: "granted",
  loading: "Loading…",
  nothingThere: (organization: string) => `You can't assign anything in ${organization}. Pick another organization.`,
  existing: {
    there: "The person has an assignment there already.",
    adds: "The roles are added to it.",
    hasIt: "assigned already",
    open: "Open it",
  },
  missing: "Pick people and a project.",
  noRoles: "Without roles, it gives no rights. You can add them later.",
} as const);
