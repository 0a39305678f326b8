import { renderToString } from 'react-dom/server';
import { StaticRouter } from 'react-router';
import { type Start, setStart } from '#tenant/current.ts';
import { App } from './app.tsx';
import { loginPaths } from './routes.tsx';

/**
 * Returns the landing screen of a path as the server sends it, to be read before any script runs and taken over by
 * React; nothing for other screens. Runs in one go, so the start that it sets is nobody else's.
 */
export function renderPage(start: Start, path: string): string {
  if (!start.landings?.club && !loginPaths.includes(path)) return '';
  setStart(start);
  return renderToString(<App inRouter={(screens) => <StaticRouter location={path}>{screens}</StaticRouter>} />);
}
