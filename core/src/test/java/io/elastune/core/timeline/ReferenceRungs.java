package io.elastune.core.timeline;

import io.elastune.core.plan.RungRule;
import io.elastune.core.search.SearchDecision;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToIntFunction;
import java.util.stream.DoubleStream;

/**
 * A second, slow implementation of asynchronous successive halving and Hyperband on a pool of
 * instances, written from docs/searches.md alone. It keeps lists of objects and searches them again
 * at each event. No trial fails or ends early.
 */
final class ReferenceRungs {
  final List<Task> tasks = new ArrayList<>();
  final double[] releasedS;
  double closingS = Double.NaN;

  private final RungRule rule;
  private final PhaseSizes.Plan pool;
  private final double[] readyS;
  private final PlayedRungs.Model model;
  private final ToIntFunction<Integer> bracketOf;
  private final List<Result> results = new ArrayList<>();
  private final double stopS;
  private final double unitS;
  private double nowS;
  private int begun;

  /** The task of a trial in a rung; in the variant stopping, it continues as the next one. */
  static final class Task {
    int trial;
    int rung;
    int from;
    int instance;
    int firstGpu;
    int gpus;
    int slot;
    double endS;
    boolean ended;
  }

  private record Result(int bracket, int rung, int trial, double loss) {}

  /**
   * @param bracketOf the bracket of a trial
   * @param stopS when the search ends; infinite if it has no such time
   * @param unitS seconds per unit of a new trial
   */
  ReferenceRungs(
      RungRule rule,
      PhaseSizes.Plan pool,
      double[] readyS,
      PlayedRungs.Model model,
      ToIntFunction<Integer> bracketOf,
      double stopS,
      double unitS) {
    this.rule = rule;
    this.pool = pool;
    this.readyS = readyS;
    this.model = model;
    this.bracketOf = bracketOf;
    this.stopS = stopS;
    this.unitS = unitS;
    releasedS = new double[readyS.length];
    Arrays.fill(releasedS, Double.NaN);
  }

  double run() {
    boolean[] isReady = new boolean[readyS.length];
    while (true) {
      int instance = -1;
      for (int i = 0; i < readyS.length; i++) {
        if (!isReady[i] && (instance < 0 || nanos(readyS[i]) < nanos(readyS[instance]))) {
          instance = i;
        }
      }
      Task first =
          running().stream()
              .min(Comparator.<Task>comparingLong(t -> nanos(t.endS)).thenComparing(t -> t.slot))
              .orElse(null);
      boolean boots =
          instance >= 0 && (first == null || nanos(readyS[instance]) <= nanos(first.endS));
      double nextS = boots ? readyS[instance] : first == null ? stopS : first.endS;
      if (Double.isFinite(stopS) && ((first == null && !boots) || nanos(nextS) > nanos(stopS))) {
        nowS = stopS;
        break;
      }
      nowS = nextS;
      if (boots) {
        isReady[instance] = true;
      } else {
        end(first);
      }
      boolean finished = isTrained();
      while (!finished && serve(isReady)) {}
      if (finished || (isClosing() && running().isEmpty() && next() == null)) {
        break;
      }
      release(isReady);
    }
    for (int i = 0; i < releasedS.length; i++) {
      releasedS[i] = Double.isNaN(releasedS[i]) ? nowS : releasedS[i];
    }
    closingS = isClosing() ? closingS : nowS;
    return nowS;
  }

  private static long nanos(double seconds) {
    return Math.round(seconds * 1e9);
  }

  private List<Task> running() {
    return tasks.stream().filter(task -> !task.ended).toList();
  }

  private boolean isClosing() {
    return !Double.isNaN(closingS);
  }

  private boolean isTrained() {
    long trained = results.stream().filter(it -> it.rung() == rule.lastRung()).count();
    return trained >= rule.trained().orElse(Integer.MAX_VALUE);
  }

  private List<Result> ranked(int bracket, int rung) {
    return results.stream()
        .filter(it -> it.bracket() == bracket && it.rung() == rung)
        .sorted(Comparator.comparingDouble(Result::loss).thenComparingInt(Result::trial))
        .toList();
  }

  private void end(Task task) {
    task.ended = true;
    int bracket = bracketOf.applyAsInt(task.trial);
    Result result = new Result(bracket, task.rung, task.trial, model.loss(task.trial, task.rung));
    results.add(result);
    if (rule.variant() == RungRule.Variant.STOPPING && task.rung < rule.lastRung()) {
      List<Result> ranked = ranked(bracket, task.rung);
      if (ranked.indexOf(result) < Math.max(1, ranked.size() / rule.eta())) {
        Task next = new Task();
        next.trial = task.trial;
        next.rung = task.rung + 1;
        next.from = rule.target(task.rung);
        next.instance = task.instance;
        next.firstGpu = task.firstGpu;
        next.gpus = task.gpus;
        next.slot = task.slot;
        next.endS = nowS + model.seconds(train(next), task.gpus, task.instance, false);
        tasks.add(next);
      }
    }
  }

  private SearchDecision.Train train(Task task) {
    return new SearchDecision.Train(task.trial, task.rung, task.from, rule.target(task.rung));
  }

  /** The next task besides that of a new trial; null if there is none. */
  private Task next() {
    if (rule.variant() == RungRule.Variant.STOPPING) {
      return null;
    }
    for (int rung = rule.lastRung() - 1; rung >= 0; rung--) {
      for (int bracket = 0; bracket < rule.brackets(); bracket++) {
        List<Result> ranked = ranked(bracket, rung);
        for (Result result : ranked.subList(0, ranked.size() / rule.eta())) {
          if (isAtItsHighest(result)) {
            return task(result.trial(), rung + 1, rule.target(rung));
          }
        }
      }
    }
    boolean reached = results.stream().anyMatch(it -> it.rung() == rule.lastRung());
    if (!rule.finishBest() || reached || !isClosing() || !running().isEmpty()) {
      return null;
    }
    return results.stream()
        .filter(this::isAtItsHighest)
        .min(
            Comparator.comparingInt(Result::rung)
                .reversed()
                .thenComparingDouble(Result::loss)
                .thenComparingInt(Result::trial))
        .map(it -> task(it.trial(), rule.lastRung(), rule.target(it.rung())))
        .orElse(null);
  }

  /** Whether the trial was not promoted from there. */
  private boolean isAtItsHighest(Result result) {
    return tasks.stream().noneMatch(t -> t.trial == result.trial() && t.rung > result.rung());
  }

  private Task task(int trial, int rung, int from) {
    Task task = new Task();
    task.trial = trial;
    task.rung = rung;
    task.from = rule.fromScratch() ? 0 : from;
    return task;
  }

  private boolean serve(boolean[] isReady) {
    if (!isClosing() && fits(isReady, pool.open().gpus()) && !hasTime()) {
      closingS = nowS;
    }
    int gpus = (isClosing() ? pool.closing() : pool.open()).gpus();
    for (int i = 0; i < readyS.length; i++) {
      for (int firstGpu = 0; firstGpu + gpus <= pool.gpusPerInstance(); firstGpu += gpus) {
        if (isReady[i] && Double.isNaN(releasedS[i]) && isFree(i, firstGpu, gpus)) {
          return start(i, firstGpu, gpus);
        }
      }
    }
    return false;
  }

  private boolean fits(boolean[] isReady, int gpus) {
    for (int i = 0; i < readyS.length; i++) {
      for (int firstGpu = 0; firstGpu + gpus <= pool.gpusPerInstance(); firstGpu += gpus) {
        if (isReady[i] && Double.isNaN(releasedS[i]) && isFree(i, firstGpu, gpus)) {
          return true;
        }
      }
    }
    return false;
  }

  /** The time left allows eta times the units of the longest trial, or all units. */
  private boolean hasTime() {
    int longest = results.stream().mapToInt(it -> rule.target(it.rung())).max().orElse(0);
    int enough = Math.min(rule.eta() * longest, rule.target(rule.lastRung()));
    return Double.isInfinite(stopS) || stopS - nowS >= enough * unitS;
  }

  private boolean isFree(int instance, int firstGpu, int gpus) {
    return running().stream()
        .noneMatch(
            task ->
                task.instance == instance
                    && task.firstGpu < firstGpu + gpus
                    && firstGpu < task.firstGpu + task.gpus);
  }

  private boolean start(int instance, int firstGpu, int gpus) {
    Task task = next();
    boolean mayBegin =
        !isClosing() && running().size() < rule.concurrency().orElse(Integer.MAX_VALUE);
    if (task == null && !mayBegin) {
      return false;
    }
    if (task == null) {
      begun++;
      task = task(begun, bracketOf.applyAsInt(begun), 0);
    }
    task.instance = instance;
    task.firstGpu = firstGpu;
    task.gpus = gpus;
    task.slot = 1 + tasks.stream().mapToInt(one -> one.slot).max().orElse(-1);
    task.endS = nowS + model.seconds(train(task), gpus, instance, true);
    tasks.add(task);
    if (begun == rule.trials() && !isClosing()) {
      closingS = nowS;
    }
    return true;
  }

  private void release(boolean[] isReady) {
    if (pool.hold() || !isClosing()) {
      return;
    }
    int promotable = promotable();
    int left = running().size() + promotable;
    int perInstance = pool.gpusPerInstance() / pool.closing().gpus();
    int kept = Math.min(pool.closing().instances(), (int) Math.ceil(left / (double) perInstance));
    for (int i = readyS.length - 1; i >= 0; i--) {
      int instance = i;
      long held = DoubleStream.of(releasedS).filter(Double::isNaN).count();
      boolean idle = running().stream().noneMatch(task -> task.instance == instance);
      if (held > kept && Double.isNaN(releasedS[i]) && idle && (isReady[i] || promotable == 0)) {
        releasedS[i] = nowS;
      }
    }
  }

  private int promotable() {
    int count = 0;
    for (int bracket = 0; bracket < rule.brackets(); bracket++) {
      for (int rung = 0; rung < rule.lastRung(); rung++) {
        List<Result> ranked = ranked(bracket, rung);
        boolean stops = rule.variant() == RungRule.Variant.STOPPING;
        count +=
            (int)
                ranked.subList(0, stops ? 0 : ranked.size() / rule.eta()).stream()
                    .filter(this::isAtItsHighest)
                    .count();
      }
    }
    return count == 0 && next() != null ? 1 : count;
  }
}
