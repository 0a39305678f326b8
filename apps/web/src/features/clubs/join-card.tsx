import type { ClubFigures } from '@sparechange/contract';
import { getStart } from '#tenant/current.ts';
import styles from './join-card.module.css';
import { Figures } from './landing-sections.tsx';
import { StartLink } from './start-link.tsx';

interface JoinCardProps {
  clubId: string;
  slug: string;
  figures: ClubFigures | null;
}

/**
 * Shows a club's figures and the one button of its page: on a phone at the end of the hero, on a desktop as a card that
 * stays in sight, with a code that opens the page on a phone.
 */
export const JoinCard = ({ clubId, slug, figures }: JoinCardProps) => (
  <section className={styles.join} aria-label="Join in">
    {figures ? (
      <Figures figures={figures} />
    ) : (
      <p className={styles.few}>
        <strong>Be one of the first.</strong> Once five people give, what you raise together shows here.
      </p>
    )}
    <StartLink start={{ clubId, slug }} />
    <div className={styles.scan}>
      <img
        src={`/share/${getStart().tenantKey}/qr-${slug}.png`}
        alt="QR code of this page"
        width={112}
        height={112}
        loading="lazy"
      />
      <p>
        <strong>On your phone instead?</strong> Scan this. Your bank's app is there already.
      </p>
    </div>
  </section>
);
