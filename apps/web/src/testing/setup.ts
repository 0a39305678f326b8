import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest';
import { queryClient } from '#api/query-client.ts';
import { signedOut } from './fake-session.ts';
import { takeExpected } from './logged.ts';
import { server } from './server.ts';

vi.mock('#api/session.ts', () => import('./fake-session.ts'));
vi.mock('#api/leave.ts', () => ({ leaveFor: vi.fn() }));

// Screens load on demand, and the first one brings all styles with it.
configure({ asyncUtilTimeout: 60_000 });

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
afterAll(() => server.close());

// jsdom has no modal dialogs; the browser's own are tested in the journeys.
HTMLDialogElement.prototype.showModal = function showModal() {
  this.open = true;
};
HTMLDialogElement.prototype.close = function close() {
  this.open = false;
};

beforeEach(() => {
  window.scrollTo = () => undefined;
  vi.spyOn(console, 'error');
});

afterEach(() => {
  cleanup();
  server.resetHandlers();
  queryClient.clear();
  localStorage.clear();
  signedOut();
  const logged = vi.mocked(console.error).mock.calls;
  vi.restoreAllMocks();
  if (takeExpected()) expect(logged, 'an error was logged').not.toEqual([]);
  else expect(logged, 'nothing was logged as an error').toEqual([]);
});
