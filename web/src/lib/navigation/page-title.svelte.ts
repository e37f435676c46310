/**
 * The name of a screen in the browser's title while the screen is there. Call while a component is being made. The
 * browser is told only when the name changes: telling it takes a while.
 */
export function setPageTitle(name: () => string): void {
  const title = $derived([name(), "Préau"].filter(Boolean).join(" · "));
  $effect(() => {
    document.title = title;
  });
  $effect(() => () => (document.title = "Préau"));
}
