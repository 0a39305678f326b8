import { findClubBySlug, type Landings } from '@sparechange/contract';
import { cleanup, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { readStored } from '#api/stored.ts';
import { aClubPage } from '../testing/makers.ts';
import { answer, callsOf, server } from '../testing/server.ts';
import { visit } from '../testing/visit.tsx';

const address = 'https://sparechange.example/tidewater-surf';
const provider = { name: 'Sparechange', abn: null };
const brand = { clubId: null, hasEnded: false, page: aClubPage({ name: 'Harbour Hounds', suburb: 'Balmain' }) };
const surf = { clubId: 'surf', hasEnded: false, page: aClubPage() };
const withClub: Landings = { address, brand, club: { slug: 'tidewater-surf', landing: surf }, provider };
const start = () => screen.getByRole('link', { name: 'Start rounding up' });

test('the page of a club stands beside the login form, with one button to register for that club', async () => {
  const user = visit('/Tidewater-Surf', { landings: withClub });
  expect(screen.getByRole('heading', { level: 1, name: 'Tidewater Surf' })).toBeVisible();
  expect(screen.getByText('Tidewater Bay · Surf life saving')).toBeVisible();
  expect(screen.getByText('Small change, big heart')).toBeVisible();
  expect(screen.getByText(/between the flags/)).toBeVisible();
  expect(screen.getByRole('button', { name: 'Login' })).toBeVisible();
  expect(callsOf(findClubBySlug)).toEqual([]);
  expect(readStored('selectedClubId')).toBe('surf');
  expect(start()).toHaveAttribute('href', '/clubs/tidewater-surf');
  await user.click(start());
  expect(await screen.findByRole('heading', { name: 'Register' })).toBeVisible();
  expect(readStored('selectedClubId')).toBe('surf');
});

test('a page sent without its club fetches it', async () => {
  server.use(answer(findClubBySlug, { clubId: 'surf', page: aClubPage() }));
  visit('/tidewater-surf?efg=1&u=tom');
  expect(await screen.findByRole('heading', { level: 1, name: 'Tidewater Surf' })).toBeVisible();
  expect([readStored('selectedClubId'), readStored('referrer')]).toEqual(['surf', 'efg:tom']);
});

test('the button as an address finds the club again', async () => {
  server.use(answer(findClubBySlug, { clubId: 'surf', page: aClubPage() }));
  visit('/clubs/tidewater-surf', { tenantKey: 'harbour-hounds', settings: { clubID: 'hounds' } });
  expect(await screen.findByRole('heading', { name: 'Register' })).toBeVisible();
  expect(readStored('selectedClubId')).toBe('surf');
});

test('a coffee explains rounding up and shows where the money goes', () => {
  visit('/tidewater-surf', { landings: withClub });
  const steps = within(screen.getByRole('region', { name: 'How it works' })).getAllByRole('listitem');
  expect(steps.map((step) => step.querySelector('p')?.textContent)).toEqual([
    'You buy a coffee for $4.35.',
    'It is rounded up to $5.00.',
    'The $0.65 goes to Tidewater Surf.',
  ]);
  const backers = screen.getByRole('region', { name: 'Who runs this' });
  expect(backers).toHaveTextContent('Tidewater Surf, ABN 69 293 263 335');
  expect(backers).toHaveTextContent('Round-ups are run bySparechange');
});

test('a brand may have a second line and a picture; rings stand for brands without one', () => {
  const rings = () => document.querySelectorAll('section svg[viewBox="0 0 400 400"]').length;
  const pictured = { ...surf, page: aClubPage({ pictureURL: '/tenants/pictures/surf.svg' }) };
  const settings = { biline: { primary: 'Between the flags', secondary: 'Patrols and rescue boards' } };
  visit('/tidewater-surf', {
    settings,
    landings: { ...withClub, club: { slug: 'tidewater-surf', landing: pictured } },
  });
  expect(screen.getByText('Patrols and rescue boards')).toBeVisible();
  expect([document.querySelector('img[src="/tenants/pictures/surf.svg"]') !== null, rings()]).toEqual([true, 0]);
  cleanup();
  visit('/tidewater-surf', { landings: withClub });
  expect(rings()).toBe(1);
});

test('a goal shows its progress', () => {
  const figures = { raisedDollars: 1906, supporters: 214, goalDollars: 1500 };
  const landing = { ...surf, page: aClubPage({ figures }) };
  visit('/tidewater-surf', { landings: { ...withClub, club: { slug: 'tidewater-surf', landing } } });
  const goal = screen.getByRole('progressbar', { name: '$1,906 of our goal of $1,500' });
  expect(goal).toHaveAttribute('value', '1500');
});

test('the amount raised is shown in whole dollars, and not at all for few supporters', () => {
  visit('/tidewater-surf', { landings: withClub });
  expect(screen.getByText('$1,906')).toBeVisible();
  expect(screen.getByText('214')).toBeVisible();
});

test('a club of a few supporters shows no figures', () => {
  const few = { ...surf, page: aClubPage({ figures: null }) };
  visit('/tidewater-surf', { landings: { ...withClub, club: { slug: 'tidewater-surf', landing: few } } });
  expect(screen.queryByText('Raised so far')).not.toBeInTheDocument();
});

test('the page of a brand has its tagline as heading and leads to registering for its club', async () => {
  const user = visit('/', {
    tenantKey: 'harbour-hounds',
    settings: { clubID: 'hounds' },
    landings: { address, brand, provider },
  });
  expect(screen.getByRole('heading', { level: 1, name: 'Small change, big heart' })).toBeVisible();
  expect(start()).toHaveAttribute('href', '/register2');
  await user.click(start());
  expect(await screen.findByRole('heading', { name: 'Register' })).toBeVisible();
});

test('the page of our own brand leads to the clubs, and says that one of them gets the money', () => {
  const page = aClubPage({ name: 'Sparechange', about: null });
  visit('/', { landings: { address, brand: { ...brand, page }, provider } });
  expect(start()).toHaveAttribute('href', '/clubs');
  expect(screen.getByText('The $0.65 goes to the club you choose.')).toBeVisible();
  expect(screen.getByText(/give the spare change to the club you choose\. It adds up/)).toBeVisible();
  const backers = screen.getByRole('region', { name: 'Who runs this' });
  expect(backers).toHaveTextContent('Your gifts go tothe club you choose');
  expect(backers).toHaveTextContent('Round-ups are run bySparechange');
});

test('a campaign ended by the server’s clock takes no registrations, and still signs in', () => {
  visit('/', { landings: { address, brand: { ...brand, hasEnded: true }, provider } });
  expect(screen.queryByRole('link', { name: 'Start rounding up' })).not.toBeInTheDocument();
  const hero = screen.getByRole('region', { name: brand.page.name });
  expect(within(hero).getByText(/^This campaign has ended\./)).toBeVisible();
  expect(screen.getByRole('button', { name: 'Login' })).toBeVisible();
});

test('the slug of an ended club says so', () => {
  visit('/winter-appeal', {
    landings: { ...withClub, club: { slug: 'winter-appeal', landing: { ...surf, hasEnded: true } } },
  });
  expect(screen.getByRole('heading', { name: 'This campaign has ended' })).toBeVisible();
  expect(readStored('selectedClubId')).toBeUndefined();
});

test('a slug that no club has says so on the ordinary screen', () => {
  visit('/nobody', { landings: { ...withClub, club: { slug: 'nobody', landing: null } } });
  const hero = screen.getByRole('region', { name: brand.page.name });
  expect(within(hero).getByRole('alert')).toHaveTextContent('Failed to find Clubs. Please try again.');
  expect(screen.getByRole('button', { name: 'Login' })).toBeVisible();
});

test('an empty search leads back to all clubs', async () => {
  const user = visit('/clubs');
  await screen.findByRole('button', { name: /^Tidewater Surf\s?Tidewater Bay$/ });
  const search = screen.getByPlaceholderText('Search for a club here...');
  await user.type(search, 'zzz');
  await user.click(screen.getByRole('button', { name: 'Show all clubs' }));
  expect(screen.getByRole('button', { name: /^Tidewater Surf/ })).toBeVisible();
  expect(search).toHaveFocus();
});

const trust = [
  'Read only.',
  'Your password stays yours.',
  'Twelve months.',
  'Stop at any time,',
  'Handled by a provider you can look up.',
];

test.each(['/tidewater-surf', '/launch-consent'])(
  'before the bank %s answers in five lines, with proof',
  async (path) => {
    visit(path, { landings: withClub, isSignedIn: path === '/launch-consent' });
    const lines = within(await screen.findByRole('region', { name: 'Before you go to your bank' })).getAllByRole(
      'listitem',
    );
    expect(lines.map((line) => line.querySelector('strong')?.textContent)).toEqual(trust);
    expect(lines.flatMap((line) => [...line.querySelectorAll('a')].map(({ href }) => new URL(href).pathname))).toEqual([
      '/how-it-works',
      '/pages/privacy.html',
      '/find-a-provider',
    ]);
  },
);
