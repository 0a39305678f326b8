import * as contract from '@sparechange/contract';
import { answers, holds, refuses } from '../mock-api.ts';
import { member, type State, visitor } from './state.ts';

const lasting = { endsOn: '2027-11-25', bankEndsOn: '2027-11-25', dataOn: '2026-11-24' };

/** Back from the bank after a step of a renewal. */
const comesBack = (consentHealth: contract.UserRecord['consentHealth'], title: string): State =>
  member(async (page) => {
    await holds(page, { consentHealth });
    await page.goto('/consented?state=default.renewal');
    await page.getByRole('heading', { name: title }).waitFor();
  });

const opensMail = (renewal: contract.OutputOf<typeof contract.extendConsent>['renewal'], words: string): State =>
  visitor(async (page) => {
    await answers(page, contract.extendConsent, { consentLink: 'https://bank.example/', renewal });
    await page.goto('/extend-consent/mira%40example.com?token=signed');
    await page.getByText(words).waitFor();
  });

/** Between the two steps of a renewal, and after them. */
export const renewals: Record<string, State> = {
  'not renewed yet': comesBack({ ...lasting, state: 'ends soon', endsOn: '2026-12-09' }, 'Not Renewed Yet'),
  'one more step': comesBack({ ...lasting, state: 'bank ends soon', bankEndsOn: '2026-12-09' }, 'One More Step'),
  'bank has stopped': comesBack({ ...lasting, state: 'bank ended', dataOn: '2026-11-20' }, 'One More Step'),
  renewed: comesBack({ ...lasting, state: 'good' }, 'Renewed'),
  'look again': member(async (page) => {
    await refuses(page, contract.retrieveAccounts);
    await page.goto('/consented?state=default.renewal');
    await page.getByText('Please look again in a few minutes.').waitFor();
  }),
  'signed out': visitor(async (page) => {
    await page.goto('/consented?state=default.renewal');
    await page.getByRole('link', { name: 'Log In' }).waitFor();
  }),
  'mailed link, one more step': opensMail(
    { left: 'bank', endsOn: '2027-11-25', bankEndsOn: '2026-12-09' },
    'a permission of its own',
  ),
  'mailed link, renewed': opensMail(
    { left: 'nothing', endsOn: '2027-11-25', bankEndsOn: '2027-11-25' },
    'There is nothing more to do.',
  ),
};
