/** The current time for components that count down, updated twice a second while they are shown. */
export function currentTime(): { readonly now: number } {
  let now = $state(Date.now());
  $effect(() => {
    const timer = setInterval(() => (now = Date.now()), 500);
    return () => clearInterval(timer);
  });
  return {
    get now() {
      return now;
    },
  };
}
