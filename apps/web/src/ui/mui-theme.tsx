import createCache from '@emotion/cache';
import { CacheProvider } from '@emotion/react';
import { createTheme, ThemeProvider } from '@mui/material/styles';
import { pageInks } from '@sparechange/domain/tenant-colours';
import type { ReactNode } from 'react';

/** The Content-Security-Policy lets only styles with this word in; the server writes a fresh one into every page. */
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
const cache = createCache({ key: 'css', prepend: true, ...(nonce && { nonce }) });

/**
 * The shared modal style in theme units: radius 6 is 24 px, padding 4 is 32 px, shadow 24.
 * Colours of the tenant come from the variables that paint.ts sets, where contrast has been seen to.
 */
const theme = createTheme({
  palette: { background: { paper: '#ffffff' }, text: { primary: pageInks.ink, secondary: pageInks.quiet } },
  shape: { borderRadius: 4 },
  typography: { fontFamily: 'var(--font)' },
  components: {
    MuiDialog: {
      styleOverrides: {
        paper: ({ theme }) => ({
          width: 400,
          maxWidth: 'calc(100% - 32px)',
          margin: 16,
          padding: theme.spacing(4),
          borderRadius: Number(theme.shape.borderRadius) * 6,
          boxShadow: theme.shadows[24],
          scrollPaddingBottom: 96, // what has the focus is not under the actions
          '@media (max-width: 359px)': { padding: theme.spacing(3) },
        }),
      },
    },
    MuiBackdrop: { styleOverrides: { root: { backgroundColor: 'rgb(16 20 21 / 48%)' } } },
  },
});

/** The theme of the dialogs and the drawer, which alone are built on MUI and loaded when they are opened. */
export const MuiTheme = ({ children }: { children: ReactNode }) => (
  <CacheProvider value={cache}>
    <ThemeProvider theme={theme}>{children}</ThemeProvider>
  </CacheProvider>
);
