/** Things kept on this device. A browser that forbids it only forgets them. */
export function load<T>(key: string, otherwise: T): T {
  try {
    const text = localStorage.getItem(`preau.${key}`);
    return text === null ? otherwise : (JSON.parse(text) as T);
  } catch {
    return otherwise;
  }
}

export function save(key: string, value: unknown): void {
  try {
    localStorage.setItem(`preau.${key}`, JSON.stringify(value));
  } catch {
    // private browsing, or full: the page works without
  }
}

/** Call `changed` when another tab of this browser saves the key. */
export function onSaved(key: string, changed: () => void): void {
  addEventListener("storage", (event) => {
    if (event.key === `preau.${key}`) changed();
  });
}
