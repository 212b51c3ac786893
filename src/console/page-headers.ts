import type { ConsoleSettings } from "./settings.ts";

/**
 * Limits what a browser may do with the page: run and show files of this server, call this server and the issuer, and
 * show pictures from the listed origins. Inline code doesn't run, and no site can frame the page.
 */
export function pageHeaders({ oidc, avatarOrigins }: ConsoleSettings): Readonly<Record<string, string>> {
  const issuer = oidc === undefined ? [] : [new URL(oidc.issuer).origin];
  const policy = [
    ["default-src", "'none'"],
    ["script-src", "'self'"],
    ["style-src", "'self'"],
    ["font-src", "'self'"],
    ["img-src", "'self'", ...avatarOrigins],
    ["connect-src", "'self'", ...issuer],
    ["base-uri", "'none'"],
    ["form-action", "'none'"],
    ["frame-ancestors", "'none'"],
    ["require-trusted-types-for", "'script'"],
  ];
  return {
    "content-security-policy": policy.map((directive) => directive.join(" ")).join("; "),
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
  };
}
