import { renderToString } from 'react-dom/server';
import { StaticRouter } from 'react-router';
import { type Start, setStart } from '#tenant/current.ts';
import { App } from './app.tsx';
import { type LoadedScreens, loginPaths } from './routes.tsx';
import Clubs from './screens/clubs.tsx';
import Shell from './screens/shell.tsx';

const loaded: LoadedScreens = { Shell, screens: { '/clubs': Clubs, '/register': Clubs } };

/**
 * Returns the landing screen or the clubs of a path as the server sends them, to be read before any script runs and taken
 * over by React; nothing for other screens. Runs in one go, so the start that it sets is nobody else's.
 */
export function renderPage(start: Start, path: string): string {
  if (!start.landings?.club && !start.clubs && !loginPaths.includes(path)) return '';
  setStart(start);
  return renderToString(
    <App loaded={loaded} inRouter={(screens) => <StaticRouter location={path}>{screens}</StaticRouter>} />,
  );
}
