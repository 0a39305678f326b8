import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { addDays } from '@sparechange/domain';
import { heading } from './console-sign-in.ts';
import { advanceTo, agree, goTo, type Week } from './console-week.ts';
import { mailsTo } from './mails.ts';
import { ops } from './ops.ts';
import { picture } from './pictures.ts';
import { product } from './supporter.ts';

/** Finds the path of a link in a mail, once it has arrived. */
async function mailedPath(email: string, path: RegExp): Promise<string> {
  const found = async () => (await mailsTo(email)).map(({ text }) => path.exec(text)?.[0]).find(Boolean);
  await expect.poll(found).toBeDefined();
  return (await found()) ?? '';
}

/** A club is paid to a wrong account: finance gives another, its contact confirms it by mail, the owner agrees. */
export async function correctBankDetails({ finance, owner, browser }: Week): Promise<void> {
  const club = 'Australian Cough and Asthma Alliance';
  await goTo(finance, 'Clubs');
  await finance.getByLabel('Search').fill('cough');
  await finance.getByRole('link', { name: club }).click();
  await expect(heading(finance, club)).toBeVisible();
  await finance.getByRole('button', { name: 'Ask for a change' }).click();
  const dialog = finance.getByRole('dialog', { name: 'Change bank details' });
  await dialog.getByLabel('Name of the account').fill(club);
  await dialog.getByLabel('BSB').fill('062-000');
  await dialog.getByLabel('Account number').fill('11112233');
  await dialog.getByRole('button', { name: 'Ask for the change' }).click();
  const contact = /Waiting for (\S+) to confirm/;
  await expect(finance.getByText(contact)).toBeVisible();
  const [, email = ''] = contact.exec((await finance.getByText(contact).textContent()) ?? '') ?? [];
  const mailed = await (await browser.newContext({ baseURL: product() })).newPage();
  await mailed.goto(await mailedPath(email, /\/bank-details\/\S+/));
  await mailed.getByRole('button', { name: 'This is right' }).click();
  await expect(mailed.getByText(/Thank you|^From /)).toBeVisible();
  await mailed.context().close();
  await agree(owner, /^Agree: .*233/);
  await expect(finance.getByText(/^Used from /)).toBeVisible();
  await picture(finance, 'bank-details');
}

/** A club asks to join on the public page, and the owner adds it. */
export async function addClub({ owner, browser }: Week): Promise<void> {
  const [name, email] = ['Bay Choir', 'sam@bay-choir.example'];
  const contact = await (await browser.newContext({ baseURL: product() })).newPage();
  await contact.goto('/join');
  const form = {
    'Name of the club': name,
    ABN: '51 824 753 556',
    Suburb: 'Bay View',
    'What is the money for?': 'Sheet music and a piano that keeps its tune',
    'Your name': 'Sam Song',
    Email: email,
  };
  for (const [label, value] of Object.entries(form)) await contact.getByLabel(label).fill(value);
  await contact.getByRole('button', { name: 'Ask to join' }).click();
  await expect(heading(contact, 'Check your email')).toBeVisible();
  await contact.goto(await mailedPath(email, /\/join\/\S+/));
  await contact.getByRole('button', { name: 'Confirm the request' }).click();
  await expect(contact.getByText(`The request for ${name} is with us.`)).toBeVisible();
  await contact.context().close();

  await goTo(owner, 'Clubs');
  await owner.getByRole('link', { name: /^Requests/ }).click();
  await owner.getByRole('button', { name }).click();
  const dialog = owner.getByRole('dialog', { name });
  await expect(dialog.getByText('SANDBOX CLUB 556 INC, active')).toBeVisible();
  await picture(owner, 'new-club');
  await dialog.getByRole('button', { name: 'Add the club' }).click();
  await expect(heading(owner, name)).toBeVisible();
}

/** A brand is created, previewed while edited, and opened at its own address. */
export async function openBrand({ owner, browser }: Week): Promise<void> {
  await goTo(owner, 'Tenants');
  await owner.getByRole('button', { name: 'New brand' }).click();
  const dialog = owner.getByRole('dialog', { name: 'New brand' });
  await dialog.getByLabel('Name').fill('River Rowers');
  await dialog.getByLabel('Begin with the look of').selectOption('seachange-sailing');
  await dialog.getByRole('button', { name: 'Edit it' }).click();
  await expect(heading(owner, 'River Rowers')).toBeVisible();
  await owner.getByLabel('Tagline').fill('Every stroke counts');
  for (const screen of ['Desktop', 'Phone'])
    await expect(
      owner.frameLocator(`iframe[title="${screen}"]`).getByRole('heading', { name: 'Every stroke counts' }),
    ).toBeVisible();
  await picture(owner, 'new-brand');
  await owner.getByRole('button', { name: 'Save', exact: true }).click();
  await owner.getByRole('dialog', { name: 'Open this brand?' }).getByRole('button', { name: 'Save' }).click();
  await expect(owner.getByText('Version 1', { exact: true })).toBeVisible();
  const at = new URL(product());
  at.hostname = `river-rowers.sparechange.${at.hostname}`;
  const visitor = await (await browser.newContext()).newPage();
  await expect
    .poll(async () => {
      await visitor.goto(at.href);
      return visitor.getByRole('heading', { level: 1 }).textContent();
    })
    .toContain('Every stroke counts');
  await visitor.context().close();
}

/** The bank's statement is imported and agrees with provider and ledger; the viewer reads the balance alone. */
export async function closeMonth(week: Week): Promise<void> {
  const { finance, viewer, owner, monday } = week;
  await advanceTo(week, 8, '09:00');
  const file = join(await mkdtemp(join(tmpdir(), 'sparechange-statement-')), 'statement.csv');
  await ops('sandbox', 'bank-statement', '--format', 'csv', '--out', file); // as the bank's website gives it
  await goTo(finance, 'Reconciliation');
  await finance.getByRole('button', { name: 'Import a statement' }).click();
  const importing = finance.getByRole('dialog', { name: 'Import a bank statement' });
  await importing.getByLabel('File').setInputFiles(file);
  await importing.getByRole('button', { name: /^Import [\d,]+ lines?$/ }).click();
  await expect(importing.getByText(/lines read/)).toBeVisible();
  await importing.getByRole('button', { name: 'Close' }).click();
  await expect(finance.getByText('Nothing unmatched.')).toBeVisible();
  await expect(finance.getByLabel('Day', { exact: true })).toHaveValue(addDays(monday, 7)); // the last closed one
  await finance.getByLabel('Day', { exact: true }).fill(addDays(monday, 3));
  await finance.getByText('Matched lines', { exact: true }).click();
  await expect(finance.getByRole('region', { name: 'Matched lines' }).getByRole('row').nth(1)).toBeVisible();
  await picture(finance, 'month-end', 1_300);
  await goTo(viewer, 'Reconciliation');
  await expect(viewer.getByRole('heading', { name: 'Trust balance' })).toBeVisible();
  await expect(viewer.getByRole('heading', { name: 'Lines of the day' })).toBeHidden();
  await goTo(owner, 'Audit log');
  await expect(owner.getByRole('row').filter({ hasText: 'Fay Morrow' }).first()).toBeVisible();
}
