import { locale } from "./language/language.ts";
import { translated } from "./language/translated.ts";

const number = new Intl.NumberFormat(locale);

/** The words of the dialog for a filter, which few people open. */
export const filterEditorWords = translated("filterEditorWords", {
  add: "Add filter",
  edit: "Edit filter",
  titleOf: (title: string, subject: string) => `${title}: ${subject}`,
  apply: "Apply",
  choose: "Choose…",
  whatBy: (name: string) => `${name}: what to filter by`,
  removeOf: (name: string) => `Remove ${name.toLowerCase()}`,
  filter: (place: number) => `Filter ${place}`,
  not: "Not",
  anyOfThese: "Any of these",
  allOfThese: "All of these",
  addFirst: "Add a filter",
  addAnother: "Add another filter",
  comparison: (label: string) => `How to compare the ${label.toLowerCase()}`,
  typed: "Type or paste",
  listHint: (count: number) => `One per line, or separated by commas. ${number.format(count)} so far.`,
  usualRanges: "Usual ranges",
  presets: { today: "Today", week: "Last 7 days", days: "Last 30 days", month: "This month" },
  presetsAhead: { nextWeek: "Next 7 days", nextDays: "Next 30 days" },
  from: "From",
  untilBefore: "Until before",
  zone: (zone: string) => `In your time zone, ${zone}. You can leave one of them empty.`,
  lists: {
    user: { names: "People", ids: "Person ids" },
    project: { names: "Projects", ids: "Project ids" },
    role: { ids: "Role keys" },
    assignment: { ids: "Assignment ids" },
  },
  rolesOfProject: "Roles of the project",
  rolesOf: (project: string) => `Roles of ${project}`,
  projectIs: "The project is",
  isOwned: "owned by the organization of the assignment",
  grantsOfProject: "Grants of the project",
  grantedTo: (organization: string) => `granted to ${organization}`,
  moreGrants: (count: number) =>
    `${number.format(count)} more are not shown. Filter by the project and the organization instead.`,
} as const);
