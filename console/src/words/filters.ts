/** The words of the filters above a table. */
export const words = {
  more: "More filters",
} as const;
