import { type ReactNode, StrictMode } from 'react';
import { PasswordPrompt } from '#features/identity/password-prompt.tsx';
import { AppRoutes, type LoadedScreens } from './routes.tsx';
import { ScreenFault } from './screen-fault.tsx';
import { AddressRouter } from './ui/address-router.tsx';
import { FaultBoundary } from './ui/fault-boundary.tsx';
import { StatusLine } from './ui/status-line.tsx';

interface AppProps {
  /** Wraps the screens in a router; the browser's unless the server renders them. */
  inRouter?: (screens: ReactNode) => ReactNode;
  loaded?: LoadedScreens;
}

const inAddressRouter = (screens: ReactNode) => <AddressRouter>{screens}</AddressRouter>;

export const App = ({ inRouter = inAddressRouter, loaded }: AppProps) => (
  <StrictMode>
    <FaultBoundary fault={<ScreenFault />}>
      {inRouter(
        <>
          <AppRoutes loaded={loaded} />
          <PasswordPrompt />
        </>,
      )}
    </FaultBoundary>
    <StatusLine />
  </StrictMode>
);
