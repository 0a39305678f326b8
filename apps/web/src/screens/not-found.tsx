import { EntryPage, Tagline } from '#features/tenants/entry-page.tsx';
import { ScreenTitle } from '#features/tenants/screen-title.tsx';
import { getTenant } from '#tenant/current.ts';
import { ButtonLink } from '#ui/button.tsx';

export default function NotFound() {
  return (
    <EntryPage banner={<Tagline>{getTenant().biline.primary}</Tagline>}>
      <ScreenTitle>There is no such page</ScreenTitle>
      <p>The address may be mistyped, or the page has moved. Nothing has happened to your account.</p>
      <ButtonLink to="/">Go to the start</ButtonLink>
    </EntryPage>
  );
}
