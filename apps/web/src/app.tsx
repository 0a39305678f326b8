import { StrictMode } from 'react';
import { BrowserRouter } from 'react-router';
import { FaultBoundary } from './fault-boundary.tsx';
import { AppRoutes } from './routes.tsx';

export const App = () => (
  <StrictMode>
    <FaultBoundary>
      <BrowserRouter>
        <AppRoutes />
      </BrowserRouter>
    </FaultBoundary>
  </StrictMode>
);
