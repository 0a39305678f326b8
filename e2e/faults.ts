import { expect } from '@playwright/test';
import { sandbox } from './supporter.ts';

/** Has the sandbox's bank or payment provider fail as asked; returns a function that ends all of its faults. */
export async function injectFault(fault: object): Promise<() => Promise<unknown>> {
  const headers = { 'content-type': 'application/json' };
  const faults = `${sandbox()}/control/faults`;
  const answer = await fetch(faults, { method: 'POST', headers, body: JSON.stringify(fault) });
  expect(answer.ok, await answer.text()).toBe(true);
  return () => fetch(faults, { method: 'DELETE' });
}
