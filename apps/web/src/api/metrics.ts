import { getStart } from '#tenant/current.ts';

/** Analytics where a Firebase project with a measurement id is configured; web performance figures in any case. */
export async function reportMetrics(): Promise<void> {
  const { selfHostedUrl: _, ...project } = getStart().config.identity;
  if (project.measurementId) await startAnalytics(project);
  const { onCLS, onFCP, onINP, onLCP, onTTFB } = await import('web-vitals');
  for (const observe of [onCLS, onFCP, onINP, onLCP, onTTFB]) {
    observe(({ name, value, rating }) => {
      const body = JSON.stringify({ name, value, rating, path: screenOf(location.pathname) });
      navigator.sendBeacon('/vitals', new Blob([body], { type: 'application/json' }));
    });
  }
}

/** The screen alone: a path of ours may end in somebody's email address, which is nobody's business. */
export const screenOf = (path: string): string => `/${path.split('/')[1] ?? ''}`;

async function startAnalytics(project: { measurementId: string }): Promise<void> {
  const [{ getApps, initializeApp }, { initializeAnalytics, isSupported }] = await Promise.all([
    import('firebase/app'),
    import('firebase/analytics'),
  ]);
  if (await isSupported()) initializeAnalytics(getApps()[0] ?? initializeApp(project));
}
