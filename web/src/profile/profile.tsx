// A player as everyone may see them.
import { signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { ApiError } from '../api/http';
import * as api from '../api/players';
import type { PlayerView, Point } from '../api/players';
import { FriendForm } from '../home/friend';
import { me, session } from '../session';
import { t } from '../text';
import { date, number, percent } from '../text/format';
import { wordsFor } from '../text/problem';
import { useTitle } from '../title';
import { Dialog } from '../views/dialog';
import { profilePath } from '../views/player_link';
import { Titled } from '../views/titled';
import { PlayerGames } from './games';
import { RatingGraph } from './graph';
import { poolName } from './pools';
import { RecordBar } from './record';
import { openReport, ReportDialog } from './report';
import '../styles/profile.css';

const challenging = signal(false);

export function ProfilePage({ name }: { name: string }) {
  useTitle(name);
  const [player, setPlayer] = useState<PlayerView | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const mine = session.value?.token;
  useEffect(() => {
    let wanted = true;
    api.read(name).then(
      (found) => {
        if (!wanted) return;
        setPlayer(found);
        // A guest who became an account is found by the old name, too.
        if (found.id !== name.toLowerCase()) history.replaceState(null, '', profilePath(found.id));
      },
      (error: unknown) => {
        const isMissing = error instanceof ApiError && error.status === 404;
        if (wanted) setProblem(isMissing ? t.profile.missing : wordsFor(error));
      },
    );
    return () => void (wanted = false);
  }, [name, mine]);
  if (problem)
    return (
      <div class="narrow">
        <h1>{name}</h1>
        <p role="alert">{problem}</p>
        <a class="button" href="/players">
          {t.profile.search}
        </a>
      </div>
    );
  if (!player) return <p class="loading">{t.loading}</p>;
  return <Shown player={player} />;
}

function Shown({ player }: { player: PlayerView }) {
  const isMe = me()?.id === player.id;
  const against = player.against_you;
  return (
    <div class="profile">
      <header class="profile-head">
        <div>
          <h1>
            <Titled {...player} />
          </h1>
          <p class="hint">
            {t.profile.kinds[player.kind] ?? player.kind}, {t.profile.since(date(player.created_at))}
          </p>
        </div>
        {isMe ? (
          <a class="button" href="/account">
            {t.account.heading}
          </a>
        ) : (
          <Deeds player={player} />
        )}
      </header>
      <div class="records card">
        {player.played && <RecordBar label={t.profile.played} record={player.played} />}
        <RecordBar label={t.profile.record} record={player.counts} />
        {!isMe && against && against.wins + against.draws + against.losses > 0 && (
          <RecordBar label={t.profile.againstYou(player.name)} record={against} />
        )}
      </div>
      <Ratings player={player} />
      <PlayerGames name={player.id} id={player.id} />
      <Dialog open={challenging} title={t.profile.challengeTitle(player.name)}>
        <FriendForm opponent={player.name} done={() => (challenging.value = false)} />
      </Dialog>
      <ReportDialog player={player.id} />
    </div>
  );
}

/** What one can do about a player. */
function Deeds({ player }: { player: PlayerView }) {
  const [follows, setFollows] = useState<boolean | null>(null);
  const [blocks, setBlocks] = useState<boolean | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const account = me();
  const mayFollow = account !== null && !account.guest;
  useEffect(() => {
    if (!mayFollow) return;
    void api.follows().then(
      (list) => setFollows(list.follows.some(({ id }) => id === player.id)),
      () => undefined,
    );
    void api.blocks().then(
      (list) => setBlocks(list.names.includes(player.id)),
      () => undefined,
    );
  }, [player.id, mayFollow]);
  const act = (change: Promise<unknown>, done: () => void) => {
    setProblem(null);
    change.then(done, (error: unknown) => setProblem(wordsFor(error)));
  };
  return (
    <div class="row deeds">
      <button type="button" class="primary" onClick={() => (challenging.value = true)}>
        {t.profile.challenge}
      </button>
      {mayFollow && (
        <>
          <button
            type="button"
            disabled={follows === null}
            onClick={() => act(api.follow(player.id, !follows), () => setFollows(!follows))}
          >
            {follows ? t.profile.unfollow : t.profile.follow}
          </button>
          <button
            type="button"
            disabled={blocks === null}
            onClick={() => act(api.block(player.id, !blocks), () => setBlocks(!blocks))}
          >
            {blocks ? t.profile.unblock : t.profile.block}
          </button>
          <button type="button" class="quiet" onClick={openReport}>
            {t.profile.report}
          </button>
        </>
      )}
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

function Ratings({ player }: { player: PlayerView }) {
  const pools = Object.entries(player.ratings).sort(([, a], [, b]) => b.games - a.games);
  const [pool, setPool] = useState(pools[0]?.[0] ?? '');
  const [points, setPoints] = useState<Point[]>([]);
  useEffect(() => {
    if (!pool) return;
    let wanted = true;
    void api.history(player.id, pool).then(
      (found) => wanted && setPoints(found.points),
      () => wanted && setPoints([]),
    );
    return () => void (wanted = false);
  }, [player.id, pool]);
  return (
    <section aria-labelledby="ratings">
      <h2 id="ratings">{t.profile.ratings}</h2>
      {pools.length === 0 ? (
        <p class="hint">{t.profile.noRatings}</p>
      ) : (
        <>
          <div class="ratings">
            {pools.map(([name, rating]) => (
              <button
                key={name}
                type="button"
                class="rating"
                aria-pressed={name === pool}
                onClick={() => setPool(name)}
              >
                <span>{poolName(name)}</span>
                <strong>{number(rating.rating)}</strong>
                <small>{note(rating)}</small>
              </button>
            ))}
          </div>
          <div class="graph-space">
            <RatingGraph pool={pool} points={points} />
          </div>
        </>
      )}
    </section>
  );
}

function note(rating: api.Rating): string {
  if (rating.provisional) return t.profile.provisional;
  if (rating.percentile !== null && rating.percentile !== undefined)
    return t.profile.percentile(percent(rating.percentile / 100));
  return t.profile.progress(`${rating.progress >= 0 ? '+' : '−'}${Math.abs(rating.progress)}`);
}
