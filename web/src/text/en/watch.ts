// Watching games.
export const watch = {
  tv: {
    heading: 'TV',
    hint: 'The game to watch now, and the liveliest others.',
    none: 'Nothing is on. Games appear here as soon as they are played.',
  },
  watch: {
    many: 'Many boards',
    featured: 'The game to watch',
    others: 'Other games',
    open: (game: string) => `Open the game ${game}`,
    add: 'Link or id of a game',
    put: 'Add a board',
    liveliest: 'The liveliest games',
    fullScreen: 'Full screen',
    noGame: 'That is no link to a game.',
    at: (name: string) => `Follow the game on ${name}`,
  },
};
