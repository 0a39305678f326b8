import { isCampaignOver } from '#tenant/pages.ts';
import { ButtonLink } from '#ui/button.tsx';
import { TextLink } from '#ui/text-link.tsx';
import { EntryPage } from './entry-page.tsx';

/** Replaces registration from the day a campaign ends. On another brand's host there are other clubs to choose. */
export const EndedNotice = () => (
  <EntryPage title="This campaign has ended">
    <p>
      Thank you to everyone who gave their spare change. Registration is closed. If you have an account you can still
      sign in to see your history and statements.
    </p>
    <ButtonLink to="/">Login</ButtonLink>
    {!isCampaignOver() && <TextLink to="/clubs">Choose another organisation</TextLink>}
  </EntryPage>
);
