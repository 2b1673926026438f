package io.elastune.core.timeline;

import io.elastune.core.policy.MeasuredTimes;
import io.elastune.core.policy.PolicyDecision;
import io.elastune.core.policy.PolicyState;
import io.elastune.core.policy.PolicyStep;
import io.elastune.core.policy.PolicyView;
import io.elastune.core.policy.SchedulingPolicy;
import io.elastune.core.policy.Width;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Any scheduling policy of a fixed cluster (docs/searches.md, "Scheduling policies of fixed
 * clusters"): a pure function that sees a view of the cluster after each event. Tasks that were
 * stopped or interrupted wait in its own queue. A lost instance is replaced at once.
 *
 * @param <P> the state of the policy
 */
public final class ViewPolicy<P extends PolicyState> implements PolicyRun {
  private final SchedulingPolicy<P> policy;
  private final SearchRun search;
  private final TrialTimes times;
  private final Cluster cluster;
  private final Optional<Width> measuredWidth;

  // At the begin of a search that was in progress before.
  private P before;
  private MeasuredTimes shown = MeasuredTimes.NONE;
  private Supplier<List<Begun>> begun = List::of;

  private P state;
  private MeasuredTimes measured = MeasuredTimes.NONE;
  private boolean hasDecided;
  private int issued;
  private int started;
  private int resizes;
  private int preemptions;
  private boolean hasChanged;
  private @Nullable Entry ended;

  /** Waiting tasks by trial. */
  private final TreeMap<Integer, Entry> waiting = new TreeMap<>();

  /** Running tasks in the order of their starts. */
  private final List<Entry> running = new ArrayList<>();

  // What the policy sees; null after a change.
  private @Nullable List<PolicyView.Task> queue;
  private @Nullable List<PolicyView.Instance> instances;

  /**
   * The cluster and the tasks that are issued to it.
   *
   * @param instances those that are requested at the start, and held to the end
   * @param gpus GPUs of each instance
   * @param admission how many tasks are issued
   * @param groups returns the name of a phase of the search, which the policy sees as the group of
   *     its tasks
   * @param timing what the profile says of start-ups and units; the time that is left is not used
   */
  public record Cluster(
      int instances,
      int gpus,
      Admission admission,
      IntFunction<String> groups,
      PolicyView.Timing timing) {}

  /**
   * A task in progress when the timeline begins.
   *
   * @param reports those of its trial, if the policy uses them
   * @param hasStarted whether it has run
   * @param start where it runs; empty if it waits
   */
  public record Begun(
      Task task,
      List<PolicyView.Report> reports,
      boolean hasStarted,
      Optional<PolicyDecision.Start> start) {
    /** A task with reports. */
    public Begun {
      reports = List.copyOf(reports);
    }
  }

  /** A task that was issued and has not ended. */
  private static final class Entry {
    final Task task;
    List<PolicyView.Report> reports = List.of();
    PolicyView.@Nullable Task view;
    PolicyDecision.@Nullable Start start;
    boolean hasStarted;
    boolean isEnding;

    // Of its attempt: the units and the training before it, and the units that the view contains.
    int doneBefore;
    double trainedBeforeS;
    int seen;

    Entry(Task task) {
      this.task = task;
    }

    PolicyView.Task view() {
      return Objects.requireNonNull(view);
    }

    PolicyDecision.Start start() {
      return Objects.requireNonNull(start);
    }
  }

  /** Creates the policy of a cluster. */
  public ViewPolicy(
      SchedulingPolicy<P> policy, SearchRun search, TrialTimes times, Cluster cluster) {
    this.policy = policy;
    this.search = search;
    this.times = times;
    this.cluster = cluster;
    measuredWidth = policy.measuredWidth();
    before = policy.initial();
    state = before;
  }

  /**
   * Lets the policy begin with a search in progress.
   *
   * @param present the state of the policy
   * @param reported what the reports of trials have shown
   * @param tasks returns the tasks that have not ended, after the begin of the search
   */
  public ViewPolicy<P> from(P present, MeasuredTimes reported, Supplier<List<Begun>> tasks) {
    before = present;
    shown = reported;
    begun = tasks;
    return this;
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
    state = before;
    measured = shown;
    hasDecided = false;
    issued = 0;
    started = 0;
    resizes = 0;
    preemptions = 0;
    hasChanged = true;
    waiting.clear();
    running.clear();
    queue = null;
    instances = null;
    for (int i = 0; i < cluster.instances(); i++) {
      managed.request();
    }
    for (Begun task : begun.get()) {
      Entry entry = new Entry(task.task());
      entry.hasStarted = task.hasStarted();
      entry.reports = task.reports();
      enqueue(entry);
      task.start().ifPresent(start -> start(start, managed));
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
    while (managed.leftS() > 0
        && search.mayIssue(0)
        && cluster.admission().admits(issued, started, waiting.size() + running.size())) {
      var unused = managed.closesNow();
      Task task = managed.issue(0);
      if (task == null) {
        return;
      }
      issued++;
      enqueue(new Entry(task));
    }
  }

  private void enqueue(Entry entry) {
    entry.view = viewed(entry, 0);
    waiting.put(entry.task.trial, entry);
    queue = null;
  }

  private void assign(ManagedCluster managed) {
    PolicyStep<P> step = policy.assign(state, view(managed));
    state = step.state();
    for (PolicyDecision decision : step.decisions()) {
      if (decision instanceof PolicyDecision.Start start) {
        start(start, managed);
      } else if (decision instanceof PolicyDecision.Resize resize) {
        resizes += stop(resize.trial(), managed);
      } else if (decision instanceof PolicyDecision.Preempt preempt) {
        preemptions += stop(preempt.trial(), managed);
      } else if (decision instanceof PolicyDecision.Stop stopped) {
        managed.drop(leaveQueue(stopped.trial()).task);
      }
    }
    watch(managed);
  }

  /** Watches the ends of units that matter in the present state. */
  private void watch(ManagedCluster managed) {
    boolean usesUnitEnds = policy.usesUnitEnds(state);
    for (Entry entry : running) {
      if (!entry.isEnding) {
        Task task = entry.task;
        int unit = task.done + managed.completed(task) + 1;
        managed.watch(
            task, usesUnitEnds ? policy.nextUnit(state, task.trial, unit) - task.done : 0);
      }
    }
  }

  private PolicyView view(ManagedCluster managed) {
    List<PolicyView.Running> viewedRunning = new ArrayList<>(running.size());
    for (Entry entry : running) {
      viewedRunning.add(viewed(entry, managed));
    }
    PolicyView.Timing profile = cluster.timing();
    return new PolicyView(
        cluster.groups().apply(search.phase()),
        instances(managed),
        queue(),
        viewedRunning,
        measured.replacing(
            new PolicyView.Timing(managed.leftS(), profile.startupS(), profile.unitS())));
  }

  private List<PolicyView.Instance> instances(ManagedCluster managed) {
    List<PolicyView.Instance> known = instances;
    if (known == null) {
      List<PolicyView.Instance> held = new ArrayList<>();
      for (int number = 0; number < managed.requested(); number++) {
        Instance instance = managed.instance(number);
        if (instance.isHeld) {
          held.add(new PolicyView.Instance(number, cluster.gpus(), instance.isReady));
        }
      }
      known = List.copyOf(held);
      instances = known;
    }
    return known;
  }

  private List<PolicyView.Task> queue() {
    List<PolicyView.Task> known = queue;
    if (known == null) {
      known = waiting.values().stream().map(Entry::view).toList();
      queue = known;
    }
    return known;
  }

  private PolicyView.Running viewed(Entry entry, ManagedCluster managed) {
    boolean isUnitEnd = false;
    if (!entry.isEnding) {
      int completed = managed.completed(entry.task);
      if (completed != entry.seen) {
        see(entry, completed);
      }
      isUnitEnd = managed.isUnitEnd(entry.task, completed);
    }
    PolicyDecision.Start start = entry.start();
    return new PolicyView.Running(
        entry.view(), start.width(), start.instance(), start.gpus(), isUnitEnd, entry.isEnding);
  }

  private void see(Entry entry, int completed) {
    if (measuredWidth.isPresent()) {
      Task task = entry.task;
      boolean showsUnits = entry.start().width().equals(measuredWidth.get());
      measured = measured.withReports(entry.seen, completed, task.startupS, task.unitS, showsUnits);
    }
    report(entry, entry.doneBefore + completed);
    entry.view = viewed(entry, completed);
    entry.seen = completed;
  }

  private PolicyView.Task viewed(Entry entry, int completed) {
    Task task = entry.task;
    int left = task.left() - completed;
    double pace = times.pace(task, left < task.units());
    return new PolicyView.Task(task.trial, left, pace, entry.reports);
  }

  /**
   * Lets a trial have reported each of its units up to one of the task. A unit that it repeats is
   * no other report.
   */
  private void report(Entry entry, int to) {
    int known = entry.reports.isEmpty() ? 0 : entry.reports.get(entry.reports.size() - 1).unit();
    if (to <= known || !policy.usesReports()) {
      return;
    }
    List<PolicyView.Report> reports = new ArrayList<>(entry.reports);
    for (int unit = known + 1; unit <= to; unit++) {
      double trainedS = entry.trainedBeforeS + (unit - entry.doneBefore) * entry.task.unitS;
      reports.add(new PolicyView.Report(unit, times.loss(entry.task, unit), trainedS));
    }
    entry.reports = List.copyOf(reports);
  }

  private void start(PolicyDecision.Start start, ManagedCluster managed) {
    Entry entry = leaveQueue(start.trial());
    Task task = entry.task;
    started += entry.hasStarted ? 0 : 1;
    entry.hasStarted = true;
    entry.start = start;
    entry.isEnding = false;
    entry.doneBefore = task.done;
    entry.trainedBeforeS = task.trainedS;
    entry.seen = 0;
    running.add(entry);
    managed.start(
        task,
        managed.instance(start.instance()),
        start.gpus().get(0),
        start.width().gpus(),
        start.width().trialsPerGpu());
  }

  private Entry leaveQueue(int trial) {
    Entry entry = waiting.remove(trial);
    if (entry == null) {
      throw new IllegalStateException("trial " + trial + " does not wait");
    }
    queue = null;
    return entry;
  }

  /** Ends the attempt of a trial after a checkpoint, and returns how many it has ended. */
  private int stop(int trial, ManagedCluster managed) {
    for (Entry entry : running) {
      if (entry.task.trial == trial) {
        managed.stop(entry.task);
        entry.isEnding = true;
        return 1;
      }
    }
    return 0;
  }

  @Override
  public void ready(Instance instance) {
    instances = null;
    hasChanged = true;
  }

  @Override
  public void unitEnded(Task task) {
    hasChanged = true;
  }

  /** It reports its last unit before it ends. */
  @Override
  public void ends(Task task, ManagedCluster managed) {
    if (policy.usesReports()) {
      assign(managed);
    }
  }

  @Override
  public void ended(Task task) {
    hasChanged = true;
    ended = running.stream().filter(entry -> entry.task == task).findFirst().orElseThrow();
    running.remove(ended);
  }

  @Override
  public void completed(Task task) {
    state = policy.ended(state, task.trial);
  }

  @Override
  public boolean waits(Task task) {
    Entry entry = Objects.requireNonNull(ended);
    report(entry, task.done);
    enqueue(entry);
    return true;
  }

  @Override
  public void lost(Instance instance, ManagedCluster managed) {
    instances = null;
    hasChanged = true;
    managed.replace(instance);
  }
}
