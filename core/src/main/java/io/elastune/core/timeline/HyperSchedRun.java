package io.elastune.core.timeline;

import io.elastune.core.policy.HyperSchedPolicy;
import io.elastune.core.policy.HyperSchedRule;
import io.elastune.core.policy.MeasuredTimes;
import io.elastune.core.policy.PolicyView;
import io.elastune.core.policy.Width;
import io.elastune.core.policy.WidthSeconds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * HyperSched on a fixed cluster (docs/searches.md, "HyperSched"), for samples of thousands of runs.
 * It follows the same rules as {@link HyperSchedPolicy}, but copies nothing: what trials have
 * reported is noted once, and results are kept in order. A lost instance is replaced at once.
 */
public final class HyperSchedRun implements PolicyRun {
  private static final int NONE = -1;

  private final HyperSchedRule rule;
  private final WidthSeconds seconds;
  private final SearchRun search;
  private final TrialTimes times;
  private final Cluster cluster;
  private final int[] targets;
  private final int narrowest;

  /** By number of GPUs: the largest allowed size that they hold; 0 for none. */
  private final int[] sizes;

  private MeasuredTimes measured = MeasuredTimes.NONE;
  private boolean hasDecided;
  private boolean hasChanged;
  private int issued;
  private int started;
  private int resizes;
  private int preemptions;
  private double longestS;
  private boolean isClosed;
  private double closingLeftS;

  // By rung: the results of trials that have passed it, the finite ones in order, the loss above
  // which a trial is paused, and whether there are new ones.
  private final int[] passed;
  private final double[][] sorted;
  private final int[] finite;
  private final double[] cutOffs;
  private final boolean[] isNew;

  private Trial[] trials = new Trial[0];

  // Trials by number: those that wait, those of them that were interrupted, those that were paused,
  // and those of these that are not behind any more.
  private final BitSet waiting = new BitSet();
  private final BitSet interrupted = new BitSet();
  private final BitSet paused = new BitSet();
  private final BitSet resumable = new BitSet();

  /** Running trials in the order of their starts. */
  private final List<Trial> running = new ArrayList<>();

  private @Nullable Trial ended;

  // The instances that are held; and by their index, whether they are ready, and their GPUs in use.
  private int[] held = new int[8];
  private int heldCount;
  private boolean hasNewInstances;
  private boolean[] isReady = new boolean[8];
  private long[] taken = new long[8];
  private int[] free = new int[8];

  // The decisions of one call.
  private final List<Trial> preempted = new ArrayList<>();
  private final List<Trial> starting = new ArrayList<>();
  private final List<Trial> resized = new ArrayList<>();
  private final BitSet dropped = new BitSet();

  /**
   * The cluster.
   *
   * @param instances those that are requested at the start, and held to the end
   * @param gpus GPUs of each, at most 64
   * @param trials the most trials that start
   * @param timing what the profile says of start-ups and units; the time that is left is not used
   */
  public record Cluster(int instances, int gpus, int trials, PolicyView.Timing timing) {}

  /** A trial that was issued and has not ended. */
  private static final class Trial {
    final Task task;
    boolean hasStarted;

    /** The rungs that it has passed, and its losses there. */
    int rungs;

    final double[] losses;

    /** Its last unit that it has reported. */
    int reported;

    // The last change of its GPUs, and its reports before.
    int changedGpus;
    int changedReports;

    // Of its attempt.
    boolean isEnding;
    boolean isAtUnitEnd;
    int instance;
    long gpus;
    int width;
    int doneBefore;
    double trainedBeforeS;
    int seen;

    Trial(Task task, int rungs) {
      this.task = task;
      losses = new double[rungs];
    }
  }

  /** Creates the policy of a cluster. */
  public HyperSchedRun(
      HyperSchedRule rule,
      WidthSeconds seconds,
      SearchRun search,
      TrialTimes times,
      Cluster cluster) {
    this.rule = rule;
    this.seconds = seconds;
    this.search = search;
    this.times = times;
    this.cluster = cluster;
    targets = rule.targets().stream().mapToInt(Integer::intValue).toArray();
    narrowest = rule.sizes().first();
    sizes = new int[cluster.gpus() + 1];
    for (int gpus = 1; gpus < sizes.length; gpus++) {
      Integer fits = rule.sizes().floor(gpus);
      sizes[gpus] = fits == null ? 0 : fits;
    }
    passed = new int[targets.length];
    sorted = new double[targets.length][16];
    finite = new int[targets.length];
    cutOffs = new double[targets.length];
    isNew = new boolean[targets.length];
  }

  /** Whether no new or paused trial starts any more. */
  public boolean isClosed() {
    return isClosed;
  }

  /** Returns the time that was left when none started any more; 0 before. */
  public double closingLeftS() {
    return closingLeftS;
  }

  /** Returns how many trials were trained to the target of each rung. */
  public int[] passed() {
    return passed.clone();
  }

  @Override
  public int resizes() {
    return resizes;
  }

  @Override
  public int preemptions() {
    return preemptions;
  }

  @Override
  public boolean countsUnits() {
    return true;
  }

  @Override
  public boolean repeatsAtOnce() {
    return false;
  }

  @Override
  public void begin(ManagedCluster managed) {
    measured = MeasuredTimes.NONE;
    hasDecided = false;
    hasChanged = true;
    issued = 0;
    started = 0;
    resizes = 0;
    preemptions = 0;
    longestS = 0;
    isClosed = false;
    closingLeftS = 0;
    Arrays.fill(passed, 0);
    Arrays.fill(finite, 0);
    Arrays.fill(cutOffs, Double.POSITIVE_INFINITY);
    Arrays.fill(isNew, false);
    waiting.clear();
    interrupted.clear();
    paused.clear();
    resumable.clear();
    running.clear();
    hasNewInstances = true;
    for (int i = 0; i < cluster.instances(); i++) {
      managed.request();
    }
  }

  @Override
  public void decide(ManagedCluster managed) {
    if (!hasChanged || (hasDecided && search.isFinished())) {
      return;
    }
    hasChanged = false;
    hasDecided = true;
    issue(managed);
    assign(managed);
  }

  private void issue(ManagedCluster managed) {
    int gpus = cluster.instances() * cluster.gpus();
    while (managed.leftS() > 0
        && search.mayIssue(0)
        && issued < HyperSchedPolicy.lastStartable(cluster.trials(), started, gpus)) {
      var unused = managed.closesNow();
      Task task = managed.issue(0);
      if (task == null) {
        return;
      }
      issued++;
      if (task.trial >= trials.length) {
        trials = Arrays.copyOf(trials, Math.max(task.trial + 1, 2 * trials.length));
      }
      trials[task.trial] = new Trial(task, targets.length);
      waiting.set(task.trial);
    }
  }

  private void assign(ManagedCluster managed) {
    for (Trial trial : running) {
      see(trial, managed);
    }
    PolicyView.Timing timing = timing(managed);
    compareResults();
    layOut(managed);
    pause(timing);
    reserve();
    if (!start(timing)) {
      isClosed |= running.isEmpty() && starting.isEmpty();
      stopRest(timing);
    }
    apply(managed, timing);
  }

  private PolicyView.Timing timing(ManagedCluster managed) {
    PolicyView.Timing profile = cluster.timing();
    return measured.replacing(
        new PolicyView.Timing(managed.leftS(), profile.startupS(), profile.unitS()));
  }

  /** Notes what a running trial has reported since the last decision. */
  private void see(Trial trial, ManagedCluster managed) {
    trial.isAtUnitEnd = false;
    if (trial.isEnding) {
      return;
    }
    int completed = managed.completed(trial.task);
    if (completed != trial.seen) {
      Task task = trial.task;
      boolean showsUnits = trial.width == narrowest;
      measured = measured.withReports(trial.seen, completed, task.startupS, task.unitS, showsUnits);
      report(trial, trial.doneBefore + completed);
      trial.seen = completed;
    }
    trial.isAtUnitEnd = managed.isUnitEnd(trial.task, completed);
  }

  /**
   * Lets a trial have reported each of its units up to one of the task. A unit that it repeats is
   * no other report.
   */
  private void report(Trial trial, int to) {
    if (to <= trial.reported) {
      return;
    }
    double trainedS = trial.trainedBeforeS + (to - trial.doneBefore) * trial.task.unitS;
    longestS = Math.max(longestS, trainedS);
    trial.reported = to;
    while (trial.rungs < targets.length && targets[trial.rungs] <= to) {
      pass(trial, trial.rungs++);
    }
  }

  /** Adds the result of a trial that has passed a rung. */
  private void pass(Trial trial, int rung) {
    double loss = times.loss(trial.task, targets[rung]);
    trial.losses[rung] = loss;
    passed[rung]++;
    isNew[rung] = true;
    if (Double.isFinite(loss)) { // others are behind, but do not count
      int place = finite[rung]++;
      double[] values = sorted[rung];
      if (place == values.length) {
        values = Arrays.copyOf(values, 2 * place);
        sorted[rung] = values;
      }
      while (place > 0 && values[place - 1] > loss) {
        values[place] = values[place - 1];
        place--;
      }
      values[place] = loss;
    }
  }

  private void compareResults() {
    boolean isChanged = false;
    for (int rung = 0; rung < targets.length; rung++) {
      if (isNew[rung]) {
        isNew[rung] = false;
        isChanged = true;
        cutOffs[rung] = rule.cutOff(sorted[rung], finite[rung]);
      }
    }
    if (isChanged) {
      resumable.clear();
      for (int i = paused.nextSetBit(0); i >= 0; i = paused.nextSetBit(i + 1)) {
        if (!isBehind(trials[i])) {
          resumable.set(i);
        }
      }
    }
  }

  /** Whether a trial is behind the cut-off of a rung that it has passed. */
  private boolean isBehind(Trial trial) {
    for (int rung = 0; rung < trial.rungs; rung++) {
      if (!(trial.losses[rung] <= cutOffs[rung])) {
        return true;
      }
    }
    return false;
  }

  private double lastLoss(Trial trial) {
    return trial.reported == 0 ? Double.NaN : times.loss(trial.task, trial.reported);
  }

  /** Notes which GPUs are in use now. */
  private void layOut(ManagedCluster managed) {
    if (hasNewInstances) {
      hasNewInstances = false;
      hold(managed);
    }
    Arrays.fill(taken, 0, heldCount, 0);
    Arrays.fill(free, 0, heldCount, cluster.gpus());
    for (Trial trial : running) {
      take(index(trial.instance), trial.gpus, trial.width);
    }
  }

  private void hold(ManagedCluster managed) {
    int requested = managed.requested();
    if (requested > held.length) {
      held = Arrays.copyOf(held, 2 * requested);
      isReady = Arrays.copyOf(isReady, 2 * requested);
      taken = Arrays.copyOf(taken, 2 * requested);
      free = Arrays.copyOf(free, 2 * requested);
    }
    heldCount = 0;
    for (int number = 0; number < requested; number++) {
      Instance instance = managed.instance(number);
      if (instance.isHeld) {
        held[heldCount] = number;
        isReady[heldCount++] = instance.isReady;
      }
    }
  }

  private int index(int instance) {
    int index = 0;
    while (held[index] != instance) {
      index++;
    }
    return index;
  }

  private void take(int index, long gpus, int count) {
    taken[index] |= gpus;
    free[index] -= count;
  }

  private int mostFree() {
    int most = 0;
    for (int i = 0; i < heldCount; i++) {
      most = Math.max(most, free[i]);
    }
    return most;
  }

  /** Returns the index of a ready instance if possible, with the fewest free GPUs that suffice. */
  private int find(int gpus) {
    int best = NONE;
    for (int i = 0; i < heldCount; i++) {
      boolean fits = free[i] >= gpus;
      if (fits
          && (best == NONE || (isReady[i] == isReady[best] ? free[i] < free[best] : isReady[i]))) {
        best = i;
      }
    }
    return best;
  }

  /** Takes the first free GPUs of an instance, and returns them. */
  private long takeFirst(int index, int gpus) {
    long first = 0;
    long in = taken[index];
    int count = 0;
    for (int gpu = 0; count < gpus; gpu++) {
      long bit = 1L << gpu;
      if ((in & bit) == 0) {
        first |= bit;
        count++;
      }
    }
    take(index, first, gpus);
    return first;
  }

  private void pause(PolicyView.Timing timing) {
    for (Trial trial : running) {
      if (trial.isAtUnitEnd && !trial.isEnding && isBehind(trial) && !isLastOne(trial, timing)) {
        paused.set(trial.task.trial);
        preempted.add(trial);
      }
    }
  }

  /** Whether the GPUs would be idle without a trial: no other one trains, and none may start. */
  private boolean isLastOne(Trial trial, PolicyView.Timing timing) {
    for (Trial other : running) {
      if (other != trial && !paused.get(other.task.trial)) {
        return false;
      }
    }
    int next = next();
    return next == NONE || (!interrupted.get(next) && !admits(timing));
  }

  private boolean admits(PolicyView.Timing timing) {
    return rule.admits(timing.leftS(), longestS, timing.unitS());
  }

  /** Trials that change their GPUs keep those that they will use. */
  private void reserve() {
    for (Trial trial : running) {
      if (trial.isEnding && !paused.get(trial.task.trial)) {
        int gpus = gpus(trial) - trial.width;
        int index = gpus > 0 ? find(gpus) : NONE;
        if (index != NONE) {
          takeFirst(index, gpus);
        }
      }
    }
  }

  private int gpus(Trial trial) {
    return trial.changedGpus == 0 ? narrowest : trial.changedGpus;
  }

  /**
   * The next trial: an interrupted one, then a paused one that is no longer behind, then a new one.
   */
  private int next() {
    int first = interrupted.nextSetBit(0);
    if (first >= 0 || isClosed) {
      return first >= 0 ? first : NONE;
    }
    int best = NONE;
    for (int i = resumable.nextSetBit(0); i >= 0; i = resumable.nextSetBit(i + 1)) {
      if (waiting.get(i) && (best == NONE || resumesBefore(trials[i], trials[best]))) {
        best = i;
      }
    }
    for (int i = waiting.nextSetBit(0); i >= 0 && best == NONE; i = waiting.nextSetBit(i + 1)) {
      best = trials[i].hasStarted ? NONE : i;
    }
    return best;
  }

  /** Whether a trial resumes before another one with a lower number. */
  private boolean resumesBefore(Trial trial, Trial other) {
    return trial.rungs != other.rungs
        ? trial.rungs > other.rungs
        : Double.compare(lastLoss(trial), lastLoss(other)) < 0;
  }

  /** Starts trials while GPUs are free, and returns whether one is left that may start. */
  private boolean start(PolicyView.Timing timing) {
    for (int next = next(); next != NONE; next = next()) {
      int most = mostFree();
      if (most == 0) {
        return true; // nothing is refused before there are GPUs for it
      }
      Trial trial = trials[next];
      boolean isInterrupted = interrupted.get(next);
      if (!isInterrupted && !admits(timing)) {
        isClosed = true;
        continue;
      }
      int fits = sizes[Math.min(isInterrupted ? gpus(trial) : narrowest, most)];
      int index = fits == 0 ? NONE : find(fits);
      if (index == NONE || !isReady[index]) {
        return true;
      }
      trial.instance = held[index];
      trial.gpus = takeFirst(index, fits);
      trial.width = fits;
      trial.isEnding = false;
      waiting.clear(next);
      interrupted.clear(next);
      paused.clear(next);
      resumable.clear(next);
      change(trial, fits);
      starting.add(trial);
    }
    return false;
  }

  private static void change(Trial trial, int gpus) {
    trial.changedGpus = gpus;
    trial.changedReports = trial.reported;
  }

  /** Once no trial starts any more, the others are stopped, and the GPUs are divided. */
  private void stopRest(PolicyView.Timing timing) {
    if (isClosed) {
      dropped.or(waiting);
      dropped.andNot(interrupted);
    }
    reallocate(timing);
  }

  /** Divides the GPUs among the trials that run, the best ones first. */
  private void reallocate(PolicyView.Timing timing) {
    if (mostFree() == 0) {
      return;
    }
    List<Trial> live = new ArrayList<>(running.size());
    for (Trial trial : running) {
      if (!paused.get(trial.task.trial)) {
        int place = live.size();
        while (place > 0 && comesFirst(trial, live.get(place - 1))) {
          place--;
        }
        live.add(place, trial);
      }
    }
    int gpus = heldCount * cluster.gpus();
    for (int i = 0; i < live.size(); i++) {
      Trial trial = live.get(i);
      if (trial.isAtUnitEnd && !trial.isEnding) {
        resize(trial, gpus / live.size() + (i < gpus % live.size() ? 1 : 0), timing);
      }
    }
  }

  private boolean comesFirst(Trial trial, Trial other) {
    int order = Double.compare(lastLoss(trial), lastLoss(other));
    return order < 0 || (order == 0 && trial.task.trial < other.task.trial);
  }

  private void resize(Trial trial, int share, PolicyView.Timing timing) {
    int own = index(trial.instance);
    taken[own] &= ~trial.gpus;
    free[own] += trial.width;
    int fits = sizes[Math.min(share, mostFree())];
    boolean changes = fits > 0 && fits != trial.width && mayChange(trial, fits, timing);
    int index = changes ? find(fits) : NONE;
    if (index != NONE && isReady[index]) {
      takeFirst(index, fits);
      change(trial, fits);
      resized.add(trial);
    } else {
      take(own, trial.gpus, trial.width);
    }
  }

  /** Shrinking is always accepted. */
  private boolean mayChange(Trial trial, int gpus, PolicyView.Timing timing) {
    double speedUp = seconds.perUnit(Width.of(trial.width)) / seconds.perUnit(Width.of(gpus));
    return gpus < trial.width
        || (trial.reported - trial.changedReports >= rule.resizeAfter()
            && rule.grows(speedUp, timing.leftS(), timing.startupS()));
  }

  private void apply(ManagedCluster managed, PolicyView.Timing timing) {
    closingLeftS = isClosed && closingLeftS == 0 ? timing.leftS() : closingLeftS;
    boolean isFull = mostFree() == 0;
    for (Trial trial : preempted) {
      preemptions++;
      stop(trial, managed);
    }
    preempted.clear();
    for (Trial trial : starting) {
      start(trial, managed);
    }
    starting.clear();
    for (int i = dropped.nextSetBit(0); i >= 0; i = dropped.nextSetBit(i + 1)) {
      waiting.clear(i);
      managed.drop(trials[i].task);
    }
    dropped.clear();
    for (Trial trial : resized) {
      resizes++;
      stop(trial, managed);
    }
    resized.clear();
    watch(isFull, managed);
  }

  private static void stop(Trial trial, ManagedCluster managed) {
    managed.stop(trial.task);
    trial.isEnding = true;
  }

  private void start(Trial trial, ManagedCluster managed) {
    Task task = trial.task;
    started += trial.hasStarted ? 0 : 1;
    trial.hasStarted = true;
    trial.doneBefore = task.done;
    trial.trainedBeforeS = task.trainedS;
    trial.seen = 0;
    running.add(trial);
    Instance instance = managed.instance(trial.instance);
    managed.start(task, instance, Long.numberOfTrailingZeros(trial.gpus), trial.width, 1);
  }

  /** While all GPUs are in use, only new results and trials that are behind change anything. */
  private void watch(boolean isFull, ManagedCluster managed) {
    for (Trial trial : running) {
      if (!trial.isEnding) {
        int unit = trial.doneBefore + trial.seen + 1;
        managed.watch(
            trial.task, (isFull && !isBehind(trial) ? nextTarget(unit) : unit) - trial.doneBefore);
      }
    }
  }

  private int nextTarget(int unit) {
    for (int target : targets) {
      if (target >= unit) {
        return target;
      }
    }
    return Integer.MAX_VALUE;
  }

  @Override
  public void ready(Instance instance) {
    hasNewInstances = true;
    hasChanged = true;
  }

  @Override
  public void unitEnded(Task task) {
    hasChanged = true;
  }

  /** It reports its last unit before it ends. */
  @Override
  public void ends(Task task, ManagedCluster managed) {
    assign(managed);
  }

  @Override
  public void ended(Task task) {
    hasChanged = true;
    Trial trial = trials[task.trial];
    running.remove(trial);
    ended = trial;
  }

  @Override
  public boolean waits(Task task) {
    Trial trial = Objects.requireNonNull(ended);
    report(trial, task.done);
    waiting.set(task.trial);
    if (!paused.get(task.trial)) {
      interrupted.set(task.trial);
    }
    return true;
  }

  @Override
  public void lost(Instance instance, ManagedCluster managed) {
    hasNewInstances = true;
    hasChanged = true;
    managed.replace(instance);
  }
}
