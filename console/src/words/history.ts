export const historyWords = { for: "for", in: "in" } as const;
