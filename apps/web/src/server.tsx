import { renderToString } from 'react-dom/server';
import { StaticRouter } from 'react-router';
import { type Start, setStart } from '#tenant/current.ts';
import { App } from './app.tsx';
import { type LoadedScreens, loginPaths } from './routes.tsx';
import Clubs from './screens/clubs.tsx';
import Privacy from './screens/privacy.tsx';
import Shell from './screens/shell.tsx';
import Support from './screens/support.tsx';
import Terms from './screens/terms.tsx';

const embedded = { '/support': Support, '/help': Support, '/about': Support, '/terms': Terms, '/privacy': Privacy };
const loaded: LoadedScreens = { Shell, screens: { '/clubs': Clubs, '/register': Clubs, ...embedded } };

/**
 * Renders a path's landing screen, clubs or embedded page on the server, readable before any script runs and taken over
 * by React; nothing for other screens. Runs synchronously, so the start it sets is not shared with another call.
 */
export function renderPage(start: Start, path: string): string {
  if (!start.landings?.club && !start.clubs && !loginPaths.includes(path) && !(path in embedded)) return '';
  setStart(start);
  return renderToString(
    <App loaded={loaded} inRouter={(screens) => <StaticRouter location={path}>{screens}</StaticRouter>} />,
  );
}
