// English: every area of the catalogue. What is here must be in every other language, or the types do not fit.
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

export const en = {
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

export type Texts = typeof en;
