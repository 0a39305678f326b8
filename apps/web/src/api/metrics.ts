import { getStart } from '#tenant/current.ts';
import { reportScreens, screenOf } from './screens-seen.ts';

interface Measure {
  name: string;
  /** The screen, never the full URL. */
  path: string;
  value?: number;
  rating?: string;
}

/**
 * Reports screens and web vitals to Firebase Analytics where a measurement id is configured and the browser can run it,
 * otherwise to our own collector.
 */
export async function reportMetrics(): Promise<void> {
  const { selfHostedUrl: _, ...project } = getStart().config.identity;
  const report = (project.measurementId && (await startAnalytics(project))) || collect;
  reportScreens((path) => report({ name: 'page_view', path }));
  const { onCLS, onFCP, onINP, onLCP, onTTFB } = await import('web-vitals');
  for (const observe of [onCLS, onFCP, onINP, onLCP, onTTFB]) {
    observe(({ name, value, rating }) => report({ name, value, rating, path: screenOf(location.pathname) }));
  }
}

function collect(measure: Measure): void {
  navigator.sendBeacon('/vitals', new Blob([JSON.stringify(measure)], { type: 'application/json' }));
}

async function startAnalytics(project: { measurementId: string }): Promise<((measure: Measure) => void) | undefined> {
  const [{ getApps, initializeApp }, { initializeAnalytics, isSupported, logEvent, setDefaultEventParameters }] =
    await Promise.all([import('@firebase/app'), import('@firebase/analytics')]);
  if (!(await isSupported())) return undefined;
  // The default is to report whole URLs, and ours carry people's email addresses and the codes of reset links.
  const address = (path: string) => ({ page_location: `${location.origin}${path}`, page_referrer: '' });
  const analytics = initializeAnalytics(getApps()[0] ?? initializeApp(project), {
    config: { send_page_view: false, ...address(screenOf(location.pathname)) },
  });
  return ({ path, ...measure }) => {
    setDefaultEventParameters(address(path));
    const { name, ...figures } = measure;
    if (name === 'page_view') logEvent(analytics, 'page_view', address(path));
    else logEvent(analytics, 'web_vital', { metric: name, ...figures, ...address(path) });
  };
}
