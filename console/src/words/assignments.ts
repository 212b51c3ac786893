/** The words of the table of assignments. */
export const stateWords = { title: (verb: string) => `${verb} this assignment?` } as const;

export const assignmentWords = {
  owned: "owned",
  granted: "granted",
  grantedBy: (owner: string) => `granted by ${owner}`,
  anotherOrganization: "another organization",
} as const;
