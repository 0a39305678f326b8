import { type Browser, expect, type Page } from '@playwright/test';
import { addDays, type IsoDate, shortDay, sydneyDay, weekday } from '@sparechange/domain';
import { isBankingDay } from '@sparechange/domain/banking-calendar';
import { phone } from './accessible.ts';
import { heading } from './console-sign-in.ts';
import { gatherPeople, type People } from './console-week-people.ts';
import { ops } from './ops.ts';
import { picture } from './pictures.ts';
import { sandbox } from './supporter.ts';

/** A week of the console, and the people who work in it. */
export interface Week extends People {
  browser: Browser;
  monday: IsoDate;
}

const supporters = 12;
/** The week's supporters: one with a returned debit, and one who telephones. */
const returned = 'crowd-3@sparechange.example';
const caller = 'crowd-7@sparechange.example';

/** Moves both clocks to a time of the week, with every task of the timetable on the way. */
export const advanceTo = ({ monday }: Pick<Week, 'monday'>, day: number, time: string) =>
  ops('advance', '--to', `${addDays(monday, day)}T${time}`);

/** Opens a page by the navigation. */
export async function goTo(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name, exact: true }).click();
  await expect(heading(page, name)).toBeVisible();
}

async function control(path: string, command: object): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${sandbox()}/control${path}`, { method: 'POST', headers, body: JSON.stringify(command) });
  expect(answer.ok, await answer.text()).toBe(true);
}

/** Has every supporter buy so often on one day that the next run is unusual. */
async function buyFarMore(): Promise<void> {
  await control('/faults', { webhooks: 'basiq', drop: true }); // of a thousand purchases; the nightly sync finds them
  const shops = ['GROUND UP COFFEE', 'BAYSIDE BAKERY', 'KIOSK AT THE OVAL', 'CORNER GROCER'];
  const all = Array.from({ length: supporters }, (_, index) =>
    Array.from({ length: 96 }, (_, time) => [
      `crowd-${index + 1}@sparechange.example`,
      `${4 + (time % 9)}.0${1 + (time % 3)}`,
      `${shops[time % shops.length]} ${time}`,
    ]),
  ).flat();
  const rest = all.values();
  const buyer = async () => {
    for (const [email, amount, description] of rest) await control('/purchases', { email, amount, description });
  };
  await Promise.all([buyer(), buyer(), buyer(), buyer()]);
}

/** Returns the first Monday from a day on whose week has no holiday. */
function workingWeekFrom(day: IsoDate): IsoDate {
  const days = [0, 1, 2, 3, 4].map((after) => addDays(day, after));
  return weekday(day) === 1 && days.every(isBankingDay) ? day : workingWeekFrom(addDays(day, 1));
}

/** Days of ordinary runs, which define the usual one. */
const daysBefore = 16;

/** Fills the weeks before, and gathers the people; holidays on the way to a working week pass without supporters. */
export async function beginWeek(browser: Browser, ownerLink: string): Promise<Week> {
  const { now } = await ops<{ now: string }>('status');
  const today = sydneyDay(new Date(now));
  const monday = workingWeekFrom(addDays(today, daysBefore));
  const firstDay = addDays(monday, -daysBefore);
  if (firstDay > today) await ops('advance', '--to', `${firstDay}T12:00`);
  await ops('sandbox', 'crowd', '--supporters', String(supporters));
  const people = await gatherPeople(browser, ownerLink);
  await ops('approvals', 'people', '2'); // as production begins
  await advanceTo({ monday }, -1, '12:00');
  await buyFarMore();
  await ops('sandbox', 'return-next', '--supporter', returned, '--code', '6');
  return { ...people, browser, monday };
}

/** Monday's run is stopped as unusual; finance finds out why and confirms it, and the owner agrees. */
export async function confirmUnusualRun(week: Week): Promise<void> {
  const { finance, owner, monday } = week;
  await expect(advanceTo(week, 0, '06:10')).rejects.toThrow('is unusual');
  await goTo(finance, 'Today');
  await expect(finance.getByText('Unusual run', { exact: true })).toBeVisible();
  await picture(finance, 'unusual-run');
  await finance.getByRole('link', { name: 'See Runs' }).click();
  await finance.getByRole('button', { name: 'Work out the plan' }).click();
  await expect(finance.getByRole('table', { name: 'The largest debits' })).toBeVisible();
  await picture(finance, 'plan');
  await finance.getByRole('button', { name: 'Confirm the run' }).click();
  const dialog = finance.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Confirm the unusual run' }).click();
  await expect(dialog.getByRole('heading', { name: 'Not done yet' })).toBeVisible();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await goTo(owner, 'Today');
  await agree(owner, /^Agree: Debit run/, 'second-person');
  await expect(finance.getByRole('row', { name: shortDay(monday) })).toContainText('Waiting for banks');
}

/** The second person reads the request on Today, and agrees. */
export async function agree(page: Page, summary: RegExp, name?: string): Promise<void> {
  await goTo(page, 'Today');
  await page.getByRole('button', { name: summary }).click();
  const dialog = page.getByRole('dialog', { name: summary });
  await expect(dialog).toBeVisible();
  if (name) await picture(page, name);
  await dialog.getByRole('button', { name: 'Agree' }).click();
  await expect(dialog).toBeHidden();
}

/** A debit of Monday is returned: Today counts it, its page says why and what follows. */
export async function readReturnedDebit(week: Week): Promise<void> {
  const { finance } = week;
  await advanceTo(week, 2, '13:00');
  await goTo(finance, 'Payments');
  await finance.getByLabel('State').selectOption('Returned');
  await expect(finance.getByRole('row')).toHaveCount(2);
  await finance
    .getByRole('cell', { name: /^Debit/ })
    .getByRole('link')
    .click();
  await expect(finance.getByText('Returned: Code 6, refer to customer')).toBeVisible();
  await picture(finance, 'returned-debit');
}

/** A caller reads out a reference; support finds them by it, finance refunds, the owner agrees. */
export async function refund(week: Week): Promise<void> {
  const { finance, owner, support } = week;
  await goTo(finance, 'Payments');
  await finance.getByLabel('Search').fill(caller);
  await finance.getByLabel('State').selectOption('Cleared');
  const debit = finance.getByRole('row').filter({ hasText: shortDay(week.monday) });
  await expect(debit).toHaveCount(1);
  const reference = (await debit.getByRole('link').textContent()) ?? '';

  await goTo(support, 'Supporters');
  await support.getByLabel('Search').fill(reference.slice(0, 9));
  await expect(support.getByRole('row')).toHaveCount(2);
  await support.getByRole('cell').getByRole('link').first().click();
  await expect(support.getByRole('heading', { name: 'Timeline' })).toBeVisible();
  await picture(support, 'supporter');

  await debit.getByRole('link').click();
  await finance.getByRole('button', { name: 'Refund' }).click();
  const dialog = finance.getByRole('dialog', { name: 'Refund' });
  await dialog.getByLabel('Amount').fill('60');
  await dialog.getByLabel('Reason').fill('A shop charged them twice');
  await picture(finance, 'refund');
  await dialog.getByRole('button', { name: 'Refund $60.00' }).click();
  const waits = finance.getByRole('dialog', { name: 'A second person has to agree' });
  await waits.getByRole('button', { name: 'Close' }).click();
  await agree(owner, new RegExp(`^Agree: Refund of \\$60\\.00 of the debit ${reference}`));
  await expect(finance.getByRole('region', { name: 'Related payments' })).toContainText('Refunded by');
}

/** The treasurer looks up a deposit of the club's bank statement, on a phone. */
export async function answerTreasurer(week: Week): Promise<void> {
  const { treasurer } = week;
  await advanceTo(week, 3, '12:00');
  await treasurer.reload();
  await expect(treasurer.getByRole('slider', { name: 'Month' })).toBeVisible();
  await picture(treasurer, 'your-club');
  await treasurer.setViewportSize(phone);
  await treasurer.getByRole('button', { name: 'Menu' }).click();
  await treasurer.getByRole('dialog', { name: 'Menu' }).getByRole('link', { name: 'Payouts' }).click();
  await expect(heading(treasurer, 'Payouts')).toBeVisible();
  await expect(treasurer.getByRole('table')).toBeVisible();
  await picture(treasurer, 'payouts');
  await treasurer.getByRole('table').getByRole('button').first().click();
  await expect(treasurer.getByRole('dialog').getByRole('button', { name: 'Xero' })).toBeVisible();
  await picture(treasurer, 'payout');
  await treasurer.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
}
