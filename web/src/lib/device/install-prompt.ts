/** The browser's offer to install the page as an app. It comes once, at a time of the browser's choice. */
export interface Offer extends Event {
  prompt(): Promise<{ outcome: "accepted" | "dismissed" }>;
}

export const install: { offer: Offer | null } = { offer: null };

export function listen(): void {
  addEventListener("beforeinstallprompt", (event) => (install.offer = event as Offer));
  addEventListener("appinstalled", () => (install.offer = null));
}
