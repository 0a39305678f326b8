import { findClubBySlug } from '@sparechange/contract';
import { useQuery } from '@tanstack/react-query';
import { call } from '#api/call.ts';

/** Looks a club up by its address's slug (docs/rules.md#club-slugs). */
export const useClubBySlug = (slug: string | undefined) =>
  useQuery({
    queryKey: ['club by slug', slug],
    queryFn: () => call(findClubBySlug, { club: slug ?? '' }),
    enabled: slug !== undefined,
    retry: false,
  });
