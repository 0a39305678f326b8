import type { Page, Route } from '@playwright/test';
import type { ErrorCode, Operation, SentOf, UserRecord } from '@sparechange/contract';
import { getUser } from '@sparechange/contract';
import type { z } from 'zod';

type Changes = Partial<z.input<typeof UserRecord>>;

const at = (operation: Operation) => (url: URL) => url.pathname === `/api${operation.path}`;

/** The server answers an operation with this instead. */
export const answers =
  <Op extends Operation>(operation: Op, output: SentOf<Op>, status = 200) =>
  (page: Page) =>
    page.route(at(operation), (route) => route.fulfill({ status, json: operation.output.parse(output) }));

/** The server fails an operation, perhaps because of some fields. */
export const refuses =
  (operation: Operation, status = 503, code: ErrorCode = 'unavailable', fields: Record<string, string> = {}) =>
  (page: Page) =>
    page.route(at(operation), (route) =>
      route.fulfill({ status, json: { error: { code, message: 'Refused by a test', fields } } }),
    );

/** Leaves an operation without an answer. */
export const keepsWaiting = (operation: Operation) => (page: Page) => page.route(at(operation), () => undefined);

async function fulfillWith(route: Route, answer: { json(): Promise<unknown> }, changes: Changes): Promise<void> {
  const { userRecord } = getUser.output.parse(await answer.json());
  await route.fulfill({ json: { userRecord: { document: { ...userRecord.document, ...changes } } } });
}

/** Answers with the server's supporter, except for these fields. */
export const holds = (changes: Changes) => (page: Page) =>
  page.route(at(getUser), async (route) => fulfillWith(route, await route.fetch(), changes));

/** Saves a setting; the supporter changes in these fields only. */
export const saves = (operation: Operation, changes: Changes) => (page: Page) => {
  const known = page.waitForResponse((answer) => at(getUser)(new URL(answer.url())));
  return page.route(at(operation), async (route) => fulfillWith(route, await known, changes));
};

/** The identity service answers calls that end in this name; given a text, it refuses them with that error. */
export const identity = (call: string, answer: object | string) => (page: Page) =>
  page.route(
    (url) => url.pathname.endsWith(`accounts:${call}`),
    (route) =>
      typeof answer === 'string'
        ? route.fulfill({ status: 400, json: { error: { code: 400, message: answer, errors: [] } } })
        : route.fulfill({ json: answer }),
  );

/** Requests for these paths never come back, or fail. */
export const hangs = (path: string | RegExp) => (page: Page) => page.route(path, () => undefined);
export const aborts = (path: string | RegExp) => (page: Page) => page.route(path, (route) => route.abort());
