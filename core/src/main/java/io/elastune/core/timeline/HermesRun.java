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
 * logarithmic time: only the trials of one GPU are compared, and nothing is copied. A lost instance
 * is replaced at once, and its trials are placed again.
 */
public final class HermesRun implements PolicyRun {
  private static final int NONE = -1;

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
      add(task);
    }
  }

  private void add(Begun one) {
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
      place(one.task().trial, one.gpu());
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
    place();
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
  private void place() {
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
      place(trial, least);
      trial = unplaced.nextSetBit(trial + 1);
    }
  }

  private void place(int trial, int gpu) {
    trialsOn[gpu][placedOn[gpu]++] = trial;
    trials[trial].gpu = gpu;
    shared += placedOn[gpu] == 2 ? 1 : 0;
    placed++;
    mayStart(gpu);
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
    shared -= placedOn[gpu] == 1 ? 1 : 0;
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
    completeSlice(trial, unit);
    int other = first(trial.gpu);
    if (other != NONE && trials[other].rate > trial.rate) {
      preemptions++;
      cluster.stop(task);
    } else {
      watch(task, unit, cluster);
    }
  }

  private void completeSlice(Trial trial, int unit) {
    Task task = trial.task;
    if (!trial.hasCompletedSlice) {
      noteFirst(trial, task.trainedS + (1 - task.done) * task.unitS);
      trial.hasCompletedSlice = true;
      trial.lastLoss = trial.firstLoss;
      trial.lastS = trial.firstS;
    }
    double loss = times.loss(task, unit);
    double atS = task.trainedS + (unit - task.done) * task.unitS;
    trial.rate = rule.rate(trial.firstLoss, trial.lastLoss - loss, atS - trial.lastS);
    trial.lastLoss = loss;
    trial.lastS = atS;
    trial.comparedUnit = unit;
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
    int first = NONE;
    for (int i = 0; i < placedOn[gpu]; i++) {
      int trial = trialsOn[gpu][i];
      if (trials[trial].isWaiting && (first == NONE || comesFirst(trial, first))) {
        first = trial;
      }
    }
    return first;
  }

  private boolean comesFirst(int trial, int other) {
    int order = Double.compare(trials[trial].rate, trials[other].rate);
    return order > 0 || (order == 0 && trial < other);
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

  /** Watches the end of the next slice, if trials share GPUs. */
  private void watch(Task task, int unit, ManagedCluster cluster) {
    if (shared > 0) {
      int slice = rule.sliceUnits();
      cluster.watch(task, (unit / slice + 1) * slice - task.done);
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
