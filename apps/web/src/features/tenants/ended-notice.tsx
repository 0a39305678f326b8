import { getTenant } from '#tenant/current.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { EntryPage, Tagline } from './entry-page.tsx';
import { ScreenTitle } from './screen-title.tsx';

/** From the day a campaign ends nobody registers; who takes part already keeps everything (design section 5). */
export const EndedNotice = () => (
  <EntryPage banner={<Tagline>{getTenant().biline.primary}</Tagline>}>
    <ScreenTitle>This campaign has ended</ScreenTitle>
    <p>
      Thank you to everyone who gave their spare change. Registration is closed. If you have an account you can still
      sign in to see your history and statements.
    </p>
    <ButtonLink to="/">Login</ButtonLink>
  </EntryPage>
);
