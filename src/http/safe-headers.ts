/** The headers of every answer: browsers must trust its content type, and must not store it. */
export const safeHeaders = { "x-content-type-options": "nosniff", "cache-control": "no-store" } as const;
