const hourMs = 3_600_000;

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ): {
    createScriptURL(url: string): string;
  };
}

/** Lets the address of our own script through where the browser asks for trusted ones (our policy does). */
function trusted(path: string): string {
  const { trustedTypes } = globalThis as typeof globalThis & { trustedTypes?: TrustedTypes };
  return trustedTypes?.createPolicy('service-worker', { createScriptURL: (url) => url }).createScriptURL(path) ?? path;
}

let registered: Promise<ServiceWorkerRegistration> | undefined;

/**
 * Registers the service worker, which keeps the app readable without a network. Once a new version is there it is
 * offered and waits for a yes: `use` replaces the present one and loads the page anew.
 */
export async function watchForNewVersion(offer: (use: () => void) => void): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  const { serviceWorker } = navigator;
  const isFirst = registered === undefined;
  registered ??= serviceWorker.register(trusted('/sw.js'), { updateViaCache: 'none' });
  const registration = await registered;
  const offerIfReady = (worker: ServiceWorker | null) => {
    if (worker?.state !== 'installed' || !serviceWorker.controller) return;
    offer(() => {
      serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true });
      worker.postMessage('use the new version');
    });
  };
  offerIfReady(registration?.waiting);
  registration?.addEventListener('updatefound', () => {
    const worker = registration.installing;
    worker?.addEventListener('statechange', () => offerIfReady(worker));
  });
  if (isFirst) setInterval(() => void registration?.update().catch(() => undefined), hourMs);
}
