import { beforeEach, expect, test, vi } from 'vitest';
import { aConfig, aTenant } from '../testing/makers.ts';

const analytics = vi.hoisted(() => ({
  isSupported: vi.fn(async () => true),
  initializeAnalytics: vi.fn(() => 'analytics'),
  logEvent: vi.fn(),
  setDefaultEventParameters: vi.fn(),
}));
vi.mock('@firebase/analytics', () => analytics);
vi.mock('@firebase/app', () => ({ getApps: () => [], initializeApp: vi.fn(() => 'app') }));

type Observe = (report: (metric: { name: string; value: number; rating: string }) => void) => void;
vi.mock('web-vitals', () => {
  const once = (name: string, value: number) => ((report) => report({ name, value, rating: 'good' })) as Observe;
  const none = (() => undefined) as Observe;
  return { onCLS: once('CLS', 0), onLCP: once('LCP', 812.5), onFCP: none, onINP: none, onTTFB: none };
});

const sendBeacon = vi.fn<(url: string, body: Blob) => boolean>(() => true);

/** Visits another screen from a page with a private address. */
async function measure(measurementId: string): Promise<void> {
  vi.resetModules(); // a visit of its own
  const { setStart } = await import('#tenant/current.ts');
  setStart({
    config: aConfig({ measurementId }),
    tenantKey: 'default',
    settings: aTenant(),
    isFallbackBrand: false,
  });
  history.replaceState(null, '', '/extend-consent/mira@example.com?token=secret');
  const { screenSeen } = await import('./screens-seen.ts');
  const { reportMetrics } = await import('./metrics.ts');
  screenSeen('/extend-consent/mira@example.com');
  await reportMetrics();
  screenSeen('/dashboard');
}

const collected = async () =>
  Promise.all(sendBeacon.mock.calls.map(async ([url, body]) => [url, JSON.parse(await body.text())]));

beforeEach(() => {
  vi.clearAllMocks();
  Object.defineProperty(navigator, 'sendBeacon', { value: sendBeacon, configurable: true });
});

test('without a measurement id screens and web vitals go to our own collector', async () => {
  await measure('');
  expect(await collected()).toEqual([
    ['/vitals', { name: 'page_view', path: '/extend-consent' }],
    ['/vitals', { name: 'CLS', value: 0, rating: 'good', path: '/extend-consent' }],
    ['/vitals', { name: 'LCP', value: 812.5, rating: 'good', path: '/extend-consent' }],
    ['/vitals', { name: 'page_view', path: '/dashboard' }],
  ]);
  expect(analytics.initializeAnalytics).not.toHaveBeenCalled();
});

test('with a measurement id they go to Firebase Analytics, without addresses', async () => {
  await measure('G-TEST');
  const at = (screen: string) => ({ page_location: `${location.origin}${screen}`, page_referrer: '' });
  expect(analytics.initializeAnalytics).toHaveBeenCalledWith('app', {
    config: { send_page_view: false, ...at('/extend-consent') },
  });
  const lcp = { metric: 'LCP', value: 812.5, rating: 'good', ...at('/extend-consent') };
  expect(analytics.logEvent.mock.calls).toEqual([
    ['analytics', 'page_view', at('/extend-consent')],
    ['analytics', 'web_vital', { ...lcp, metric: 'CLS', value: 0 }],
    ['analytics', 'web_vital', lcp],
    ['analytics', 'page_view', at('/dashboard')],
  ]);
  expect(sendBeacon).not.toHaveBeenCalled();
});

test('a browser that cannot run Firebase Analytics reports to our own collector', async () => {
  analytics.isSupported.mockResolvedValueOnce(false);
  await measure('G-TEST');
  expect(sendBeacon).toHaveBeenCalledTimes(4);
});
