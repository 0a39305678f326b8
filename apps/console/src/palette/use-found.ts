import {
  type ConsoleOperation,
  listClubs,
  listPayments,
  listSupporters,
  listTenants,
} from '@sparechange/contract/console';
import { formatCents, hasFolded } from '@sparechange/domain';
import { useAnswer } from '#api/use-answer.ts';
import { useMayCall } from '#session/use-may.ts';
import { kindNames } from '../pages/payments/payment-words.ts';
import type { Page } from '../pages.ts';
import { paletteActs } from './acts.ts';
import { pathToDialog } from './use-opened.ts';

/** Something that the palette leads to. */
export interface Found {
  path: string;
  title: string;
  /** Distinguishes it from others of its name. */
  detail?: string | undefined;
}

export interface FoundGroup {
  name: string;
  found: Found[];
}

/** Rows read of each list. */
const most = 5;
/** A shorter text finds half of everybody. */
const fewestLetters = 2;

/**
 * Finds what this person may see: pages and acts by their names, and supporters, payments, clubs and brands as their pages
 * find them. Returns groups without the empty ones, and whether lists are still being read or could not be.
 */
export function useFound(words: string, pages: readonly Page[]) {
  const may = useMayCall();
  const isLongEnough = words.length >= fewestLetters;
  const search = { search: words, limit: most };
  const options = (operation: ConsoleOperation) => ({
    enabled: isLongEnough && may(operation),
    retry: false,
    staleTime: 10_000,
  });
  const supporters = useAnswer(listSupporters, search, options(listSupporters));
  const payments = useAnswer(listPayments, search, options(listPayments));
  const clubs = useAnswer(listClubs, search, options(listClubs));
  const brands = useAnswer(listTenants, search, options(listTenants));
  const paths = new Set(pages.map(({ path }) => path));
  const acts = paletteActs.filter(({ page, needs }) => paths.has(page) && may(needs));
  const groups: FoundGroup[] = [
    { name: 'Pages', found: pages.map(({ path, title }) => ({ path, title })).filter(named(words)) },
    {
      name: 'Acts',
      found: acts.map(({ title, page, dialog }) => ({ title, path: pathToDialog(page, dialog) })).filter(named(words)),
    },
    {
      name: 'Supporters',
      found: (supporters.data?.rows ?? []).map(({ id, name, email }) => ({
        path: `/supporters/${id}`,
        title: name,
        detail: email,
      })),
    },
    {
      name: 'Payments',
      found: (payments.data?.rows ?? []).map(({ reference, kind, amountCents, supporter, club }) => ({
        path: `/payments/${reference}`,
        title: `${kindNames[kind]} ${formatCents(amountCents)}`,
        detail: [supporter?.name ?? club?.name, reference].filter(Boolean).join(' · '),
      })),
    },
    {
      name: 'Clubs',
      found: (clubs.data?.rows ?? []).map(({ id, name, tenant }) => ({
        path: `/clubs/${id}`,
        title: name,
        detail: tenant,
      })),
    },
    {
      name: 'Brands',
      found: (brands.data?.rows ?? []).map(({ id, name }) => ({ path: `/tenants/${id}`, title: name, detail: id })),
    },
  ];
  const lists = [supporters, payments, clubs, brands];
  return {
    groups: groups.filter(({ found }) => found.length > 0),
    isReading: lists.some(({ isLoading }) => isLoading),
    hasFailed: lists.some(({ isError }) => isError),
  };
}

const named = (words: string) => (each: Found) => hasFolded(each.title, words);
