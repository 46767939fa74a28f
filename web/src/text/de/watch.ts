// Partien zusehen.
import type { watch as en } from '../en/watch';

export const watch: typeof en = {
  tv: {
    heading: 'TV',
    hint: 'Die Partie des Augenblicks und die lebhaftesten anderen.',
    none: 'Gerade läuft nichts. Partien erscheinen hier, sobald sie gespielt werden.',
  },
  watch: {
    many: 'Viele Bretter',
    featured: 'Die Partie des Augenblicks',
    others: 'Andere Partien',
    open: (game) => `Die Partie ${game} öffnen`,
    add: 'Link oder Kennung einer Partie',
    put: 'Brett dazustellen',
    liveliest: 'Die lebhaftesten Partien',
    fullScreen: 'Vollbild',
    noGame: 'Das ist kein Link zu einer Partie.',
    at: (name) => `Der Partie auf ${name} folgen`,
  },
};
