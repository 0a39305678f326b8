/// <reference lib="dom" />
import type { Page } from '@playwright/test';
import { debitsYTD, donateNow } from '@sparechange/contract';
import { expect, test } from './as-supporter.ts';
import { answers, holds } from './mock-api.ts';
import { dashboards } from './states/dashboard.ts';
import { open, press, staysShown } from './states/state.ts';

/** Returns the motions that an element and its rings are given by their styles, in seconds to their end. */
const motionsOf = (page: Page, selector: string) =>
  page.evaluate((selector) => {
    const element = document.querySelector(selector);
    if (!element) throw new Error(`There is no ${selector}`);
    return [undefined, '::before', '::after'].flatMap((part) => {
      const { animationName, animationIterationCount, animationDelay, animationDuration } = getComputedStyle(
        element,
        part,
      );
      if (animationName === 'none') return [];
      const seconds = Number.parseFloat(animationDelay) + Number.parseFloat(animationDuration);
      return [{ times: animationIterationCount, seconds }];
    });
  }, selector);

/** Gives $25. */
async function give(page: Page): Promise<void> {
  await answers(donateNow, {})(page);
  await staysShown(page);
  await page.goto('/dashboard');
  await press('Donate Now')(page);
  await page.getByLabel('Amount').fill('25');
  await press('Submit')(page);
  await page.getByRole('dialog', { name: 'Thank You!' }).waitFor();
}

const sign = 'dialog span:has(+ h2)';
const rings = '[aria-label=Summary] > svg';

test('a gift is marked once, by a short motion in the club’s colour', async ({ member }) => {
  await give(member);
  const motions = await motionsOf(member, sign);
  expect(motions).toHaveLength(3);
  for (const { times, seconds } of motions) {
    expect(times).toBe('1');
    expect(seconds).toBeLessThanOrEqual(1.5);
  }
  const [ring, brand] = await member.evaluate((sign) => {
    const coin = document.querySelector(sign) ?? document.body;
    return [getComputedStyle(coin, '::after').borderTopColor, getComputedStyle(coin).backgroundColor];
  }, sign);
  expect(ring).toBe(brand);
});

/** The next visit finds the first debit arrived. */
async function reachMark(page: Page): Promise<void> {
  await answers(debitsYTD, { debitYTD: 342, allTimeCents: 342 })(page);
  await page.goto('/dashboard');
  await page.getByText('$3.42').first().waitFor(); // the mark of this sum is kept
  await page.evaluate("localStorage.setItem('seenMark', '0')");
  await page.reload();
  await page.getByText('Your first debit has arrived. Thank you!').waitFor();
}

test('a mark that is reached sets the rings in motion, once', async ({ member }) => {
  await reachMark(member);
  expect(await motionsOf(member, rings)).toEqual([{ times: '1', seconds: 1.5 }]);
});

test('nothing moves for a gift or a mark where less motion is wanted', async ({ member }) => {
  await member.emulateMedia({ reducedMotion: 'reduce' });
  await reachMark(member);
  expect(await motionsOf(member, rings)).toEqual([]);
  await give(member);
  expect(await motionsOf(member, sign)).toEqual([]);
});

test('the months’ chart is read as words, and the first day leads with what waits', async ({ member, ready }) => {
  await open(dashboards.dashboard['everything on'], member, ready);
  const history = member.getByRole('region', { name: 'Donation History' });
  await expect(history.getByRole('listitem').first()).toHaveText('Nov-26: $18.42');
  await expect(history.locator('li > span > span')).toHaveCount(7);
  await expect(history.locator('[aria-hidden=true] > span')).toHaveCount(7);
  await member.unrouteAll();
  await answers(debitsYTD, { debitYTD: 0, allTimeCents: 0 })(member);
  await holds({ nextDebit: { date: '2026-11-25', amountCents: 1554 } })(member);
  await member.goto('/dashboard');
  const summary = member.getByRole('region', { name: 'Summary' });
  await expect(summary.getByText('Ready for your first debit')).toBeVisible();
  const largest = await summary.evaluate((card) => {
    const sizeOf = (element: Element) => Number.parseFloat(getComputedStyle(element).fontSize);
    const figures = [...card.querySelectorAll('*')].filter(
      (element) => element.children.length === 0 && /\$/.test(element.textContent ?? ''),
    );
    return figures.sort((one, other) => sizeOf(other) - sizeOf(one))[0]?.textContent;
  });
  expect(largest).toBe('$15.54');
});
