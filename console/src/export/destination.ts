import { exportWords } from "../words/export.ts";
/** The destination of an export. Until `finish` has succeeded, there is no file that looks complete. */
export type Destination = {
  readonly name: string;
  readonly write: (text: string) => Promise<void>;
  readonly finish: () => Promise<void>;
  /** Removes everything written so far. Never fails. */
  readonly discard: () => Promise<void>;
};

/** Thrown if the file can't be written. The message is the browser's. */
export class FileFailed extends Error {
  override readonly name = "FileFailed";
}

// Part of the File System API, which not every browser has.
declare global {
  interface Window {
    showSaveFilePicker?: (options: {
      suggestedName: string;
      types: { description: string; accept: Record<string, string[]> }[];
    }) => Promise<FileSystemFileHandle>;
  }
  interface FileSystemFileHandle {
    remove?: () => Promise<void>;
  }
}

const mimeType = "text/csv";

/**
 * Asks where to save and streams to the disk, if the browser can. Otherwise the browser keeps the file and downloads it
 * at the end. Undefined if the person cancels. Must be called while a click is handled.
 */
export async function chooseDestination(name: string): Promise<Destination | undefined> {
  if (window.showSaveFilePicker === undefined) return download(name);
  try {
    const types = [{ description: exportWords.kindOfFile, accept: { [mimeType]: [".csv"] } }];
    return await onDisk(await window.showSaveFilePicker({ suggestedName: name, types }));
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") return undefined;
    // The picker fails in frames, or if people have blocked it.
    return download(name);
  }
}

async function onDisk(handle: FileSystemFileHandle): Promise<Destination> {
  // The data replaces the file only when it is closed. Until then, an existing file stays unchanged.
  const writable = await handle.createWritable();
  return {
    name: handle.name,
    write: (text) => failing(() => writable.write(text)),
    finish: () => failing(() => writable.close()),
    discard: () =>
      writable
        .abort()
        .then(() => removeIfEmpty(handle))
        .catch(() => {}),
  };
}

/** Removes the empty file that the picker creates. A file that existed before has content, and is left alone. */
async function removeIfEmpty(handle: FileSystemFileHandle): Promise<void> {
  const { size } = await handle.getFile();
  if (size === 0) await handle.remove?.();
}

function download(name: string): Destination {
  // Browsers can keep blobs on disk, while the text of a million rows would have to stay in memory.
  let parts: Blob[] = [];
  return {
    name,
    write: async (text) => {
      parts.push(new Blob([text]));
    },
    finish: () => failing(async () => save(new Blob(parts, { type: mimeType }), name)),
    discard: async () => {
      parts = [];
    },
  };
}

function save(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // By then, the download has begun. A browser that asks where to save still reads the blob.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

async function failing(act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    throw new FileFailed(error instanceof Error ? error.message : String(error));
  }
}
