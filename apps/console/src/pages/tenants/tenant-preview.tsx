import { previewPath } from '@sparechange/contract/console';
import { useEffect, useRef, useState } from 'react';
import { Select } from '../../ui/filters.tsx';
import styles from './tenant-preview.module.css';

const pages = [
  { value: '/', label: 'Front page' },
  { value: '/clubs', label: 'Choosing a club' },
];
const schemes = [
  { value: 'light', label: 'By day' },
  { value: 'dark', label: 'By night' },
];

/** Shows the supporters' own pages in the look of a draft, on a desktop and a phone. */
export function TenantPreview({ id }: { id: string | undefined }) {
  const [page, setPage] = useState('/');
  const [scheme, setScheme] = useState('light');
  const src = id && previewPath(id, page === '/' ? '/' : '/clubs', scheme === 'dark' ? 'dark' : 'light');
  return (
    <section className={styles.preview} aria-label="Preview">
      <div className={styles.choices}>
        <Select label="Screen" value={page} onChange={setPage} options={pages} />
        <Select label="Colours" value={scheme} onChange={setScheme} options={schemes} />
      </div>
      <div className={styles.screens}>
        <Screen title="Desktop" src={src} width={1280} height={860} />
        <Screen title="Phone" src={src} width={390} height={844} />
      </div>
      <p className={styles.note}>Live preview, without the sign-in form.</p>
    </section>
  );
}

interface ScreenProps {
  title: string;
  src: string | undefined;
  width: number;
  height: number;
}

/** Draws a page at the width of a screen, made smaller to fit its place. */
function Screen({ title, src, width, height }: ScreenProps) {
  const place = useRef<HTMLDivElement>(null);
  const [scale, setScale] = useState(0);
  const frame = useRef<HTMLIFrameElement>(null);
  const [firstSrc, setFirstSrc] = useState(src);
  if (src && !firstSrc) setFirstSrc(src);
  const drawn = useRef(firstSrc);
  // Another address of a frame would be a step of the browser's Back.
  useEffect(() => {
    if (src && drawn.current && src !== drawn.current) frame.current?.contentWindow?.location.replace(src);
    drawn.current = src;
  }, [src]);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setScale((entry?.contentRect.width ?? 0) / width));
    if (place.current) observer.observe(place.current);
    return () => observer.disconnect();
  }, [width]);
  return (
    <figure className={styles.screen}>
      <div ref={place} className={styles.place} style={{ aspectRatio: `${width} / ${height}` }}>
        {firstSrc && (
          <iframe
            ref={frame}
            title={title}
            src={firstSrc}
            sandbox="allow-same-origin"
            width={width}
            height={height}
            style={{ transform: `scale(${scale})` }}
          />
        )}
      </div>
      <figcaption>{title}</figcaption>
    </figure>
  );
}
