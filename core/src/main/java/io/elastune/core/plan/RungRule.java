package io.elastune.core.plan;

import io.elastune.core.Preconditions;
import io.elastune.core.field.Word;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * The rules of a search made of rungs: trial groups without a barrier (docs/searches.md, "ASHA").
 * Trials enter a rung one by one, and the best of those that have reached it are promoted.
 *
 * <p>With several brackets, trials of bracket b start at rung b, and are compared with those of
 * their bracket only.
 *
 * @param targets the units at which the trials of each rung are compared, ascending
 * @param trials the most trials that are started; {@link #UNLIMITED} without a limit of their own
 * @param eta one in {@code eta} results of a rung is promoted
 * @param variant what happens to a trial that reaches the target of a rung
 * @param finishBest whether one trial is trained to the last target even if none was promoted to it
 * @param concurrency the most trials that run when a new one starts; empty for no limit
 * @param trained trials at the last target after which the search ends; empty for no such limit
 * @param fromScratch whether a promoted trial is trained from unit 0 again, because it cannot
 *     resume
 * @param brackets brackets of asynchronous Hyperband; 1 without
 * @param time when the search ends; empty if its other limits end it
 */
@RecordBuilder
public record RungRule(
    List<Integer> targets,
    int trials,
    int eta,
    Variant variant,
    boolean finishBest,
    OptionalInt concurrency,
    OptionalInt trained,
    boolean fromScratch,
    int brackets,
    Optional<TimeLimit> time) {
  /** The most trials of any search: a search without a limit of its own starts no more. */
  public static final int UNLIMITED = 100_000;

  /** The trials that differ in a prediction of a search without a limit; later ones repeat them. */
  private static final int DRAWN = 1_024;

  /** Assumed correlation of the metrics of a trial in two rungs: not measured. */
  public static final double ASSUMED_RANK_CORRELATION = 0.9;

  /**
   * When a search ends.
   *
   * @param seconds from the start of the run; empty for its deadline
   * @param unitS seconds per unit of a new trial in the plan; 0 before there is one
   */
  public record TimeLimit(OptionalDouble seconds, double unitS) {
    /** Creates a limit before there is a plan. */
    public TimeLimit(OptionalDouble seconds) {
      this(seconds, 0);
    }
  }

  /** What happens to a trial that reaches the target of a rung. */
  public enum Variant implements Word {
    /** It ends, and continues when it is among the best of its rung. */
    PROMOTION,
    /** It continues at once if it is among the best so far, and is discarded otherwise. */
    STOPPING
  }

  public RungRule {
    targets = List.copyOf(targets);
    Preconditions.that(targets.size() > 1, "a search of rungs has at least two rungs");
    for (int rung = 0; rung < targets.size(); rung++) {
      int before = rung == 0 ? 0 : targets.get(rung - 1);
      Preconditions.atLeast("target", before + 1, targets.get(rung));
    }
    Preconditions.atLeast("trials", 1, trials);
    Preconditions.atLeast("eta", 2, eta);
    concurrency.ifPresent(most -> Preconditions.atLeast("concurrency", 1, most));
    trained.ifPresent(most -> Preconditions.atLeast("trained", 1, most));
    Preconditions.atLeast("brackets", 1, brackets);
    Preconditions.that(
        brackets <= targets.size(), "brackets must be at most the rungs, not " + brackets);
  }

  /** Creates the rules of a search with one bracket. */
  public RungRule(
      List<Integer> targets,
      int trials,
      int eta,
      Variant variant,
      boolean finishBest,
      OptionalInt concurrency,
      OptionalInt trained,
      boolean fromScratch) {
    this(
        targets,
        trials,
        eta,
        variant,
        finishBest,
        concurrency,
        trained,
        fromScratch,
        1,
        Optional.empty());
  }

  /** Returns the index of the last rung. */
  public int lastRung() {
    return targets.size() - 1;
  }

  /** Returns the target of {@code rung}. */
  public int target(int rung) {
    return targets.get(rung);
  }

  /** Returns the rung to whose target a trial is trained in {@code unit}. */
  public int rungAt(int unit) {
    int rung = 0;
    while (rung < lastRung() && target(rung) < unit) {
      rung++;
    }
    return rung;
  }

  /**
   * Returns the units that a trial has completed when its task in {@code rung} starts.
   *
   * @param bracket the bracket of the trial, which is also its first rung
   */
  public int fromUnit(int bracket, int rung) {
    return rung == bracket || fromScratch ? 0 : targets.get(rung - 1);
  }

  /** Whether each trial is one task up to the last target. */
  public boolean isStopping() {
    return variant == Variant.STOPPING;
  }

  /** Returns how the trials are divided among the brackets. */
  public BracketShares shares() {
    return new BracketShares(brackets, targets.size(), eta);
  }

  /** Returns the most new trials of each bracket. */
  public List<Integer> newTrials() {
    BracketShares shares = shares();
    return IntStream.range(0, brackets)
        .mapToObj(bracket -> shares.trials(bracket, trials))
        .toList();
  }

  /** Returns the name of {@code rung} on screens. */
  public static String name(int rung) {
    return "r" + rung;
  }

  /** Returns the rungs as trial groups with all drawn trials each, for a prediction. */
  public List<TrialGroup> rungs() {
    return IntStream.range(0, targets.size())
        .mapToObj(rung -> group(name(rung), rung == 0 ? 0 : targets.get(rung - 1), rung))
        .toList();
  }

  /**
   * Returns the first tasks of the brackets after the first one as trial groups, for the draws of a
   * prediction.
   */
  public List<TrialGroup> laterStarts() {
    return IntStream.range(1, brackets)
        .mapToObj(bracket -> group("b" + bracket, 0, bracket))
        .toList();
  }

  private TrialGroup group(String name, int from, int rung) {
    return new TrialGroup(name, drawnTrials(), from, target(rung), fromScratch);
  }

  /** Returns the same rules with other brackets. */
  public RungRule withBrackets(int other) {
    return RungRuleBuilder.builder(this).brackets(other).build();
  }

  /** Returns the seconds per unit of a new trial in the plan; 0 without a plan or a time. */
  public double newUnitS() {
    return time.map(TimeLimit::unitS).orElse(0.0);
  }

  /** Returns the same rules for a search that ends at a time. */
  public RungRule withTime(Optional<TimeLimit> other) {
    return RungRuleBuilder.builder(this).time(other).build();
  }

  /** Returns the same rules for trials that can resume, or cannot. */
  RungRule resumable(boolean resumable) {
    return RungRuleBuilder.builder(this).fromScratch(!resumable).build();
  }

  /** Whether the number of trials is limited, and not only by other limits of the search. */
  public boolean limitsTrials() {
    return trials < UNLIMITED;
  }

  /** Returns the number of trials that differ in a prediction. */
  public int drawnTrials() {
    return limitsTrials() ? trials : DRAWN;
  }

  /**
   * Returns when the search ends in any case, in seconds from the start of the run; empty if it has
   * no such limit.
   *
   * @param deadlineS the deadline of the run
   */
  public OptionalDouble endS(OptionalDouble deadlineS) {
    return time.isEmpty() || time.get().seconds().isPresent()
        ? time.map(TimeLimit::seconds).orElse(OptionalDouble.empty())
        : deadlineS;
  }

  /**
   * Returns the most unfinished tasks on a cluster that a policy divides.
   *
   * @param gpus GPUs of the cluster
   */
  public int mostTasks(int gpus) {
    return concurrency.orElse(gpus);
  }
}
