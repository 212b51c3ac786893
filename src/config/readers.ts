import { BlockList, isIP, isIPv6 } from "node:net";
import { availableParallelism } from "node:os";
import { isKeyUrl } from "../identity/key-url.ts";
import { secondsOf } from "../identity/lifetime.ts";
import { asksForPrimary, splitHosts } from "./postgres-hosts.ts";

export type Readers = ReturnType<typeof readers>;

/** One reader for each kind of value. For a value that can't be used, it adds a problem and returns the default. */
export function readers(env: Record<string, string | undefined>, problems: string[]) {
  // An empty variable counts as unset, because compose files and shells often set empty ones.
  const given = (name: string) => env[name] || undefined;

  /** Without the value, which may hold a password. */
  function refuse<T>(name: string, expected: string, fallback: T): T {
    problems.push(`${name}: must be ${expected}`);
    return fallback;
  }

  function refuseWithValue<T>(name: string, expected: string, fallback: T): T {
    const value = JSON.stringify(given(name));
    return refuse(name, value.length > 60 ? expected : `${expected}, got ${value}`, fallback);
  }

  /** @param expected what is expected, for people */
  function checked(name: string, isUsable: (text: string) => boolean, expected: string): string | undefined {
    const text = given(name);
    return text === undefined || isUsable(text) ? text : refuse(name, expected, undefined);
  }

  /** The same for texts separated by commas. */
  function eachChecked(name: string, isUsable: (text: string) => boolean, expected: string): string[] {
    const parts = (given(name) ?? "").split(",").map((part) => part.trim());
    const listed = parts.filter(Boolean);
    return listed.every(isUsable) ? listed : refuse(name, expected, []);
  }

  return {
    text: (name: string, fallback: string) => given(name) ?? fallback,

    integer(name: string, fallback: number, least: number, most: number): number {
      const text = given(name);
      if (text === undefined) return fallback;
      const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
      return value >= least && value <= most
        ? value
        : refuseWithValue(name, `a whole number from ${least} to ${most}`, fallback);
    },

    /** How many processes serve. */
    workers(name: string): number {
      const text = given(name) ?? "1";
      if (text === "auto") return availableParallelism();
      const value = /^\d{1,3}$/.test(text) ? Number(text) : 0;
      return value >= 1 && value <= 128 ? value : refuseWithValue(name, "a whole number from 1 to 128, or auto", 1);
    },

    seconds(name: string, fallback: string): number {
      const seconds = secondsOf(given(name) ?? fallback);
      return seconds ?? refuseWithValue(name, "a duration such as 12h or 366d", 0);
    },

    boolean(name: string, fallback: boolean): boolean {
      const text = given(name);
      if (text === undefined) return fallback;
      return text === "true" || (text !== "false" && refuseWithValue(name, "true or false", fallback));
    },

    oneOf<T extends string>(name: string, fallback: T, values: readonly T[]): T {
      const text = given(name) ?? fallback;
      return values.find((value) => value === text) ?? refuseWithValue(name, `one of ${values.join(", ")}`, fallback);
    },

    /** May list several hosts: splitHosts. */
    postgresUrl(name: string): string | undefined {
      const text = given(name);
      const problem = text && problemOfPostgresHosts(text);
      return problem ? refuse(name, problem, undefined) : text;
    },

    /** URLs separated by spaces or commas. A comma that is not followed by another URL is a part of its URL. */
    postgresUrls(name: string): string[] {
      const urls = (given(name) ?? "").split(/\s+|,\s*(?=postgres(?:ql)?:)/).filter(Boolean);
      const problem = urls.map(problemOfPostgresUrl).find(Boolean);
      if (problem !== undefined) return refuse(name, problem === escapedUrl ? escapedUrl : urlsForm, []);
      return new Set(urls).size === urls.length ? urls : refuse(name, `${urlsForm}, each only once`, []);
    },

    isGiven: (name: string) => given(name) !== undefined,

    keyUrl: (name: string) => checked(name, isKeyUrl, keyUrlForm),

    httpUrl: (name: string) =>
      checked(name, (text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ""), "an http:// or https:// URL"),

    /** A URL in its only spelling, which clients compare and to which paths can be added. */
    publicUrl: (name: string) =>
      checked(
        name,
        (text) => publicUrlForm.test(text) && [text, `${text}/`].includes(URL.parse(text)?.href ?? ""),
        "an https:// URL that has no query, no fragment and no / at its end",
      ),

    /** A fraction. */
    part(name: string, fallback: number): number {
      const text = given(name) ?? String(fallback);
      const usable = /^(0|1|[01]?\.\d+)$/.test(text) && Number(text) <= 1;
      return usable ? Number(text) : refuseWithValue(name, "a number from 0 to 1", fallback);
    },

    /** The text is not normalized: tokens must name exactly this issuer. */
    issuer: (name: string) =>
      checked(name, (text) => isKeyUrl(text) && !/[?#\s]/.test(text), `${keyUrlForm}, without a query or a fragment`),

    origins: (name: string) =>
      eachChecked(name, (text) => text === "*" || URL.parse(text)?.origin === text, `${originsForm}, or *`),

    /** Addresses and networks such as 10.0.0.0/8. */
    networks(name: string): BlockList {
      const list = new BlockList();
      const form = "addresses or networks such as 10.0.0.0/8, separated by commas";
      for (const network of eachChecked(name, isNetwork, form)) {
        const [address = "", length] = network.split("/");
        const family = isIPv6(address) ? "ipv6" : "ipv4";
        list.addSubnet(address, Number(length ?? (isIPv6(address) ? 128 : 32)), family);
      }
      return list;
    },

    /** Origins that can be written into a Content-Security-Policy. */
    webOrigins: (name: string) => eachChecked(name, isWebOrigin, originsForm),

    /** OAuth scopes, in the format of RFC 6749. */
    scopes(name: string, fallback: string): string {
      const scopes = (given(name) ?? fallback).split(" ").filter(Boolean);
      const usable = scopes.includes("openid") && scopes.every((scope) => /^[!#-[\]-~]+$/.test(scope));
      return usable ? scopes.join(" ") : refuse(name, "scopes separated by spaces, including openid", fallback);
    },
  };
}

function problemOfPostgresHosts(text: string): string | undefined {
  const urls = splitHosts(text);
  if (urls === undefined) return problemOfPostgresUrl(text) ?? "a URL whose hosts have one port, or one port each";
  const problem = (urls.length > 1 ? urls : [text]).map(problemOfPostgresUrl).find(Boolean);
  const isForPrimary = asksForPrimary(text);
  return problem ?? (isForPrimary ? undefined : "a URL with target_session_attrs=read-write or primary, if any");
}

function problemOfPostgresUrl(text: string): string | undefined {
  const url = URL.parse(text);
  if (!/^postgres(ql)?:$/.test(url?.protocol ?? "")) return "a postgres:// or postgresql:// URL";
  // An unescaped / or # ends the host there, and errors would name a part of the password as the host.
  const isAmbiguous = url?.hash !== "" || /^[^?]*@/.test(url.pathname) || /^\?[^=]*@/.test(url.search);
  return isAmbiguous ? escapedUrl : undefined;
}

const originsForm = "origins such as https://shop.example, separated by commas";

/**
 * Whether the host is a plain name or an IPv4 address. Hosts in URLs can also contain quotes, semicolons and asterisks.
 */
export function isWebOrigin(text: string): boolean {
  return /^https?:\/\/[a-z\d][a-z\d.-]*(:\d+)?$/.test(text) && URL.parse(text)?.origin === text;
}

const publicUrlForm = /^https:\/\/[a-z\d][a-z\d.-]*(?::\d+)?(?:\/[\w.~-]+)*$/;
const urlsForm = "postgres:// or postgresql:// URLs separated by spaces or commas";
const escapedUrl = "a URL with percent-encoded special characters in the user name and password, such as %2F for /";
const keyUrlForm = "an https:// URL, or an http:// URL of this machine, without a user name";

function isNetwork(text: string): boolean {
  const [, address = "", length = "0"] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  return isIP(address) !== 0 && Number(length) <= (isIP(address) === 6 ? 128 : 32);
}
