import path from "node:path";
import { root } from "../support/repository.ts";

export const sources = import.meta.dirname;

/** Where everything foreign is installed. */
export const cache = path.join(root, ".cache/foreign");
export const go = { folder: path.join(cache, "go"), bin: path.join(cache, "bin") };
export const python = { folder: path.join(cache, "python"), program: path.join(cache, "python/venv/bin/python") };
export const node = { folder: path.join(cache, "node") };

/** Finds what is installed here before anything else. */
export const env = {
  ...process.env,
  GOBIN: go.bin,
  PATH: [go.bin, path.join(python.folder, "venv/bin"), path.join(root, "node_modules/.bin"), process.env.PATH].join(
    ":",
  ),
};
