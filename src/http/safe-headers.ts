/** What every answer says, whoever gives it: it is what its content type says, and nobody may keep it. */
export const safeHeaders = { "x-content-type-options": "nosniff", "cache-control": "no-store" } as const;
