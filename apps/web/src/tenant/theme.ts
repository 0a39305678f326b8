import { createTheme, type Theme } from '@mui/material/styles';
import type { TenantSettings } from '@sparechange/contract';
import { pageInks } from '@sparechange/domain/tenant-colours';

/**
 * The shared modal style in theme units: radius 6 is 24 px, padding 4 is 32 px, shadow 24.
 * Colours come from the variables that paint.ts sets, where contrast has been seen to.
 */
export function createTenantTheme({ theme: colours }: Pick<TenantSettings, 'theme'>): Theme {
  return createTheme({
    palette: {
      primary: { main: colours.primary },
      secondary: { main: colours.secondary },
      background: { default: colours.body, paper: '#ffffff' },
      text: { primary: pageInks.ink, secondary: pageInks.quiet },
    },
    shape: { borderRadius: 4 },
    typography: { fontFamily: 'var(--font)' },
    components: {
      MuiButtonBase: { defaultProps: { disableRipple: true } },
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
}
