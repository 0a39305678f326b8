import type { Page, Route } from '@playwright/test';
import type { ErrorCode, Operation, SentOf, UserRecord } from '@sparechange/contract';
import { getUser } from '@sparechange/contract';
import type { z } from 'zod';

const at = (operation: Operation) => (url: URL) => url.pathname === `/api${operation.path}`;

/** The server answers an operation with this instead. */
export const answers = <Op extends Operation>(page: Page, operation: Op, output: SentOf<Op>, status = 200) =>
  page.route(at(operation), (route) => route.fulfill({ status, json: operation.output.parse(output) }));

/** The server fails an operation, perhaps because of some fields. */
export const refuses = (
  page: Page,
  operation: Operation,
  status = 503,
  code: ErrorCode = 'unavailable',
  fields: Record<string, string> = {},
) =>
  page.route(at(operation), (route) =>
    route.fulfill({ status, json: { error: { code, message: 'Refused by a test', fields } } }),
  );

/** Leaves an operation without an answer. */
export const keepsWaiting = (page: Page, operation: Operation) => page.route(at(operation), () => undefined);

/** Answers with the server's supporter, but for these fields. */
export const holds = (page: Page, changes: Partial<z.input<typeof UserRecord>>) =>
  page.route(at(getUser), async (route: Route) => {
    const answer = await route.fetch();
    const { userRecord } = getUser.output.parse(await answer.json());
    await route.fulfill({ json: { userRecord: { document: { ...userRecord.document, ...changes } } } });
  });

/** Saves a setting; the supporter changes in these fields only. */
export async function saves(
  page: Page,
  operation: Operation,
  changes: Partial<z.input<typeof UserRecord>>,
): Promise<void> {
  const known = page.waitForResponse((answer) => at(getUser)(new URL(answer.url())));
  await page.route(at(operation), async (route) => {
    const { userRecord } = getUser.output.parse(await (await known).json());
    await route.fulfill({ json: { userRecord: { document: { ...userRecord.document, ...changes } } } });
  });
}

/** Matches the identity service's calls that end in this name. */
export const identityCall = (name: string) => (url: URL) => url.pathname.endsWith(`accounts:${name}`);
