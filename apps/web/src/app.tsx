import { StrictMode } from 'react';
import { BrowserRouter } from 'react-router';
import { PasswordPrompt } from '#features/identity/password-prompt.tsx';
import { FaultBoundary } from './fault-boundary.tsx';
import { AppRoutes } from './routes.tsx';
import { StatusLine } from './ui/status-line.tsx';

export const App = () => (
  <StrictMode>
    <FaultBoundary>
      <BrowserRouter>
        <AppRoutes />
        <PasswordPrompt />
      </BrowserRouter>
    </FaultBoundary>
    <StatusLine />
  </StrictMode>
);
