/** What a page of an origin can fetch: it asks before every request, as a browser does because of its Authorization header. */
export function fetchFrom(origin: string): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const wanted = [...request.headers.keys()];
    const preflight = await fetch(request.url, {
      method: "OPTIONS",
      headers: {
        origin,
        "access-control-request-method": request.method,
        "access-control-request-headers": wanted.join(","),
      },
    });
    const allowed = listed(preflight, "access-control-allow-headers");
    if (!preflight.ok || !allows(preflight, origin) || wanted.some((name) => !allowed.includes(name))) throw refused;
    request.headers.set("origin", origin);
    const response = await fetch(request);
    if (!allows(response, origin)) throw refused;
    const shown = [...safelisted, ...listed(response, "access-control-expose-headers")];
    const headers = [...response.headers].filter(([name]) => shown.includes(name));
    return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
  };
}

/** Headers that every page may read. */
const safelisted = ["cache-control", "content-language", "content-length", "content-type", "expires", "last-modified"];

function listed(response: Response, header: string): string[] {
  return (response.headers.get(header) ?? "").toLowerCase().split(/ *, */);
}

function allows(response: Response, origin: string): boolean {
  return response.headers.get("access-control-allow-origin") === origin;
}

const refused = new TypeError("Failed to fetch");
