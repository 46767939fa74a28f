// Deutsch. Wird erst geladen, wenn jemand es sprechen will.
import type { Texts } from '../en';
import { account } from './account';
import { analysis } from './analysis';
import { common } from './common';
import { console } from './console';
import { errors } from './errors';
import { game } from './game';
import { home } from './home';
import { notices } from './notices';
import { profile } from './profile';
import { skill } from './skill';
import { watch } from './watch';

export const de: Texts = {
  ...common,
  ...errors,
  ...home,
  ...profile,
  ...account,
  ...notices,
  ...game,
  ...skill,
  ...analysis,
  ...watch,
  ...console,
};
