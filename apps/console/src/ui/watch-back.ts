/** Each part of the page with something to lose; the last one is asked. */
export const watchers: ((event: PopStateEvent) => void)[] = [];

// Chromium calls the listeners of a window in their order, whether they capture or not: this one is there before the router's.
window.addEventListener('popstate', (event) => watchers.at(-1)?.(event));
