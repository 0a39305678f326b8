// @vitest-environment jsdom
import type { TenantContent } from '@sparechange/contract/console';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { queryClient } from '#api/query-client.ts';
import { RedirectFields } from './redirect-fields.tsx';

afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.unstubAllGlobals();
});

const league = '6fbe3b18-3666-562e-b277-00b014db8ff3';
const club = 'aa837217-b5e6-54d5-a4b7-65d97bac1dac';

test('a line for the clubs below a club is added beside the club’s own, and other rules stay whole', () => {
  vi.stubGlobal('fetch', async () => Response.json({ tenants: [] }));
  const changed = vi.fn<(content: TenantContent) => void>();
  const confirmed = [
    { clubId: league, tenant: 'bush-league' },
    { clubId: club, parentClubId: club, tenant: 'netball' },
  ];
  render(
    <QueryClientProvider client={queryClient}>
      <RedirectFields
        tenantKey="redirects"
        content={{ verify: {}, confirmed, consented: {} }}
        onChange={changed}
        problems={[]}
        clubs={[]}
      />
    </QueryClientProvider>,
  );
  const section = within(screen.getByText('After the bank confirmed').closest('section') as HTMLElement);
  fireEvent.change(section.getByLabelText('Club'), { target: { value: league } });
  fireEvent.change(section.getByLabelText('For'), { target: { value: 'parentClubId' } });
  fireEvent.click(section.getByText('Add'));
  expect(changed).toHaveBeenCalledWith({
    verify: {},
    consented: {},
    confirmed: [
      { clubId: league, tenant: 'bush-league' },
      { clubId: club, tenant: 'netball' },
      { parentClubId: club, tenant: 'netball' },
      { parentClubId: league, tenant: 'default' },
    ],
  });
});
