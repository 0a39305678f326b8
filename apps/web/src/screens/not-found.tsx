import { EntryPage } from '#features/tenants/entry-page.tsx';
import { ButtonLink } from '#ui/button.tsx';

export default function NotFound() {
  return (
    <EntryPage title="There is no such page">
      <p>The address may be mistyped, or the page has moved. Nothing has happened to your account.</p>
      <ButtonLink to="/">Go to the start</ButtonLink>
    </EntryPage>
  );
}
