/** Things kept on this device. A browser that forbids it only forgets them. */
export function load<T>(key: string, otherwise: T): T {
  try {
    const text = localStorage.getItem(`preau.${key}`);
    return text === null ? otherwise : (JSON.parse(text) as T);
  } catch {
    return otherwise;
  }
}

/** Whether it is kept: not in private browsing, nor where the store is full. The page works without. */
export function save(key: string, value: unknown): boolean {
  try {
    localStorage.setItem(`preau.${key}`, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

/** Call `changed` when another tab of this browser saves the key. */
export function onSaved(key: string, changed: () => void): void {
  addEventListener("storage", (event) => {
    if (event.key === `preau.${key}`) changed();
  });
}
