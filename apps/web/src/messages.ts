/** The error messages, word for word as specified. */
export const messages = {
  loginFailed: 'Failed to log in. Please check your credentials.',
  resetFailed: 'We experienced an error, contact support',
  registerFailed: 'Failed to register. Please try again.',
  clubsFailed: 'Failed to find Clubs. Please try again.',
  donationFailed: 'Failed to process donation. Please try again.',
  dashboardFailed: 'Failed to load data. Please try again later.',
  savingsFailed: 'Failed to retrieve linked savings.',
  noAccountLinked: 'No account linked',
  somethingWrong: 'Something went wrong, please try again',
  linkedAccountsFailed: 'Failed to retrieve data.',
  fundingChangeFailed:
    'There seems to be a problem with changing your funding account. Please try again later or contact support.',
  fundingFailed: 'There seems to be an error, please try again or contact support',
  noRedirect: 'Verification successful, but redirection failed. Please contact support.',
  noOrganisation: 'Verification successful, but unable to determine organization. Please contact support.',
  consentLinkFailed: (email: string) => `We have encountered an issue, please contact ${email}`,
  linkIncomplete: 'This link is not complete. Please open it from the mail again.',
  noAccounts: 'No accounts available. Please go back and select accounts.',
} as const;
