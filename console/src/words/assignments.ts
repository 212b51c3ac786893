/** The words of the table of assignments. */
export const assignmentWords = {
  owned: "owned",
  granted: "granted",
  grantedBy: (owner: string) => `granted by ${owner}`,
  anotherOrganization: "another organization",
} as const;
