import createCache from '@emotion/cache';
import { CacheProvider } from '@emotion/react';
import { ThemeProvider } from '@mui/material/styles';
import { type ReactNode, useState } from 'react';
import { getTenant } from './current.ts';
import { createTenantTheme } from './theme.ts';

/** The Content-Security-Policy lets only styles with this word in; the server writes a fresh one into every page. */
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
const cache = createCache({ key: 'css', prepend: true, ...(nonce && { nonce }) });

/** The tenant's theme for the parts that are built on MUI. */
export function Look({ children }: { children: ReactNode }) {
  const [theme] = useState(() => createTenantTheme(getTenant()));
  return (
    <CacheProvider value={cache}>
      <ThemeProvider theme={theme}>{children}</ThemeProvider>
    </CacheProvider>
  );
}
