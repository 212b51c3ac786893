/** The words of the filters above a table. */
export const filterWords = {
  more: "More filters",
} as const;
