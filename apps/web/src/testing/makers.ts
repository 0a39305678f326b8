import type {
  BankAccount,
  BrowserConfig,
  Club,
  ClubPage,
  HistoryDebit,
  LineChain,
  ListedClub,
  NextDebit,
  RoundUpHistoryItem,
  TenantSettings,
  UserRecord,
} from '@sparechange/contract';
import { noCents } from '@sparechange/domain';
import type { z } from 'zod';

/** A contract value in its wire form. */
type Sent<Schema extends z.ZodType> = z.input<Schema>;

export const cdrid = '0b7c1f0e-9a53-4c1b-8a53-1c0ffee0cafe';

export const aSupporter = (changes: Partial<Sent<typeof UserRecord>> = {}): Sent<typeof UserRecord> => ({
  _id: cdrid,
  externalUserId: 'basiq-user-1',
  supportingClubId: 'hounds',
  isConsent: true,
  onboardingComplete: true,
  isUserPausedRoundUp: false,
  roundupAmountCents: 100,
  weeklyMaximumLimit: 0,
  savingsAccountEnabled: true,
  consentHealth: { state: 'good', endsOn: '2027-10-03', bankEndsOn: '2027-10-03', dataOn: '2026-11-21' },
  nextDebit: { date: '2026-11-25', amountCents: 342 },
  ...changes,
});

/** An answer with that supporter's user record. */
export const userOf = (changes: Partial<Sent<typeof UserRecord>> = {}) => ({
  userRecord: { document: aSupporter(changes) },
});

export const aNextDebit = (changes: Partial<Sent<typeof NextDebit>> = {}): Sent<typeof NextDebit> => ({
  run: '2026-11-25',
  isSkipped: false,
  date: '2026-11-25',
  amountCents: 342,
  account: { name: 'Everyday', accountNumber: 'XXXXX0001' },
  statementTexts: ['SPARECHANGE RU4F09A1C'],
  purchases: [
    { date: '2026-11-24', description: 'RIVERSIDE COFFEE', amount: '4.35', roundUpCents: 65 },
    { date: '2026-11-23', description: 'CORNER PANTRY', amount: '17.23', roundUpCents: 277 },
  ],
  waited: null,
  balanceFloorCents: 5000,
  debitNotices: 'each_debit',
  ...changes,
});

export const aRoundUp = (changes: Partial<Sent<typeof RoundUpHistoryItem>> = {}): Sent<typeof RoundUpHistoryItem> => ({
  lineId: 'line',
  createdDate: '2026-11-03',
  description: 'Card purchase 02/11 THE LITTLE MARIONETTE',
  amount: '4.35',
  debitAmountCents: 65,
  why: null,
  state: 'cleared',
  given: { on: '2026-11-04', clubCents: 65 },
  ...changes,
});

/** A $20 gift on Friday 6 November 2026. */
export const aGift = (changes: Partial<Sent<typeof HistoryDebit>> = {}): Sent<typeof HistoryDebit> => ({
  debitId: 'gift',
  kind: 'one-off donation',
  date: '2026-11-06',
  amountCents: 2000,
  clubCents: 2000,
  state: 'cleared',
  ...changes,
});

/** Traces a coffee's spare change from bank to club. */
export const aLine = (changes: Partial<Sent<typeof LineChain>> = {}): Sent<typeof LineChain> => ({
  bank: { date: '2026-11-17', description: 'RIVERSIDE COFFEE', amount: '4.35', account: 'Everyday' },
  why: null,
  rounding: { stepCents: 100, weeklyLimitCents: 1000, rawCents: 65, countedCents: 65 },
  pair: null,
  debits: [aDebit],
  shares: { club: 'Harbour Hounds', clubCents: 33, savingsCents: 32 },
  remittance: { date: '2026-11-23', reference: 'CL8A20', state: 'submitted' },
  deposit: null,
  ...changes,
});
const aDebit: Sent<typeof LineChain>['debits'][number] = {
  date: '2026-11-18',
  amountCents: 342,
  clubCents: 171,
  savingsCents: 171,
  state: 'cleared',
  refundedCents: 0,
  reference: 'RU4F1C',
  providerReference: 'PR.39p1',
};

export const aClub = (_id: string, name: string): Club => ({ _id, name });

export const aListedClub = (changes: Partial<ListedClub> = {}): ListedClub => ({
  ...aClub('hounds', 'Harbour Hounds'),
  suburb: 'Balmain',
  logoURL: null,
  ...changes,
});

export const aClubPage = (changes: Partial<ClubPage> = {}): ClubPage => ({
  name: 'Tidewater Surf',
  about: 'Volunteers between the flags every weekend since 1931.',
  suburb: 'Tidewater Bay',
  sport: 'Surf life saving',
  logoURL: null,
  pictureURL: null,
  abn: '69293263335',
  figures: { raisedDollars: 1906, supporters: 214 },
  ...changes,
});

const anAccount = (number: number, changes: Partial<BankAccount>): BankAccount => ({
  _id: `0b7c1f0e-9a53-4c1b-8a53-1c0ffee0000${number}`,
  id: `basiq-account-${number}`,
  name: `Account ${number}`,
  accountNumber: `XXXXX000${number}`,
  activeRoundUpsEnabled: false,
  activeDebitEnabled: false,
  canFund: true,
  ...changes,
});

export const everyday = anAccount(1, { name: 'Everyday', activeRoundUpsEnabled: true, activeDebitEnabled: true });
export const bills = anAccount(2, { name: 'Bills' });
export const accounts = [everyday, bills];

export const aTenant = (changes: Partial<TenantSettings> = {}): TenantSettings => ({
  tenant: 'default',
  apikey: 'pk_0123456789abcdef',
  name: 'Sparechange',
  logoURL: '/tenants/logos/default.svg',
  logoURLDashboard: '/tenants/logos/default-mark.svg',
  biline: { primary: 'Small change, big heart' },
  theme: {
    primary: '#000000',
    background: '#47b3b5',
    switch: '#47b3b5',
    body: '#ffffff',
    secondary: '#47b3b5',
  },
  branding: { primary: '' },
  minimumDebitCents: noCents,
  ...changes,
});

export const aConfig = (identity: Partial<BrowserConfig['identity']> = {}): BrowserConfig => ({
  productDomain: 'sparechange.localhost',
  tenantRule: 'provider-domain',
  mainTenant: 'sparechange',
  api: '/api',
  identity: {
    apiKey: 'key',
    authDomain: '',
    projectId: 'demo',
    storageBucket: '',
    messagingSenderId: '',
    appId: '',
    measurementId: '',
    selfHostedUrl: null,
    ...identity,
  },
});
