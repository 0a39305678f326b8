import { waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { visit } from '../testing/visit.tsx';

test.each(['/support', '/terms'])(
  'the page of a tenant framed on %s cannot take the window elsewhere',
  async (path) => {
    visit(path, { isSignedIn: true });
    await waitFor(() => expect(document.querySelector('iframe')).not.toBeNull());
    const granted = document.querySelector('iframe')?.getAttribute('sandbox')?.split(' ') ?? [];
    expect(granted).toContain('allow-scripts');
    for (const right of granted) expect(right).not.toMatch(/^allow-(top-navigation|downloads|modals)/);
  },
);
