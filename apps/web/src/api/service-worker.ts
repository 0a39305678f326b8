import { filesOfPage, offerNewVersion } from './new-version.ts';

const hourMs = 3_600_000;
/** The page is loaded from the network, in its new version, if the browser keeps the old worker any longer. */
const changeoverMs = 3_000;

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ): {
    createScriptURL(url: string): string;
  };
}

/** Marks our own script's URL as trusted where the browser enforces trusted types (our policy does). */
function trusted(path: string): string {
  const { trustedTypes } = globalThis as typeof globalThis & { trustedTypes?: TrustedTypes };
  return trustedTypes?.createPolicy('service-worker', { createScriptURL: (url) => url }).createScriptURL(path) ?? path;
}

let registered: Promise<ServiceWorkerRegistration> | undefined;

/** Asks a waiting worker whether it has this page's version. */
function isOfThisPage(worker: ServiceWorker): Promise<boolean> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = ({ data }) => {
      port1.close();
      resolve(data === true);
    };
    worker.postMessage(filesOfPage(), [port2]);
  });
}

/**
 * Registers the service worker, which keeps the app readable without a network. Older pages offer a new version;
 * accepting it replaces the current worker and reloads the page.
 */
export async function watchForNewVersion(): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  const { serviceWorker } = navigator;
  const isFirst = registered === undefined;
  registered ??= serviceWorker.register(trusted('/sw.js'), { updateViaCache: 'none' }).catch((error: unknown) => {
    registered = undefined; // a failed registration is tried again by the next shell
    throw error;
  });
  const registration = await registered;
  const offerIfReady = async (worker: ServiceWorker | null) => {
    if (worker?.state !== 'installed' || !serviceWorker.controller || (await isOfThisPage(worker))) return;
    offerNewVersion(() => {
      if (worker.state !== 'installed') return location.reload(); // another page has used it
      serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true });
      worker.postMessage('use the new version');
      setTimeout(() => location.reload(), changeoverMs); // browsers may wait five minutes for the old one to be idle
    });
  };
  void offerIfReady(registration?.waiting);
  registration?.addEventListener('updatefound', () => {
    const worker = registration.installing;
    worker?.addEventListener('statechange', () => void offerIfReady(worker));
  });
  if (isFirst) setInterval(() => void registration?.update().catch(() => undefined), hourMs);
}
