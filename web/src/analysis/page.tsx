// The analysis board: of a game that is over, or of one's own.
import { useEffect, useMemo, useState } from 'preact/hooks';
import * as games from '../api/games';
import { ApiError } from '../api/http';
import type { Game } from '../api/types';
import '../styles/analysis.css';
import { t } from '../text';
import { wordsFor } from '../text/problem';
import { useTitle } from '../title';
import { AnalysisBoard } from './board';
import { EvaluationGraph, TimesGraph } from './graphs';
import { Import } from './import';
import { useKeys } from './keys';
import { MoveTree } from './moves';
import { Note } from './note';
import { ReportCard } from './report';
import { ShareAnalysis } from './share';
import { Study } from './study';
import { Tools } from './tools';

export function AnalysisPage({ id }: { id: string | null }) {
  const [game, setGame] = useState<Game | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    if (id === null) return;
    let wanted = true;
    games.read(id).then(
      (found) => wanted && setGame(found),
      (error: unknown) =>
        wanted && setProblem(error instanceof ApiError && error.status === 404 ? t.game.notFound : wordsFor(error)),
    );
    return () => void (wanted = false);
  }, [id]);
  useTitle(t.analysis.heading);
  if (id === null) return <Analysis game={null} />;
  if (problem) return <Message words={problem} />;
  if (!game) return <p class="loading">{t.game.loading}</p>;
  // Whoever plays has no board to try moves on.
  if (game.state !== 'COMPLETED') return <Message words={t.analysis.notOver} game={game.id} />;
  return <Analysis game={game} />;
}

function Message({ words, game }: { words: string; game?: string }) {
  return (
    <div class="narrow">
      <h1>{t.analysis.heading}</h1>
      <p class="hint" role="alert">
        {words}
      </p>
      <a class="button primary" href={game ? `/game/${game}` : '/'}>
        {game ? t.analysis.toGame : t.nowhere.home}
      </a>
    </div>
  );
}

function Analysis({ game }: { game: Game | null }) {
  const study = useMemo(() => new Study(game), [game]);
  useKeys(study);
  useTitle(`${t.analysis.heading}: ${study.title()}`);
  return (
    <div class="analysis">
      <h1 class="unseen">
        {t.analysis.heading}: {study.title()}
      </h1>
      <div class="analysis-table">
        <AnalysisBoard study={study} />
        {game && <EvaluationGraph study={study} />}
        {game && <TimesGraph study={study} />}
      </div>
      <div class="analysis-side">
        {game ? <ReportCard study={study} game={game} /> : <Import study={study} />}
        <MoveTree study={study} />
        <Tools study={study} />
        <Note study={study} />
        <ShareAnalysis study={study} />
      </div>
    </div>
  );
}
