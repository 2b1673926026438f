package io.elastune.core.search;

import io.elastune.core.plan.BracketShares;
import io.elastune.core.plan.RungRule;
import io.elastune.core.search.RungState.Entry;
import io.elastune.core.search.RungState.Phase;
import java.util.Arrays;
import java.util.List;

/**
 * A search made of rungs in progress, for timelines that play thousands of searches. It follows the
 * same rules as {@link RungSearch}, which decides in runs, but has no decisions that only end
 * trials. Each event takes logarithmic time and allocates nothing. Not thread-safe.
 */
public final class RungRun {
  private static final int NO_TASK = -1;
  private static final int INITIAL = 64;
  private static final boolean[] NONE_EARLY = {};

  private final RungRule rule;
  private final BracketShares shares;
  private final boolean hasBrackets;
  private final boolean isStopping;
  private final int lastRung;
  private final int[] targets;
  private final int concurrency;
  private final int mostTrained;
  // By bracket and rung.
  private RungRanking[][] rankings = {};
  // By trial: the rung of its task that was issued and has not ended, and whether it needs no more.
  private int[] rungOf = new int[INITIAL];
  private boolean[] isEarly = NONE_EARLY;

  /** Results that may be promoted by their rank: those of all rungs but the last one. */
  private int open;

  private int tasks;
  private int[] interrupted = new int[4];
  private int interruptions;
  private Phase phase;
  private int begun;
  private int trained;
  private int longestRung = NO_TASK;

  // The task that was issued last.
  private int trial;
  private int rung;
  private int from;
  private int to;

  /** Continues a search from {@code state}. */
  public RungRun(RungRule rule, RungState state) {
    this.rule = rule;
    shares = rule.shares();
    hasBrackets = rule.brackets() > 1;
    isStopping = rule.isStopping();
    lastRung = rule.lastRung();
    targets = rule.targets().stream().mapToInt(Integer::intValue).toArray();
    concurrency = rule.concurrency().orElse(Integer.MAX_VALUE);
    mostTrained = rule.trained().orElse(Integer.MAX_VALUE);
    phase = state.phase();
    begin(state);
  }

  /** Begins again from {@code state}, with the memory of the search before. */
  public void begin(RungState state) {
    Arrays.fill(rungOf, NO_TASK);
    phase = state.phase();
    begun = state.begun();
    trained = 0;
    longestRung = NO_TASK;
    tasks = 0;
    open = 0;
    interruptions = 0;
    isEarly = NONE_EARLY;
    beginResults(state.results());
    state.tasks().forEach(this::setTask);
    state.interrupted().forEach(this::addInterrupted);
    if (!state.early().isEmpty()) {
      isEarly = new boolean[state.early().last() + 1];
      state.early().forEach(each -> isEarly[each] = true);
    }
  }

  private void beginResults(List<List<List<Entry>>> results) {
    if (rankings.length != results.size()) {
      rankings = new RungRanking[results.size()][0];
    }
    for (int bracket = 0; bracket < rankings.length; bracket++) {
      List<List<Entry>> known = results.get(bracket);
      if (rankings[bracket].length != known.size()) {
        rankings[bracket] = new RungRanking[known.size()];
        Arrays.setAll(rankings[bracket], of -> new RungRanking(rule.eta(), isStopping ? 1 : 0));
      }
      for (int of = 0; of < known.size(); of++) {
        RungRanking ranking = rankings[bracket][of];
        ranking.clear();
        for (Entry entry : known.get(of)) {
          ranking.add(entry.trial(), entry.result().loss(), entry.promoted());
          noteValid(entry.result().isValid(), of);
        }
        open += of < lastRung ? ranking.open() : 0;
      }
    }
  }

  private void setTask(int of, int inRung) {
    if (of >= rungOf.length) {
      int before = rungOf.length;
      rungOf = Arrays.copyOf(rungOf, Math.max(of + 1, 2 * before));
      Arrays.fill(rungOf, before, rungOf.length, NO_TASK);
    }
    tasks += rungOf[of] == NO_TASK ? 1 : 0;
    rungOf[of] = inRung;
  }

  private void addInterrupted(int of) {
    if (interruptions == interrupted.length) {
      interrupted = Arrays.copyOf(interrupted, 2 * interruptions);
    }
    interrupted[interruptions++] = of;
  }

  /** Notes a result of a rung. */
  private void noteValid(boolean isValid, int of) {
    if (isValid) {
      longestRung = Math.max(longestRung, of);
      trained += of == lastRung ? 1 : 0;
    }
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
    return tasks;
  }

  /** Whether a trial has a task that has not ended. */
  public boolean isRunning(int of) {
    return of < rungOf.length && rungOf[of] != NO_TASK;
  }

  /** Returns the trial of the task that was issued last. */
  public int trial() {
    return trial;
  }

  /** Returns the rung of the task that was issued last. */
  public int rung() {
    return rung;
  }

  /** Returns the units of its trial before the task that was issued last. */
  public int from() {
    return from;
  }

  /** Returns the units of its trial after the task that was issued last. */
  public int to() {
    return to;
  }

  /** Whether there is time for a new trial; see {@link RungSearch#admits}. */
  public boolean admits(double leftS, double unitS) {
    if (leftS >= targets[lastRung] * unitS) {
      return true;
    }
    int longestUnits = longestRung < 0 ? 0 : targets[longestRung];
    return leftS >= (double) longestUnits * rule.eta() * unitS;
  }

  /** Issues the next task, because one fits; returns whether there is one. */
  public boolean next() {
    boolean isIssued = phase != Phase.FINISHED && issue();
    endIfDone();
    return isIssued;
  }

  private boolean issue() {
    if (interruptions > 0) {
      int again = takeInterrupted();
      issue(again, rungOf[again]);
      return true;
    }
    int promoted = promoteOne();
    if (promoted >= 0) {
      return promoted > 0;
    }
    if (phase != Phase.OPEN || tasks >= concurrency) {
      return false;
    }
    begun++;
    int bracket = bracket(begun);
    setTask(begun, bracket);
    issue(begun, bracket);
    if (begun == rule.trials()) {
      close();
    }
    return true;
  }

  private void issue(int of, int inRung) {
    trial = of;
    rung = inRung;
    from = inRung == bracket(of) || rule.fromScratch() ? 0 : targets[inRung - 1];
    to = targets[isStopping ? lastRung : inRung];
  }

  /** Removes the interrupted trial whose task is issued next: the highest rung, lowest trial. */
  private int takeInterrupted() {
    int first = 0;
    for (int i = 1; i < interruptions; i++) {
      int order = Integer.compare(rungOf[interrupted[first]], rungOf[interrupted[i]]);
      boolean goesFirst = order < 0 || (order == 0 && interrupted[i] < interrupted[first]);
      first = goesFirst ? i : first;
    }
    int taken = interrupted[first];
    interrupted[first] = interrupted[--interruptions];
    return taken;
  }

  private int bracket(int of) {
    return hasBrackets ? shares.bracket(of) : 0;
  }

  /** Promotes a result; returns 1 if it issues a task, 0 if its trial is done, and -1 for none. */
  private int promoteOne() {
    for (int of = lastRung - 1; of >= 0 && open > 0 && !isStopping; of--) {
      for (int bracket = 0; bracket < rankings.length; bracket++) {
        int index = rankings[bracket][of].firstOpen();
        if (index >= 0) {
          return promote(bracket, of, index, of + 1) ? 1 : 0;
        }
      }
    }
    int of = rungToFinishFrom();
    if (of < 0) {
      return -1;
    }
    int bracket = bracketToFinishFrom(of);
    return promote(bracket, of, firstUnpromoted(bracket, of), lastRung) ? 1 : 0;
  }

  /** Promotes a result, and returns whether its trial has a new task. */
  private boolean promote(int bracket, int of, int index, int into) {
    RungRanking ranking = rankings[bracket][of];
    open -= ranking.open();
    ranking.promote(index);
    open += ranking.open();
    int promoted = ranking.trial(index);
    if (promoted < isEarly.length && isEarly[promoted]) {
      add(bracket, into, promoted, ranking.loss(index));
      return false;
    }
    setTask(promoted, into);
    trial = promoted;
    rung = into;
    from = rule.fromScratch() ? 0 : targets[of];
    to = targets[into];
    return true;
  }

  private int firstUnpromoted(int bracket, int of) {
    int limit = Math.max(1, shares.trials(bracket, rule.trials()) / rule.eta());
    return rankings[bracket][of].firstOpenOfAll(limit);
  }

  private int rungToFinishFrom() {
    if (tasks > 0 || trained > 0 || phase != Phase.CLOSING || isStopping || !rule.finishBest()) {
      return -1;
    }
    for (int of = lastRung - 1; of >= 0; of--) {
      if (bracketToFinishFrom(of) >= 0) {
        return of;
      }
    }
    return -1;
  }

  private int bracketToFinishFrom(int of) {
    int best = -1;
    TrialResult first = new TrialResult(Integer.MAX_VALUE, Double.NaN);
    for (int bracket = 0; bracket < rankings.length; bracket++) {
      int index = firstUnpromoted(bracket, of);
      if (index >= 0) {
        RungRanking ranking = rankings[bracket][of];
        TrialResult result = new TrialResult(ranking.trial(index), ranking.loss(index));
        if (best < 0 || result.compareTo(first) < 0) {
          best = bracket;
          first = result;
        }
      }
    }
    return best;
  }

  /** Ends the task of a trial with its result at the target of the task. */
  public void reached(int of, double loss) {
    if (phase == Phase.FINISHED || !isRunning(of)) {
      return;
    }
    int in = rungOf[of];
    removeTask(of);
    int last = isStopping ? lastRung : in;
    for (int each = in; each <= last; each++) {
      add(bracket(of), each, of, loss);
    }
    promoteEarly();
    endIfDone();
  }

  /** Compares a trial with the results of the rung whose target it has reached. */
  public void reported(int of, double loss) {
    if (phase == Phase.FINISHED || !isStopping || !isRunning(of) || rungOf[of] == lastRung) {
      return;
    }
    int in = rungOf[of];
    int bracket = bracket(of);
    int index = add(bracket, in, of, loss);
    if (rankings[bracket][in].isBest(index)) {
      rungOf[of] = in + 1;
    } else {
      removeTask(of);
    }
    endIfDone();
  }

  /** Records that the task of a trial must be issued again. */
  public void interrupt(int of) {
    if (phase != Phase.FINISHED && isRunning(of)) {
      addInterrupted(of);
    }
  }

  /** Starts no new trial any more. */
  public void close() {
    phase = phase == Phase.OPEN ? Phase.CLOSING : phase;
  }

  /** Starts no new trial any more, and ends the search if nothing is left to do. */
  public void closeNow() {
    close();
    endIfDone();
  }

  /** Ends the search. */
  public void end() {
    phase = Phase.FINISHED;
  }

  private void removeTask(int of) {
    rungOf[of] = NO_TASK;
    tasks--;
    for (int i = 0; i < interruptions; i++) {
      if (interrupted[i] == of) {
        interrupted[i] = interrupted[--interruptions];
      }
    }
  }

  private int add(int bracket, int in, int of, double loss) {
    RungRanking ranking = rankings[bracket][in];
    int before = ranking.open();
    int index = ranking.add(of, loss, false);
    open += in < lastRung ? ranking.open() - before : 0;
    noteValid(ranking.isValid(index), in);
    if (in == lastRung && trained >= mostTrained) {
      end();
    }
    return index;
  }

  /** Trials that are done are promoted without a task. */
  private void promoteEarly() {
    for (int bracket = 0; bracket < rankings.length && isEarly.length > 0; bracket++) {
      for (int of = bracket; of < lastRung; of++) {
        RungRanking ranking = rankings[bracket][of];
        for (int i = ranking.firstOpen(isEarly); i >= 0; i = ranking.firstOpen(isEarly)) {
          promote(bracket, of, i, of + 1);
        }
      }
    }
  }

  /** Returns the number of tasks that could be issued now, besides interrupted and new ones. */
  public int promotable() {
    int count = isStopping ? 0 : open;
    return count == 0 && rungToFinishFrom() >= 0 ? 1 : count;
  }

  private void endIfDone() {
    if (phase == Phase.CLOSING && tasks == 0 && promotable() == 0) {
      phase = Phase.FINISHED;
    }
  }
}
