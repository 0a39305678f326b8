import { expect, test } from '@playwright/test';
import { anOpenIdProvider, openIdClient } from '@sparechange/server/testing/openid-provider.ts';
import { desktop, expectAccessible } from './accessible.ts';
import { anAddress, heading } from './console-sign-in.ts';
import { aPlace, runOps, startProduct, stopProduct, untilReady } from './product.ts';

test("a person of the organisation signs in with the organisation's own account", async ({ page }) => {
  const place = await aPlace();
  const home = `http://localhost:${place.port}/console`;
  const provider = await anOpenIdProvider(`${home}/signed-in`);
  const env = {
    CONSOLE_OIDC_ISSUER: provider.issuer,
    CONSOLE_OIDC_CLIENT_ID: openIdClient.clientId,
    CONSOLE_OIDC_CLIENT_SECRET: openIdClient.clientSecret,
    CONSOLE_OIDC_NAME: 'Rovers United',
  };
  const program = startProduct({ ...place, env });
  try {
    await untilReady(program);
    await page.goto(home);
    provider.person.email = anAddress('stranger');
    await page.getByRole('button', { name: 'Sign in with Rovers United' }).click();
    await expect(heading(page, 'You are not signed in')).toBeVisible();
    await expect(page.getByText('is invited here')).toBeVisible();
    await expectAccessible(page);

    provider.person.email = anAddress('owner');
    await runOps(place, 'console', 'invite', provider.person.email, '--role', 'owner', '--name', 'Olive Owner');
    await page.goto(`${home}/people`);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Sign in with Rovers United' }).click();
    await expect(heading(page, 'People')).toBeVisible();
    await page.setViewportSize(desktop);
    await expect(
      page.getByRole('row', { name: 'Olive Owner' }).getByRole('cell', { name: 'Rovers United' }),
    ).toBeVisible();
    expect(new URL(page.url()).search).toBe('');
  } finally {
    await stopProduct(program);
    await provider.close();
  }
});
