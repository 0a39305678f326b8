import { expect } from '@playwright/test';
import { desktop, phone } from './accessible.ts';
import { answersLate, moved } from './layout-shift.ts';
import { expectWords } from './seen-words.ts';
import { withKeptPages } from './shared-pages.ts';
import { allStates, type KnownState, listStates } from './states/all.ts';
import { latePresses } from './states/late.ts';
import { leave, open } from './states/state.ts';

const test = withKeptPages(answersLate, { viewport: phone });
test.use({ trace: 'off' }); // many short tests: what failed is in their names

/** States that end with the answer to a press. */
const answered = [
  'confirm join: link too old',
  'dashboard: pause failed',
  'dashboard: resume failed',
  'donation: failed',
  'donation: thanks',
  'funding account: failed',
  'history: receipt failed',
  'join: failed',
  'linked accounts: funding change failed',
  'linked accounts: renewal failed',
  'linked accounts: saved',
  'login: failed',
  'login: reset failed',
  'mailed links: link not complete',
  'mailed links: skipped',
  'registration: failed',
  'registration: mobile refused by the server',
  'reset password: changed',
  'savings account: failed',
  'verify: failed',
  'verify: no club',
  'your data: stopped',
  'your data: withdrawing failed',
];
/** States also checked on a desktop, where layouts move differently. */
const onDesktopToo = ['dashboard: pause failed', 'login: failed', 'mailed links: link not complete'];

const nameOf = ({ screen, name }: KnownState) => `${screen}: ${name}`;
const known = allStates.filter((state) => answered.includes(nameOf(state)));

test('every state that is named is known', () => {
  expect(known.map(nameOf).sort()).toEqual(answered);
});

for (const row of [...known, ...listStates(latePresses)]) {
  test(`${nameOf(row)}: nothing moves when the answer comes late`, async ({ ready, pages }) => {
    const { state, words } = row;
    const page = pages[state.as];
    for (const size of onDesktopToo.includes(nameOf(row)) ? [phone, desktop] : [phone]) {
      await leave(page);
      if (state.as === 'visitor') await page.context().setStorageState({ cookies: [], origins: [] });
      await page.setViewportSize(size);
      await open(state, page, ready);
      await expectWords(page, words);
      expect(await moved(page), `${size.width} px wide`).toEqual([]);
    }
  });
}
