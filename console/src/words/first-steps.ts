import { translated } from "./language/translated.ts";
import { counted } from "./pages.ts";

/** The words of the first steps in an empty database. */
export const firstStepsWords = translated("firstStepsWords", {
  title: "First steps",
  welcome: {
    title: "Set up your service",
    advice: "Nothing is assigned yet. A few steps lead from an organization to the first assignment.",
    begin: "Start with the first steps",
    resume: "Continue the first steps",
  },
  notAllowed: "The first steps are for owners of everything",
  notAllowedAdvice: "Ask an owner of everything.",
  toAssignments: "Go to the assignments",
  /** What the history keeps as the reason. */
  reason: "First steps",
  progress: "Steps",
  isDone: "done",
  leave: "Every step is kept. You can leave and come back at any time.",
  next: "Continue",
  steps: {
    organization: "Organization",
    project: "Project",
    roles: "Roles",
    people: "People",
    assignments: "Assignments",
    lines: "Use the API",
  },
  organization: {
    advice: "An organization is a company or a team. It owns projects and has people.",
    existing: (name: string) => `Use ${name}`,
    other: "Add another organization",
    name: "Name of the organization",
    add: "Add organization",
  },
  project: {
    advice: (organization: string) =>
      `A project is an application that asks who may do what. ${organization} will own it.`,
    existing: (name: string) => `Use ${name}`,
    name: "Name of the project",
    add: "Add project",
  },
  roles: {
    advice: (project: string) => `Roles are what people can be in ${project}. Programs check their keys.`,
    existing: "Roles of the project",
    keys: "Keys, with commas between them",
    hint: "Such as: seller, auditor, cashier",
    taken: (keys: string) => `The project has these roles already: ${keys}.`,
    add: (count: number) => (count === 0 ? "Add roles" : `Add ${counted(count, ["role", "roles"])}`),
  },
  people: {
    advice: (organization: string) => `The first people of ${organization}.`,
    existing: (count: number, organization: string) =>
      `${organization} has ${counted(count, ["person", "people"])} already.`,
  },
  assignments: {
    advice: (project: string, organization: string) => `Who holds which roles for ${project} in ${organization}?`,
    people: "People",
    everyone: "Everyone in this list",
    more: (left: number) =>
      `${counted(left, ["more person is", "more people are"])} not listed. Assign their roles later.`,
    roles: "Roles",
    hasSome: "has an assignment already",
    assign: (count: number) => (count === 0 ? "Assign" : `Assign to ${counted(count, ["person", "people"])}`),
    done: (count: number) => `${counted(count, ["person has", "people have"])} an assignment now.`,
    noRoles: "The project has no roles yet.",
    toRoles: "Go back to the roles",
  },
  lines: {
    advice: (count: number) =>
      `${counted(count, ["assignment is", "assignments are"])} there. Programs read them with a token.`,
    token: "Put a token into the variable TOKEN: the one you signed in with, or a new one for a program.",
    toAccount: "Create a token",
    curl: "With curl",
    typescript: "In TypeScript",
    install: "Packages that it needs",
    copiesCurl: "the curl command",
    copiesTypescript: "the TypeScript",
    table: "See them in the table",
  },
  added: (name: string) => `${name} is added.`,
  rolesAdded: (count: number) => `${counted(count, ["role is", "roles are"])} added.`,
} as const);
