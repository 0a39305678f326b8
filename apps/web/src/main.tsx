import './ui/base.css';
import { startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { loadIdentity } from '#api/session.ts';
import { readStored, store } from '#api/stored.ts';
import { getTenant, setStart, tenantOfHost } from '#tenant/current.ts';
import { findStart, paintTenant } from '#tenant/start.ts';
import { isOfflinePage } from '#ui/status-line.tsx';
import { whenIdle } from '#ui/when-idle.ts';
import { App } from './app.tsx';
import { preloadScreen } from './routes.tsx';

/** Fetched settings may take long (a known host has them in its page); after this time the page is no longer blank. */
const blankForMs = 1000;

/** Reloads a page that was opened offline as soon as the server answers. */
function reloadWhenBack(): void {
  const ask = () =>
    void fetch('/config.json', { method: 'HEAD' })
      .then(({ ok }) => ok && location.reload())
      .catch(() => undefined);
  addEventListener('online', ask);
  setInterval(ask, 10_000);
}

async function main(root: HTMLElement): Promise<void> {
  if (isOfflinePage()) reloadWhenBack();
  preloadScreen(location.pathname);
  const isWritten = root.hasChildNodes(); // by the server (server.tsx)
  const waiting = setTimeout(() => {
    if (!isWritten) root.textContent = 'Loading...';
  }, blankForMs);
  const [start] = await Promise.all([findStart(document, location.host), fontOr(150)]).finally(() =>
    clearTimeout(waiting),
  );
  setStart(start);
  // In parallel with the screen's own code, as a remembered sign-in will be looked up.
  if (readStored('userId')) loadIdentity().catch((error: unknown) => console.error(error));
  store('host', tenantOfHost(location.host));
  paintTenant(document, getTenant());
  document.title ||= getTenant().name;
  // In a transition, React takes the page over in pieces, between which the browser answers presses.
  if (isWritten) startTransition(() => void hydrateRoot(root, <App />));
  else createRoot(root).render(<App />);
  whenIdle(() => void import('#api/metrics.ts').then(({ reportMetrics }) => reportMetrics()));
}

/** The font loads with the page; a short wait for it avoids a change of typeface. */
const fontOr = (ms: number) =>
  Promise.race([document.fonts.load('1em "Inter Variable"'), new Promise((resolve) => setTimeout(resolve, ms))]).catch(
    () => undefined,
  );

const root = document.getElementById('root');
if (root) {
  main(root).catch((error: unknown) => {
    console.error(error);
    const isForbidden = error instanceof DOMException && error.name === 'SecurityError';
    root.textContent = isForbidden
      ? 'This page needs the storage of your browser to keep your sign-in safe. Please allow it for this site and load the page again.'
      : 'This page could not be loaded. Please check your connection and load it again.';
  });
}
