import { counted } from "./counted.ts";
import { translated } from "./language/translated.ts";

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
  isDone: "done",
  leave: "Every step is kept. You can leave and come back at any time.",
  steps: {
    organization: "Organization",
    project: "Project",
    roles: "Roles",
    people: "People",
    assignments: "Assignments",
    lines: "Use the API",
  },
  addOrganization: "Add another organization",
  addProject: "Add project",
  projectAdvice: (organization: string) =>
    `A project is an application that asks who may do what. ${organization} will own it.`,
  addRoles: "Add roles",
  rolesAdvice: "Roles are what people can be in a project. Programs check their keys.",
  people: (count: number, organization: string) => `${organization} has ${counted(count, ["person", "people"])}.`,
  peopleAdvice: (organization: string) => `The first people of ${organization}.`,
  assignmentsAdvice: "An assignment gives a person roles for a project in an organization.",
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
  },
} as const);
