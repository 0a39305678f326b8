// @vitest-environment jsdom
import type { SettingsProblem, TenantContent } from '@sparechange/contract/console';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { queryClient } from '#api/query-client.ts';
import { TenantFields } from './tenant-fields.tsx';
import { shownSetting } from './tenant-settings.ts';

afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.unstubAllGlobals();
});

const other = '0b9d4e6e-2f0d-4b53-8c7b-6e0d2f2a7b11';
const club = { id: '6fbe3b18-3666-462e-b277-00b014db8ff3', name: 'Bay Rovers' };

interface FieldsProps {
  content: TenantContent;
  problems: SettingsProblem[];
  onChange: (content: TenantContent) => void;
}

function Fields({ content, problems, onChange }: FieldsProps) {
  const [edited, setEdited] = useState(content);
  const change = (next: TenantContent) => {
    setEdited(next);
    onChange(next);
  };
  return <TenantFields tenantKey="bay" content={edited} onChange={change} problems={problems} clubs={[club]} />;
}

/** Shows the fields of a brand, and returns a reader of its current settings. */
function edit(content: TenantContent, problems: SettingsProblem[] = []): () => TenantContent {
  const onChange = vi.fn<(content: TenantContent) => void>();
  render(
    <QueryClientProvider client={queryClient}>
      <Fields content={content} problems={problems} onChange={onChange} />
    </QueryClientProvider>,
  );
  return () => onChange.mock.lastCall?.[0] ?? content;
}

test('the smallest debit is typed in dollars, and anything but an amount is refused in words', () => {
  const problems = [{ field: 'minimumDebitCents', sentence: 'no whole number of cents' }];
  const content = edit({ minimumDebitCents: 200 }, problems);
  const field = screen.getByLabelText<HTMLInputElement>('Smallest debit');
  expect(field.value).toBe('2.00');
  for (const [typed, kept] of [
    ['1.5', 150],
    ['3', 300],
    ['', ''],
    ['abc', 'abc'],
    ['-1', '-1'],
  ] as const) {
    fireEvent.change(field, { target: { value: typed } });
    expect([field.value, content()]).toEqual([typed, { minimumDebitCents: kept }]);
  }
  expect(screen.getByText('Please enter dollars such as 2.00')).toBeTruthy();
  expect(shownSetting('minimumDebitCents', '150')).toBe('$1.50');
});

test('a club is shown by its name', () => {
  vi.stubGlobal('fetch', async () => Response.json({ clubs: [] }));
  const content = edit({ clubID: club.id });
  const field = screen.getByLabelText<HTMLInputElement>('One club (optional)');
  expect(field.value).toBe('Bay Rovers');
  fireEvent.change(field, { target: { value: '' } });
  expect([field.value, content()]).toEqual(['', {}]);
});

test('a club’s whole name is accepted once the field is left, and an unknown one is refused then', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ clubs: [{ id: other, name: 'Hobart Choir' }] }));
  const content = edit({}, [{ field: 'clubID', sentence: 'there is no club Hobart' }]);
  const field = screen.getByLabelText<HTMLInputElement>('One club (optional)');
  fireEvent.focus(field);
  fireEvent.change(field, { target: { value: 'Hobart' } });
  expect(screen.queryByText('There is no club Hobart')).toBeNull();
  fireEvent.blur(field);
  expect(screen.getByText('There is no club Hobart')).toBeTruthy();
  fireEvent.focus(field);
  fireEvent.change(field, { target: { value: 'hobart choir' } });
  fireEvent.blur(field);
  await waitFor(() => expect(content()).toEqual({ clubID: other }));
  expect(field.value).toBe('Hobart Choir');
});

test('a refused file’s error disappears once another logo is named', async () => {
  const content = edit({ logoURL: '/logo.svg' });
  const file = new File([new Uint8Array(300_001)], 'logo.svg');
  fireEvent.change(screen.getByLabelText('File of Wide logo'), { target: { files: [file] } });
  await screen.findByText('The file has more than 300 kB.');
  fireEvent.change(screen.getByLabelText('Wide logo'), { target: { value: '/other.svg' } });
  expect(content()).toEqual({ logoURL: '/other.svg' });
  expect(screen.queryByText('The file has more than 300 kB.')).toBeNull();
});
