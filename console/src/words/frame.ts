/** The entries of the menu that lead to the pages about people, projects and organizations. */
export const frameWords = {
  people: "People",
  projects: "Projects",
  organizations: "Organizations",
  administrators: "Administrators",
  account: (name: string) => `${name}: your account`,
} as const;
