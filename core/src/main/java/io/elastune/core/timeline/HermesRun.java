package io.elastune.core.timeline;

import io.elastune.core.policy.Convergence;
import io.elastune.core.policy.HermesRule;
import io.elastune.core.policy.PolicyView;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Hermes on a fixed cluster (docs/searches.md, "Hermes"), for samples of thousands of runs. It
 * follows the same rules as {@link io.elastune.core.policy.HermesPolicy}, but an event takes
 * logarithmic time: only the trials of one GPU are compared, and nothing is copied. How fast trials
 * converge that wait does not change, so a running trial is played ahead to the first slice at
 * whose end another one comes first; it matters only when trials are placed. A lost instance is
 * replaced at once, and its trials are placed again.
 */
public final class HermesRun implements PolicyRun {
  private static final int NONE = -1;

  /** The next slice of a trial that is not compared. */
  private static final int NEVER = Integer.MAX_VALUE;

  private final HermesRule rule;
  private final SearchRun search;
  private final TrialTimes times;
  private final int instances;
  private final int gpusPerInstance;
  private Supplier<List<Begun>> begun = List::of;

  // By GPU, counted over all instances that were requested: its trials, the one that runs, and
  // whether the instance is held and ready.
  private int[][] trialsOn = {};
  private int[] placedOn = {};
  private boolean[] isHeld = {};
  private boolean[] isReady = {};
  private @Nullable Task[] running = {};
  private int gpus;

  /** The GPUs on which a trial may start now. */
  private final BitSet free = new BitSet();

  private boolean hasFree;

  private Trial[] trials = {};

  /** The trials that have no GPU and have not ended. */
  private final BitSet unplaced = new BitSet();

  private int placed;
  private int shared;

  /** Whether no GPU is shared any more since the last decision. */
  private boolean hasEndedSharing;

  private int held;
  private int preemptions;

  /** The task that has completed a slice just now. */
  private @Nullable Task atSlice;

  /**
   * A task in progress when the timeline begins.
   *
   * @param gpu its GPU, counted over all instances; negative for none
   * @param reports those of its trial, at least two; or none
   */
  public record Begun(Task task, int gpu, List<PolicyView.Report> reports) {
    /** A task with reports. */
    public Begun {
      reports = List.copyOf(reports);
    }
  }

  /** A trial of the group. */
  private static final class Trial {
    final Task task;
    int gpu = NONE;
    boolean isWaiting = true;
    boolean hasCompletedSlice;

    /** The unit up to which it has been compared; it may repeat some of these. */
    int comparedUnit;

    /** How often it has repeated units because its last checkpoint was torn. */
    int repeated;

    double firstLoss;
    double firstS = Double.NaN;
    double lastLoss;
    double lastS;

    /** How fast it converges. */
    double rate = Double.POSITIVE_INFINITY;

    /** The units after the slice at whose end it is compared next, or {@link #NEVER}. */
    int nextSlice = NEVER;

    // What it has reported at the end of a later slice, to which it was played ahead.
    int aheadSlice = NEVER;
    double aheadRate;
    double aheadLoss;
    double aheadS;

    Trial(Task task) {
      this.task = task;
    }
  }

  /**
   * Creates the policy of a cluster.
   *
   * @param instances those that are requested at the start, and held to the end
   */
  public HermesRun(
      HermesRule rule, SearchRun search, TrialTimes times, int instances, int gpusPerInstance) {
    this.rule = rule;
    this.search = search;
    this.times = times;
    this.instances = instances;
    this.gpusPerInstance = gpusPerInstance;
  }

  /**
   * Lets it begin with a search in progress. The tasks that were issued wait.
   *
   * @param tasks returns the tasks that have not ended, after the begin of the search
   */
  public HermesRun from(Supplier<List<Begun>> tasks) {
    begun = tasks;
    return this;
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
  public void begin(ManagedCluster cluster) {
    gpus = 0;
    held = 0;
    placed = 0;
    shared = 0;
    hasEndedSharing = false;
    preemptions = 0;
    atSlice = null;
    trials = new Trial[0];
    unplaced.clear();
    free.clear();
    hasFree = false;
    for (int i = 0; i < instances; i++) {
      request(cluster, null);
    }
    for (Begun task : begun.get()) {
      add(task, cluster);
    }
  }

  private void add(Begun one, ManagedCluster cluster) {
    add(one.task());
    Trial trial = trial(one.task());
    List<PolicyView.Report> reports = one.reports();
    if (!reports.isEmpty()) {
      Convergence convergence = new Convergence(rule);
      trial.firstLoss = reports.get(0).loss();
      trial.firstS = reports.get(0).trainedS();
      trial.rate = convergence.of(reports);
      trial.hasCompletedSlice = trial.rate < Double.POSITIVE_INFINITY;
      trial.comparedUnit = trial.hasCompletedSlice ? convergence.lastCompared(reports).unit() : 0;
      trial.lastLoss = convergence.lastCompared(reports).loss();
      trial.lastS = convergence.lastCompared(reports).trainedS();
    }
    if (one.gpu() >= 0 && placedOn[one.gpu()] < rule.jobsPerGpu()) {
      unplaced.clear(one.task().trial);
      place(one.task().trial, one.gpu(), cluster);
    }
  }

  private void request(ManagedCluster cluster, @Nullable Instance lost) {
    reserve(gpus + gpusPerInstance);
    for (int gpu = gpus; gpu < gpus + gpusPerInstance; gpu++) {
      placedOn[gpu] = 0;
      isHeld[gpu] = true;
      isReady[gpu] = false;
      running[gpu] = null;
    }
    gpus += gpusPerInstance;
    held += gpusPerInstance;
    if (lost == null) {
      cluster.request();
    } else {
      cluster.replace(lost);
    }
  }

  private void reserve(int room) {
    int before = placedOn.length;
    if (room > before) {
      int most = Math.max(room, 2 * before);
      trialsOn = Arrays.copyOf(trialsOn, most);
      for (int gpu = before; gpu < most; gpu++) {
        trialsOn[gpu] = new int[rule.jobsPerGpu()];
      }
      placedOn = Arrays.copyOf(placedOn, most);
      isHeld = Arrays.copyOf(isHeld, most);
      isReady = Arrays.copyOf(isReady, most);
      running = Arrays.copyOf(running, most);
    }
  }

  @Override
  public void decide(ManagedCluster cluster) {
    while (search.mayIssue(0)) {
      Task task = cluster.issue(0);
      if (task == null) {
        break;
      }
      add(task);
    }
    place(cluster);
    Task compared = atSlice;
    if (compared != null) {
      atSlice = null;
      compare(compared, cluster);
    }
    if (hasFree) {
      for (int gpu = free.nextSetBit(0); gpu >= 0; gpu = free.nextSetBit(gpu + 1)) {
        start(gpu, cluster);
      }
      free.clear();
      hasFree = false;
    }
    if (hasEndedSharing) {
      hasEndedSharing = false;
      endComparisons(cluster);
    }
  }

  /** Adds a task of the group in progress; its first one has the lowest number. */
  private void add(Task task) {
    int trial = task.trial;
    if (trial >= trials.length) {
      trials = Arrays.copyOf(trials, Math.max(trial + 1, 2 * trials.length));
    }
    trials[trial] = new Trial(task);
    unplaced.set(trial);
  }

  private Trial trial(Task task) {
    return trials[task.trial];
  }

  /** Places trials, in the order of their numbers, on the first GPUs that have the fewest. */
  private void place(ManagedCluster cluster) {
    if (placed >= held * rule.jobsPerGpu()) {
      return;
    }
    int trial = unplaced.nextSetBit(0);
    while (trial >= 0 && placed < held * rule.jobsPerGpu()) {
      unplaced.clear(trial);
      int least = NONE;
      for (int gpu = 0; gpu < gpus; gpu++) {
        if (isHeld[gpu] && (least == NONE || placedOn[gpu] < placedOn[least])) {
          least = gpu;
        }
      }
      place(trial, least, cluster);
      trial = unplaced.nextSetBit(trial + 1);
    }
  }

  private void place(int trial, int gpu, ManagedCluster cluster) {
    trialsOn[gpu][placedOn[gpu]++] = trial;
    trials[trial].gpu = gpu;
    shared += placedOn[gpu] == 2 ? 1 : 0;
    placed++;
    mayStart(gpu);
    Task present = running[gpu];
    if (present != null && present != atSlice) { // the latter is compared next
      Trial rival = trial(present);
      completeSlices(rival, present.done + cluster.completed(present));
      playAhead(rival, cluster);
    }
  }

  private void mayStart(int gpu) {
    if (isReady[gpu] && running[gpu] == null) {
      free.set(gpu);
      hasFree = true;
    }
  }

  private void displace(int trial) {
    int gpu = trials[trial].gpu;
    int[] on = trialsOn[gpu];
    int index = 0;
    while (on[index] != trial) {
      index++;
    }
    on[index] = on[--placedOn[gpu]];
    if (placedOn[gpu] == 1) {
      shared--;
      hasEndedSharing |= shared == 0;
    }
    placed--;
  }

  /** Ends a running trial at the end of a slice if another one on its GPU comes first. */
  private void compare(Task task, ManagedCluster cluster) {
    Trial trial = trial(task);
    int unit = task.done + cluster.completed(task);
    if (unit <= trial.comparedUnit) {
      watch(task, unit, cluster);
      return;
    }
    completeSlices(trial, unit);
    int other = first(trial.gpu);
    if (other != NONE && trials[other].rate > trial.rate) {
      preemptions++;
      cluster.stop(task);
    } else {
      watch(task, unit, cluster);
    }
  }

  /** Notes what a running trial has reported at the ends of the slices up to a unit. */
  private void completeSlices(Trial trial, int unit) {
    if (trial.aheadSlice <= unit) {
      noteFirstOfAttempt(trial);
      trial.hasCompletedSlice = true;
      trial.rate = trial.aheadRate;
      trial.lastLoss = trial.aheadLoss;
      trial.lastS = trial.aheadS;
      trial.comparedUnit = trial.aheadSlice;
      trial.nextSlice = trial.aheadSlice + rule.sliceUnits();
      trial.aheadSlice = NEVER;
    }
    int last = trial.task.units() - 1;
    while (trial.nextSlice <= unit && trial.nextSlice <= last) {
      if (trial.nextSlice > trial.comparedUnit) {
        completeSlice(trial, trial.nextSlice);
      }
      trial.nextSlice += rule.sliceUnits();
    }
  }

  private void completeSlice(Trial trial, int unit) {
    if (!trial.hasCompletedSlice) {
      noteFirstOfAttempt(trial);
      trial.hasCompletedSlice = true;
      trial.lastLoss = trial.firstLoss;
      trial.lastS = trial.firstS;
    }
    double loss = times.loss(trial.task, unit);
    double atS = trainedS(trial.task, unit);
    trial.rate = rule.rate(trial.firstLoss, trial.lastLoss - loss, atS - trial.lastS);
    trial.lastLoss = loss;
    trial.lastS = atS;
    trial.comparedUnit = unit;
  }

  private static double trainedS(Task task, int unit) {
    return task.trainedS + (unit - task.done) * task.unitS;
  }

  private void noteFirstOfAttempt(Trial trial) {
    Task task = trial.task;
    noteFirst(trial, task.trainedS + (1 - task.done) * task.unitS);
  }

  /** Notes the first report of a trial, unless it is known. */
  private void noteFirst(Trial trial, double trainedS) {
    if (Double.isNaN(trial.firstS)) {
      trial.firstS = trainedS;
      trial.firstLoss = times.loss(trial.task, 1);
    }
  }

  /** Returns the waiting trial of a GPU that comes first. */
  private int first(int gpu) {
    int[] on = trialsOn[gpu];
    int count = placedOn[gpu];
    int first = NONE;
    double fastest = 0;
    for (int i = 0; i < count; i++) {
      int number = on[i];
      Trial trial = trials[number];
      if (trial.isWaiting) {
        double rate = trial.rate;
        if (first == NONE || rate > fastest || (rate == fastest && number < first)) {
          first = number;
          fastest = rate;
        }
      }
    }
    return first;
  }

  private void start(int gpu, ManagedCluster cluster) {
    int first = isReady[gpu] && running[gpu] == null ? first(gpu) : NONE;
    if (first == NONE) {
      return;
    }
    Trial trial = trials[first];
    trial.isWaiting = false;
    running[gpu] = trial.task;
    Instance instance = cluster.instance(gpu / gpusPerInstance);
    cluster.start(trial.task, instance, gpu % gpusPerInstance, 1);
    watch(trial.task, trial.task.done, cluster);
  }

  /** Watches the end of the slice after which another trial runs, if trials share GPUs. */
  private void watch(Task task, int unit, ManagedCluster cluster) {
    Trial trial = trial(task);
    trial.aheadSlice = NEVER;
    if (shared > 0) {
      int slice = rule.sliceUnits();
      trial.nextSlice = (unit / slice + 1) * slice;
      playAhead(trial, cluster);
    } else {
      trial.nextSlice = NEVER;
    }
  }

  /** Watches the first slice at whose end a waiting trial of its GPU comes before a running one. */
  private void playAhead(Trial trial, ManagedCluster cluster) {
    if (trial.nextSlice == NEVER) {
      return;
    }
    Task task = trial.task;
    trial.aheadSlice = NEVER;
    int other = first(trial.gpu);
    if (other == NONE) {
      cluster.watch(task, 0);
      return;
    }
    double rival = trials[other].rate;
    double firstS = task.trainedS + (1 - task.done) * task.unitS;
    boolean isFirstKnown = !Double.isNaN(trial.firstS);
    double firstLoss = isFirstKnown ? trial.firstLoss : times.loss(task, 1);
    double lastLoss = trial.hasCompletedSlice ? trial.lastLoss : firstLoss;
    double lastS = trial.hasCompletedSlice ? trial.lastS : isFirstKnown ? trial.firstS : firstS;
    int last = task.units() - 1;
    for (int unit = trial.nextSlice; unit <= last; unit += rule.sliceUnits()) {
      if (unit <= trial.comparedUnit) {
        continue; // it is repeated
      }
      double loss = times.loss(task, unit);
      double atS = trainedS(task, unit);
      double rate = rule.rate(firstLoss, lastLoss - loss, atS - lastS);
      if (rival > rate) {
        trial.aheadSlice = unit;
        trial.aheadRate = rate;
        trial.aheadLoss = loss;
        trial.aheadS = atS;
        cluster.watch(task, unit - task.done);
        return;
      }
      lastLoss = loss;
      lastS = atS;
    }
    cluster.watch(task, 0);
  }

  /** Where no trials share GPUs any more, those that run complete only the present slice. */
  private void endComparisons(ManagedCluster cluster) {
    for (int gpu = 0; gpu < gpus && shared == 0; gpu++) {
      Task task = running[gpu];
      if (task != null && trial(task).nextSlice != NEVER) {
        Trial trial = trial(task);
        completeSlices(trial, task.done + cluster.completed(task));
        trial.aheadSlice = NEVER;
        cluster.watch(task, trial.nextSlice - task.done);
      }
    }
  }

  @Override
  public void ready(Instance instance) {
    int first = instance.number * gpusPerInstance;
    for (int gpu = first; gpu < first + gpusPerInstance; gpu++) {
      isReady[gpu] = true;
      mayStart(gpu);
    }
  }

  @Override
  public void unitEnded(Task task) {
    atSlice = task;
  }

  @Override
  public void ended(Task task) {
    int gpu = trial(task).gpu;
    running[gpu] = null;
    mayStart(gpu);
  }

  @Override
  public void completed(Task task) {
    displace(task.trial);
  }

  @Override
  public void interrupts(Task task, int completed) {
    Trial trial = trial(task);
    completeSlices(trial, task.done + completed);
    trial.nextSlice = NEVER;
    trial.aheadSlice = NEVER;
  }

  @Override
  public boolean waits(Task task) {
    Trial trial = trial(task);
    trial.isWaiting = true;
    if (task.done > 0) {
      noteFirst(trial, task.trainedS - (task.done - 1) * task.unitS);
    }
    if (task.repeated > trial.repeated) { // it has reported its last unit
      trial.repeated = task.repeated;
      if (task.units() % rule.sliceUnits() == 0 && task.units() > trial.comparedUnit) {
        completeSlice(trial, task.units());
      }
    }
    return true;
  }

  @Override
  public void lost(Instance instance, ManagedCluster cluster) {
    int first = instance.number * gpusPerInstance;
    for (int gpu = first; gpu < first + gpusPerInstance; gpu++) {
      isHeld[gpu] = false;
      isReady[gpu] = false;
      while (placedOn[gpu] > 0) {
        int trial = trialsOn[gpu][0];
        displace(trial);
        unplaced.set(trial);
      }
    }
    held -= gpusPerInstance;
    request(cluster, instance);
  }
}
