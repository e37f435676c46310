/** Milliseconds after which something that is loading is said to take long, with a way to try again. */
export const LONG = 20_000;

/** Whether what is shown has been waiting for long. */
export function takesLong(): { readonly now: boolean } {
  let now = $state(false);
  $effect(() => {
    const timer = setTimeout(() => (now = true), LONG);
    return () => clearTimeout(timer);
  });
  return {
    get now() {
      return now;
    },
  };
}
