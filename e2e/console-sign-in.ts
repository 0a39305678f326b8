import { randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import type { Role } from '@sparechange/contract/console';
import { mailsTo } from './mails.ts';
import { ops } from './ops.ts';

export const anAddress = (name: string) => `${name}-${randomUUID()}@example.com`;

/** Gives the page an authenticator that keeps passkeys and knows its user. */
export async function addAuthenticator(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

/** Returns the link of a mail to an address, once it has arrived. */
export async function mailedLink(email: string, subject = 'You are invited to the console'): Promise<string> {
  const found = async () => (await mailsTo(email)).find((mail) => mail.subject === subject)?.text ?? '';
  // A command's mail is taken as the command ends, or within a minute.
  await expect.poll(found, { timeout: 150_000 }).toMatch(/\/link#/);
  return /https?:\/\/\S*\/link#\S+/.exec(await found())?.[0] ?? '';
}

export async function openLink(page: Page, link: string): Promise<void> {
  await page.goto('about:blank'); // else another # is no other page
  await page.goto(link);
  await page.getByRole('button', { name: 'Continue' }).click();
}

export const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 });

/** The part of a page under a heading. */
export const sectionOf = (page: Page, title: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: title, level: 2 }) });

/** Invites somebody and signs them in with a passkey of their own; returns their address. */
export async function signInAs(page: Page, role: Role, clubs: readonly string[] = []): Promise<string> {
  const email = anAddress(role);
  const clubOption = clubs.length > 0 ? ['--club', clubs.join(',')] : [];
  await ops('console', 'invite', email, '--role', role, '--name', `Pat ${role}`, ...clubOption);
  await addAuthenticator(page);
  await openLink(page, await mailedLink(email));
  if (role === 'treasurer') await page.getByRole('link', { name: 'Add a passkey' }).click();
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await expect(heading(page, 'Hello Pat')).toBeHidden();
  return email;
}

/** Gives the passkey whenever it is asked for again, such as five minutes after signing in. */
export const confirmsByPasskey = (page: Page) =>
  page.addLocatorHandler(page.getByRole('button', { name: 'Use your passkey' }), (use) => use.click());
