package io.elastune.core.search;

import io.elastune.core.plan.BracketShares;
import io.elastune.core.plan.RungRule;
import io.elastune.core.search.RungState.Entry;
import io.elastune.core.search.RungState.Phase;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * The mutable state of a search made of rungs, with the decisions since the last {@link
 * #takeDecisions}.
 */
public final class RungTransition {
  private final RungRule rule;
  private final BracketShares shares;
  private final List<List<RankedResults>> results = new ArrayList<>();
  private final SortedMap<Integer, Integer> tasks;
  private final SortedSet<Integer> interrupted;
  private final SortedSet<Integer> early;
  private List<SearchDecision> decisions = new ArrayList<>();
  private Phase phase;
  private int begun;

  /** Creates the transition from {@code state}. */
  public RungTransition(RungRule rule, RungState state) {
    this.rule = rule;
    this.shares = rule.shares();
    this.phase = state.phase();
    this.begun = state.begun();
    for (List<List<Entry>> bracket : state.results()) {
      results.add(bracket.stream().map(RankedResults::new).toList());
    }
    this.tasks = new TreeMap<>(state.tasks());
    this.interrupted = new TreeSet<>(state.interrupted());
    this.early = new TreeSet<>(state.early());
  }

  /** Handles an event. A search that has ended ignores it. */
  public void apply(SearchEvent event) {
    if (phase == Phase.FINISHED) {
      return;
    }
    if (event instanceof SearchEvent.Fits) {
      next();
    } else if (event instanceof SearchEvent.Reached reached) {
      reached(reached.trial(), reached.loss(), reached.early());
    } else if (event instanceof SearchEvent.Reported reported) {
      reported(reported.trial(), reported.unit(), reported.loss());
    } else if (event instanceof SearchEvent.Dropped dropped) {
      dropped(dropped.trial());
    } else if (event instanceof SearchEvent.Interrupted interruption) {
      interrupt(interruption.trial());
    } else if (event instanceof SearchEvent.Close) {
      close();
    } else if (event instanceof SearchEvent.End) {
      finish();
    }
    endIfDone();
  }

  RungState toState() {
    List<List<List<Entry>>> ranked =
        results.stream().map(bracket -> List.<List<Entry>>copyOf(bracket)).toList();
    return new RungState(phase, begun, ranked, tasks, interrupted, early);
  }

  /** Returns the decisions since the last call. */
  public List<SearchDecision> takeDecisions() {
    List<SearchDecision> taken = decisions;
    decisions = new ArrayList<>();
    return taken;
  }

  /** Returns the present phase. */
  public Phase phase() {
    return phase;
  }

  /** Returns the number of trials that have started. */
  public int begun() {
    return begun;
  }

  /** Returns the number of issued tasks that have not ended. */
  public int running() {
    return tasks.size();
  }

  /** Whether a trial has a task that has not ended. */
  public boolean isRunning(int trial) {
    return tasks.containsKey(trial);
  }

  /** Returns the tasks that can run at once from now on; unlimited while new trials may start. */
  int demand() {
    return switch (phase) {
      case OPEN -> Integer.MAX_VALUE;
      case CLOSING -> tasks.size() + promotable();
      case FINISHED -> 0;
    };
  }

  /** Whether there is time for a new trial; see {@link RungSearch#admits}. */
  public boolean admits(double leftS, double unitS) {
    if (leftS >= rule.target(rule.lastRung()) * unitS) {
      return true;
    }
    return leftS >= (double) longestUnits() * rule.eta() * unitS;
  }

  /** The units of the trial that has been trained the most. */
  private int longestUnits() {
    for (int rung = rule.lastRung(); rung >= 0; rung--) {
      for (List<RankedResults> bracket : results) {
        if (bracket.get(rung).stream().anyMatch(entry -> entry.result().isValid())) {
          return rule.target(rung);
        }
      }
    }
    return 0;
  }

  /** Issues the next task, if there is one. */
  private void next() {
    Optional<Integer> again = nextInterrupted();
    if (again.isPresent()) {
      interrupted.remove(again.get());
      train(again.get(), rungOf(again.get()));
    } else if (!promoteOne()) {
      startNew();
    }
  }

  /** Returns the interrupted task that is issued next. */
  Optional<Integer> nextInterrupted() {
    return interrupted.stream()
        .max(Comparator.comparingInt(this::rungOf).thenComparing(Comparator.reverseOrder()));
  }

  private int rungOf(int trial) {
    return tasks.getOrDefault(trial, 0);
  }

  private void train(int trial, int rung) {
    int to = rule.isStopping() ? rule.target(rule.lastRung()) : rule.target(rung);
    int from = rule.fromUnit(shares.bracket(trial), rung);
    decisions.add(new SearchDecision.Train(trial, rung, from, to));
  }

  /** The results of a rung in a bracket. */
  private RankedResults ranked(int bracket, int rung) {
    return results.get(bracket).get(rung);
  }

  private boolean promoteOne() {
    for (int rung = rule.lastRung() - 1; rung >= 0; rung--) {
      for (int bracket = 0; bracket < results.size(); bracket++) {
        RankedResults ranked = ranked(bracket, rung);
        int index = ranked.firstOpen(candidates(ranked));
        if (index >= 0) {
          promote(bracket, rung, index, rung + 1);
          return true;
        }
      }
    }
    int rung = rungToFinishFrom();
    if (rung >= 0) {
      int bracket = bracketToFinishFrom(rung);
      promote(bracket, rung, firstUnpromoted(bracket, rung), rule.lastRung());
    }
    return rung >= 0;
  }

  /** Promotes a result: a new task, or at once the same result for a trial that is done. */
  private void promote(int bracket, int rung, int index, int to) {
    Entry entry = ranked(bracket, rung).promote(index);
    if (early.contains(entry.trial())) {
      add(bracket, to, entry.result(), false);
    } else {
      tasks.put(entry.trial(), to);
      int from = rule.fromScratch() ? 0 : rule.target(rung);
      decisions.add(new SearchDecision.Train(entry.trial(), to, from, rule.target(to)));
    }
  }

  /** Returns the number of results of a rung that are good enough for a promotion. */
  private int candidates(List<Entry> ranked) {
    return rule.isStopping() ? 0 : ranked.size() / rule.eta();
  }

  private int firstUnpromoted(int bracket, int rung) {
    return ranked(bracket, rung).firstOpen(limit(bracket));
  }

  /** The number of results in a rung that can be promoted at most; a stopped trial never is. */
  private int limit(int bracket) {
    return Math.max(1, shares.trials(bracket, rule.trials()) / rule.eta());
  }

  /**
   * Returns the highest rung with a trial that is trained to the end, because nothing runs and no
   * trial was promoted to the last rung; -1 if there is none.
   */
  private int rungToFinishFrom() {
    if (!rule.finishBest()
        || rule.isStopping()
        || phase != Phase.CLOSING
        || !tasks.isEmpty()
        || trained() > 0) {
      return -1;
    }
    for (int rung = rule.lastRung() - 1; rung >= 0; rung--) {
      if (bracketToFinishFrom(rung) >= 0) {
        return rung;
      }
    }
    return -1;
  }

  /** Returns the bracket with the best unpromoted result of {@code rung}; -1 if there is none. */
  private int bracketToFinishFrom(int rung) {
    return IntStream.range(0, results.size())
        .filter(bracket -> firstUnpromoted(bracket, rung) >= 0)
        .boxed()
        .min(
            Comparator.comparing(
                bracket -> ranked(bracket, rung).get(firstUnpromoted(bracket, rung)).result()))
        .orElse(-1);
  }

  private void startNew() {
    int running = tasks.size() - interrupted.size();
    if (phase != Phase.OPEN || running >= rule.concurrency().orElse(Integer.MAX_VALUE)) {
      return;
    }
    begun++;
    int rung = shares.bracket(begun);
    tasks.put(begun, rung);
    train(begun, rung);
    if (begun == rule.trials()) {
      close();
    }
  }

  private void close() {
    if (phase == Phase.OPEN) {
      phase = Phase.CLOSING;
      decisions.add(new SearchDecision.Closing());
    }
  }

  private void interrupt(int trial) {
    if (tasks.containsKey(trial)) {
      interrupted.add(trial);
    }
  }

  /** Ends the task of a trial with its result. */
  private void reached(int trial, double loss, boolean isEarly) {
    Integer rung = tasks.remove(trial);
    if (rung == null) {
      return; // unknown or repeated
    }
    interrupted.remove(trial);
    if (isEarly) {
      early.add(trial);
    }
    int last = rule.isStopping() ? rule.lastRung() : rung;
    for (int k = rung; k <= last; k++) {
      add(shares.bracket(trial), k, new TrialResult(trial, loss), false);
    }
    promoteEarly();
  }

  private void dropped(int trial) {
    Integer rung = tasks.remove(trial);
    if (rung != null) {
      interrupted.remove(trial);
      add(shares.bracket(trial), rung, new TrialResult(trial, Double.NaN), true);
      promoteEarly();
    }
  }

  /** Compares a running trial with the results of the rungs that it has reached. */
  private void reported(int trial, int unit, double loss) {
    Integer rung = tasks.get(trial);
    if (!rule.isStopping() || rung == null) {
      return;
    }
    int bracket = shares.bracket(trial);
    int now = rung;
    while (now < rule.lastRung() && unit >= rule.target(now)) {
      int place = add(bracket, now, new TrialResult(trial, loss), false);
      if (place >= Math.max(1, ranked(bracket, now).size() / rule.eta())) {
        tasks.remove(trial);
        decisions.add(new SearchDecision.Stop(trial));
        return;
      }
      now++;
      tasks.put(trial, now);
    }
  }

  /** Adds a result and returns its place. */
  private int add(int bracket, int rung, TrialResult result, boolean isDropped) {
    RankedResults ranked = ranked(bracket, rung);
    int place = ranked.insert(result);
    if (rung == rule.lastRung()) {
      complete(result.trial(), isDropped);
    } else if (!rule.isStopping()) {
      stopBeyondLimit(ranked, limit(bracket), place, isDropped);
    }
    return place;
  }

  private void complete(int trial, boolean isDropped) {
    if (!isDropped) {
      decisions.add(new SearchDecision.Complete(trial));
    }
    if (trained() >= rule.trained().orElse(Integer.MAX_VALUE)) {
      finish();
    }
  }

  /** The trials that are fully trained. */
  private long trained() {
    return results.stream()
        .flatMap(bracket -> bracket.get(rule.lastRung()).stream())
        .filter(entry -> entry.result().isValid())
        .count();
  }

  /** A result with so many better ones in its rung can never be promoted. */
  private void stopBeyondLimit(RankedResults ranked, int last, int place, boolean isDropped) {
    if (place >= last) {
      if (!isDropped) {
        decisions.add(new SearchDecision.Stop(ranked.get(place).trial()));
      }
    } else if (ranked.size() > last && ranked.isOpen(last)) {
      decisions.add(new SearchDecision.Stop(ranked.get(last).trial()));
    }
  }

  /** Trials that are done are promoted without a task. */
  private void promoteEarly() {
    for (int bracket = 0; bracket < results.size() && !early.isEmpty(); bracket++) {
      for (int rung = bracket; rung < rule.lastRung(); rung++) {
        RankedResults ranked = ranked(bracket, rung);
        for (int i = earlyPromotable(ranked); i >= 0; i = earlyPromotable(ranked)) {
          promote(bracket, rung, i, rung + 1);
        }
      }
    }
  }

  private int earlyPromotable(RankedResults ranked) {
    int candidates = candidates(ranked);
    for (int i = ranked.firstOpen(candidates); i >= 0 && i < candidates; i++) {
      if (ranked.isOpen(i) && early.contains(ranked.get(i).trial())) {
        return i;
      }
    }
    return -1;
  }

  /** Returns the number of tasks that could be issued now, besides interrupted and new ones. */
  public int promotable() {
    int count = 0;
    for (List<RankedResults> bracket : results) {
      for (RankedResults ranked : bracket.subList(0, rule.lastRung())) {
        count += ranked.countOpen(candidates(ranked));
      }
    }
    return count == 0 && rungToFinishFrom() >= 0 ? 1 : count;
  }

  /** Ends the search if nothing is left to do. */
  private void endIfDone() {
    if (phase == Phase.CLOSING && tasks.isEmpty() && promotable() == 0) {
      finish();
    }
  }

  private void finish() {
    if (phase != Phase.FINISHED) {
      phase = Phase.FINISHED;
      decisions.add(new SearchDecision.Finished());
    }
  }
}
