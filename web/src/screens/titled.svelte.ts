/** The name of a screen in the browser's title while the screen is there. Call while a component is being made. */
export function titled(name: () => string): void {
  $effect(() => {
    document.title = `${name()} · Préau`;
    return () => (document.title = "Préau");
  });
}
