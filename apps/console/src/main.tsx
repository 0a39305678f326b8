import '@sparechange/web/ui/base.css';
import 'virtual:console-theme.css';
import './ui/console.css';
import './ui/watch-back.ts';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';

const root = document.getElementById('root');
if (root) createRoot(root).render(<App />);
