// Every screen of the client, and a server with something on each: for the pictures and for the look at all pages.

/**
 * `{game}` and the like stand for what the scene has; `ready` is there when the page is; `as` is who looks.
 * @type {import('./scene.mjs').Screen[]}
 */
export const SCREENS = [
  { name: 'home', path: '/', ready: '.home .card' },
  { name: 'home-guest', path: '/', ready: '.home .card', as: 'nobody' },
  { name: 'game', path: '/game/{game}', ready: '.game cg-board piece' },
  { name: 'watch', path: '/game/{other}', ready: '.game cg-board piece', as: 'nobody' },
  { name: 'over', path: '/game/{over}', ready: '.game cg-board piece' },
  { name: 'waiting', path: '/game/{waiting}', ready: '.game cg-board piece' },
  { name: 'tv', path: '/tv', ready: '.featured cg-board piece' },
  { name: 'many', path: '/tv/many', ready: '.boards cg-board piece' },
  { name: 'analysis', path: '/analysis/{over}', ready: '.graph .white' },
  { name: 'board', path: '/analysis', ready: '.analysis cg-board piece' },
  { name: 'embed', path: '/embed/{other}', ready: '.embed cg-board piece', as: 'nobody' },
  { name: 'profile', path: '/@/margarete', ready: 'main h1' },
  { name: 'players', path: '/players', ready: 'main h1' },
  { name: 'account', path: '/account', ready: 'main h1' },
  { name: 'skill', path: '/skill', ready: 'main h1' },
  { name: 'draft', path: '/skill/{match}', ready: '.match cg-board piece' },
  { name: 'nowhere', path: '/nothing/here', ready: '.nowhere h1' },
  { name: 'console', path: '/console', ready: '.tiles .tile', as: 'operator' },
  { name: 'console-games', path: '/console/games', ready: '.console-table tbody tr', as: 'operator' },
  { name: 'console-game', path: '/console/games/{game}', ready: '.one-game cg-board piece', as: 'operator' },
  { name: 'console-players', path: '/console/players', ready: '.console-table tbody tr', as: 'operator' },
  { name: 'console-player', path: '/console/players/konrad', ready: '.one-player h2', as: 'operator' },
  { name: 'console-reports', path: '/console/reports', ready: '.reports .card', as: 'operator' },
  { name: 'console-webhooks', path: '/console/webhooks', ready: '.console section', as: 'operator' },
  { name: 'console-files', path: '/console/files', ready: '.console form.card', as: 'operator' },
  { name: 'console-audit', path: '/console/audit', ready: '.console-table tbody tr', as: 'operator' },
  { name: 'console-sign-in', path: '/console', ready: 'main form' },
];

/** @type {import('./scene.mjs').Form[]} */
export const FORMS = ['light', 'dark'].flatMap((colorScheme) => [
  { name: colorScheme, options: { viewport: { width: 1280, height: 800 }, colorScheme } },
  { name: `phone-${colorScheme}`, options: { viewport: { width: 390, height: 844 }, colorScheme, hasTouch: true } },
]);

const MARSHALL =
  'e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 O-O c3 d5 exd5 Nxd5 Nxe5 Nxe5 Rxe5 c6 d4 Bd6 Re1 Qh4 g3 Qh3';
const SICILIAN = 'e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6 Bg5 e6 f4 Qb6';
const GAMBIT = 'd4 d5 c4 e6 Nc3 Nf6 Bg5 Be7 e3 O-O Nf3 h6 Bh4 b6';
const CRAZY = 'e4 d5 exd5 Qxd5 Nc3 Qa5 d4 Nf6 Nf3 Bg4 Be2 Nc6 O-O O-O-O h3 Bxf3 Bxf3 e5';
const OPERA =
  'e4 e5 Nf3 d6 d4 Bg4 dxe5 Bxf3 Qxf3 dxe5 Bc4 Nf6 Qb3 Qe7 Nc3 c6 Bg5 b5 Nxb5 cxb5 Bxb5+ Nbd7 O-O-O Rd8 Rxd7 Rxd7 ' +
  'Rd1 Qe6 Bxd7+ Nxd7 Qb8+ Nxb8 Rd8#';

/** Fills a server. `code` is for the first administrator; without it nobody operates. */
export async function scene(url, code) {
  const call = caller(url);
  const person = async (name) => {
    const password = `password of ${name}`;
    const body = { username: name, password };
    return call('POST', '/v1/accounts', body).catch(() => call('POST', '/v1/sessions', body));
  };
  const [margarete, ferdinand, sophie, konrad] = await Promise.all(
    ['Margarete', 'Ferdinand', 'Sophie', 'Konrad'].map(person),
  );
  const play = player(call);
  const over = await play(margarete, ferdinand, OPERA, { rated: true });
  const game = await play(margarete, ferdinand, MARSHALL);
  const other = await play(sophie, konrad, GAMBIT, { rated: true });
  await play(ferdinand, sophie, SICILIAN);
  await play(konrad, margarete, CRAZY, { variant: 'crazyhouse' });
  const terms = { time_control: { initial_seconds: 180, increment_seconds: 2 } };
  const waiting = (await call('POST', '/v1/games', terms, sophie.token)).id;
  await call('POST', `/v1/games/${game}/chat`, { text: 'The Marshall? Brave.', audience: 'room' }, margarete.token);
  for (let n = 0; n < 6; n++) {
    const [white, black] = n % 3 === 1 ? [ferdinand, margarete] : [margarete, ferdinand];
    await play(white, black, 'f3 e5 g4 Qh4', { rated: true });
  }
  const match = await skill(call);
  const report = { player: 'konrad', reason: 'abuse', game_id: other, text: 'Said unkind things after the game.' };
  await call('POST', '/v1/reports', report, sophie.token).catch(() => undefined);
  const operator = code ? await operate(call, code) : null;
  await analysed(call, over, margarete.token);
  return { ids: { over, game, other, waiting, match }, people: { margarete, ferdinand, sophie, konrad }, operator };
}

const caller = (url) => async (method, path, body, token) => {
  const headers = { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) };
  const answer = await fetch(url + path, { method, headers, body: body && JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  const text = await answer.text();
  return text && JSON.parse(text);
};

/** A game between two accounts, some moves in. */
const player = (call) => async (white, black, moves, terms) => {
  const time_control = { initial_seconds: 600, increment_seconds: 5 };
  const body = { time_control, color: 'white', opponent_id: black.account.id, ...terms };
  const game = await call('POST', '/v1/games', body, white.token);
  await call('POST', `/v1/games/${game.id}/join`, {}, black.token);
  for (const [n, move] of moves.split(' ').entries())
    await call('POST', `/v1/games/${game.id}/moves`, { move }, (n % 2 ? black : white).token);
  return game.id;
};

/** Who a browser is in skill matches. */
const GUEST = { guestID: crypto.randomUUID(), displayName: 'Margarete' };

/** A skill match of two, in the draft. */
async function skill(call) {
  const { snapshot } = await call('POST', '/v1/matches', GUEST);
  const other = { guestID: crypto.randomUUID(), displayName: 'Konrad', roomCode: snapshot.roomCode };
  await call('POST', '/v1/matches/join', other);
  return snapshot.id;
}

/** The administrator: made with the code of the first run, or known from before. */
async function operate(call, code) {
  const password = 'password of the house';
  return call('POST', '/v1/setup', { code, name: 'Steward', password }).catch(() =>
    call('POST', '/v1/admin/sessions', { username: 'Steward', password }),
  );
}

/** Has a game analysed, and waits for it. */
async function analysed(call, id, token) {
  let answer = await call('POST', `/v1/games/${id}/analysis`, {}, token);
  while (answer.status !== 'done') {
    await new Promise((done) => setTimeout(done, 100));
    answer = await call('GET', `/v1/games/${id}/analysis`, undefined, token);
  }
}

/** Who looks at a screen: what the browser has to know before it opens one. */
export function storage({ people, operator }, as = 'margarete') {
  const local = {
    'arbiter.skill.guest': JSON.stringify(GUEST),
    ...(as === 'nobody' ? {} : { 'arbiter.session': JSON.stringify(people.margarete) }),
  };
  const session = as === 'operator' && operator ? { 'arbiter.console': JSON.stringify(operator) } : {};
  return { local, session };
}

/** The address of a screen in this scene. */
export const address = (screen, { ids }) => screen.path.replace(/\{(\w+)\}/, (_, name) => ids[name]);
