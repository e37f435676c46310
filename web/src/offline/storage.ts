/**
 * Stores the tables of this device in IndexedDB: each table, its log row by row, its review. As on the server, a row whose
 * number is taken is refused, and so is a change to a table that was changed since: several windows can play at the same
 * tables.
 */
const NAME = "preau";
const VERSION = 1;
const STORES = ["tables", "log", "reviews"] as const;

/** A row of a log; its number comes first. */
export type Row = [number, ...unknown[]];

/** A table beside its log, as Python keeps it (`preau.browser.effects.About`); what is read of it here. */
export interface About {
  revision: number;
  table: {
    id: string;
    game: string;
    code: string;
    status: "waiting" | "playing" | "over";
    created: number;
    seats: { kind: "person" | "bot" | "open"; name?: string; level?: string }[];
  };
}

export interface Write {
  table: string;
  rows: Row[];
  about: About | null;
  review: unknown;
}

export interface Stored {
  about: About;
  rows: Row[];
  review?: unknown;
}

let opened: Promise<IDBDatabase> | undefined;

function open(): Promise<IDBDatabase> {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, VERSION);
    request.onupgradeneeded = () => STORES.forEach((name) => request.result.createObjectStore(name));
    request.onsuccess = () => {
      // Another window has a newer version of the page: it must not wait for this one.
      request.result.onversionchange = () => {
        request.result.close();
        opened = undefined;
      };
      request.result.onclose = () => (opened = undefined); // the browser has closed it by itself
      resolve(request.result);
    };
    request.onerror = () => reject(request.error ?? new Error("no database"));
  });
  opened.catch(() => (opened = undefined));
  return opened;
}

const rowsOf = (table: string) => IDBKeyRange.bound([table, 0], [table, Infinity]);

function answer<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("no answer"));
  });
}

/** All tables there are, each with when something was written about it. */
export async function listTables(): Promise<[string, number][]> {
  const store = (await open()).transaction("tables").objectStore("tables");
  const found = (await answer(store.getAll())) as { about: About; used: number }[];
  return found.map(({ about, used }) => [about.table.id, used]);
}

/** A table without its log. */
export async function loadSummary(table: string): Promise<About | null> {
  const store = (await open()).transaction("tables").objectStore("tables");
  const found = (await answer(store.get(table))) as { about: About } | undefined;
  return found?.about ?? null;
}

export async function load(table: string): Promise<Stored | null> {
  const transaction = (await open()).transaction(STORES);
  const [found, rows, review] = await Promise.all([
    answer(transaction.objectStore("tables").get(table)) as Promise<{ about: About } | undefined>,
    answer(transaction.objectStore("log").getAll(rowsOf(table))) as Promise<Row[]>,
    answer(transaction.objectStore("reviews").get(table)) as Promise<unknown>,
  ]);
  return found ? { about: found.about, rows, ...(review === undefined ? {} : { review }) } : null;
}

/** Write all of it or nothing; false if another window has written something since. */
export async function write(writes: Write[], gone: string[]): Promise<boolean> {
  const transaction = (await open()).transaction(STORES, "readwrite");
  const [tables, log, reviews] = STORES.map((name) => transaction.objectStore(name)) as [
    IDBObjectStore,
    IDBObjectStore,
    IDBObjectStore,
  ];
  let behind = false;
  const late = () => {
    behind = true;
    transaction.abort();
  };
  const ends = new Promise<boolean>((resolve, reject) => {
    transaction.oncomplete = () => resolve(true);
    transaction.onabort = () => (behind ? resolve(false) : reject(transaction.error ?? new Error("not written")));
  });
  for (const { table, rows, about, review } of writes) {
    for (const row of rows) {
      log.add(row, [table, row[0]]).onerror = (event) => {
        event.preventDefault();
        late();
      };
    }
    const before = tables.get(table);
    before.onsuccess = () => {
      const known = before.result as { about: About } | undefined;
      if ((known?.about.revision ?? 0) !== (about ? about.revision - 1 : known?.about.revision)) late();
      else tables.put({ about: about ?? known?.about, used: Date.now() }, table);
    };
    if (review !== null) reviews.put(review, table);
  }
  for (const table of gone) {
    tables.delete(table);
    log.delete(rowsOf(table));
    reviews.delete(table);
  }
  return ends;
}

/** Delete a table, without telling the windows that play at it. */
export async function forget(table: string): Promise<void> {
  await write([], [table]);
}
