/** Where an export goes. Until `finish` has succeeded there is no file that could be taken for a whole one. */
export type Destination = {
  readonly name: string;
  readonly write: (text: string) => Promise<void>;
  readonly finish: () => Promise<void>;
  /** Leaves nothing behind. Never fails. */
  readonly discard: () => Promise<void>;
};

/** The file could not be written; the message is the browser's. */
export class FileFailed extends Error {
  override readonly name = "FileFailed";
}

// Of the File System API; not every browser has it.
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
 * Asks where to save and streams to the disk, where the browser can; else the file is kept by the browser and downloaded
 * at the end. Undefined when the person takes it back. Has to be called while a click is answered.
 */
export async function chooseDestination(name: string): Promise<Destination | undefined> {
  if (window.showSaveFilePicker === undefined) return download(name);
  try {
    const types = [{ description: "Comma-separated values", accept: { [mimeType]: [".csv"] } }];
    return await onDisk(await window.showSaveFilePicker({ suggestedName: name, types }));
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") return undefined;
    // Pages in frames, and people who forbid it, have no picker.
    return download(name);
  }
}

async function onDisk(handle: FileSystemFileHandle): Promise<Destination> {
  // What is written comes to the file when it is closed: a file of that name stays as it is until then.
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

/** The picker makes a new file at once; one that was there before has something in it and is left alone. */
async function removeIfEmpty(handle: FileSystemFileHandle): Promise<void> {
  const { size } = await handle.getFile();
  if (size === 0) await handle.remove?.();
}

function download(name: string): Destination {
  // A browser may keep blobs on the disk; text of a million rows would have to stay in memory.
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
  // The download has begun by then; a browser that asks where to save still reads it.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

async function failing(act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    throw new FileFailed(error instanceof Error ? error.message : String(error));
  }
}
