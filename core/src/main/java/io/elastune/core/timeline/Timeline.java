package io.elastune.core.timeline;

import io.elastune.core.search.MomentHeap;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Plays a search on instances, event by event: an instance is ready or lost, an attempt ends,
 * crashes or hangs. Events are handled one at a time by (time rounded to 1 ns; instances by number
 * before tasks; tasks in the order of their start). After each, the policy starts tasks and
 * releases instances. An event takes logarithmic time, besides what the policy does.
 *
 * <p>The search ends with its last task; when a trial reports the target, before all other events
 * at that time; or at a given time, after all other events.
 *
 * <p>Times are in seconds from the start. One object can play many times. Not thread-safe.
 */
public final class Timeline implements ManagedCluster {
  /** The key of the first task among the keys of events; those of instances are lower. */
  private static final int FIRST_TASK = 1 << 30;

  private static final int NO_EVENT = -1;

  private final SearchRun search;
  private final PolicyRun policy;
  private final TrialTimes trialTimes;
  private final InstanceTimes instanceTimes;
  private final int gpusPerInstance;
  private Faults faults = Faults.NONE;
  private Bills bills = Bills.NONE;
  private TimelineRecipient recipient = TimelineRecipient.NONE;
  private double stopS = Instance.NEVER;
  private long stopNs = Long.MAX_VALUE;

  private final MomentHeap events = new MomentHeap();
  private final MomentHeap targets = new MomentHeap();
  private Instance[] instances = new Instance[0];
  private Task[] tasks = new Task[64];
  private int requested;
  private int held;
  private int idle;
  private int started;
  private double nowS;
  private int phase;
  private double phaseStartS;
  private boolean hasBegun;

  /** Creates the timeline of a search on instances with so many GPUs. */
  public Timeline(
      SearchRun search,
      PolicyRun policy,
      TrialTimes trialTimes,
      InstanceTimes instanceTimes,
      int gpusPerInstance) {
    this.search = search;
    this.policy = policy;
    this.trialTimes = trialTimes;
    this.instanceTimes = instanceTimes;
    this.gpusPerInstance = gpusPerInstance;
  }

  /** Lets these faults occur. */
  public Timeline withFaults(Faults occurring) {
    faults = occurring;
    return this;
  }

  /** Bills all instances. */
  public Timeline withBills(Bills computed) {
    bills = computed;
    return this;
  }

  /** Passes all events to {@code receiving}, in order. */
  public Timeline tracedTo(TimelineRecipient receiving) {
    recipient = receiving;
    return this;
  }

  /** Ends the search at a time, with whatever it has reached. */
  public Timeline stoppedAt(double atS) {
    stopS = atS;
    stopNs = MomentHeap.ns(atS);
    return this;
  }

  /**
   * Begins at time 0: the policy requests the first instances. Needed only before {@link
   * #addRunning}, otherwise {@link #play} begins.
   */
  public void begin() {
    events.clear();
    targets.clear();
    requested = 0;
    held = 0;
    idle = 0;
    started = 0;
    nowS = 0;
    phaseStartS = 0;
    hasBegun = true;
    search.begin();
    phase = search.phase();
    policy.begin(this);
  }

  /**
   * Adds a task that already runs. Its end precedes those of tasks that start later.
   *
   * @param leftS seconds until it ends
   */
  public void addRunning(Task task, int instance, int firstGpu, int gpus, double leftS) {
    task.lasts(0, leftS / Math.max(1, task.units()), leftS);
    place(task, instances[instance], firstGpu, gpus);
    run(task);
  }

  /** Plays to the end of the search and returns its time. */
  public double play() {
    if (!hasBegun) {
      begin();
    }
    while (!search.isFinished() && advance()) {
      policy.decide(this);
    }
    hasBegun = false;
    recipient.finished(nowS);
    for (int number = requested - 1; number >= 0; number--) {
      Instance instance = instances[number];
      if (instance.isHeld) {
        while (instance.last != null) {
          leave(instance.last);
        }
        release(instance);
      }
    }
    return nowS;
  }

  /** Returns when the present phase began, or the last one if the search has ended. */
  public double phaseStartS() {
    return phaseStartS;
  }

  /** Returns by instance when it was released. */
  public double[] releasedS() {
    double[] releasedS = new double[requested];
    Arrays.setAll(releasedS, number -> instances[number].releasedS);
    return releasedS;
  }

  /** Handles the next event; returns whether the search continues. */
  private boolean advance() {
    int next = nextEvent();
    long nextNs = next == NO_EVENT ? Long.MAX_VALUE : events.firstNs();
    double targetS = nextTargetS();
    if (targetS < Instance.NEVER && targetS <= stopS && MomentHeap.ns(targetS) <= nextNs) {
      return endAt(targetS);
    }
    if (nextNs > stopNs) {
      return endAt(Math.max(0, stopS));
    }
    if (next == NO_EVENT) {
      throw new IllegalStateException("tasks wait, but no instance is left for them");
    }
    events.poll();
    if (next < FIRST_TASK) {
      happen(instances[next]);
    } else {
      happen(tasks[next - FIRST_TASK]);
    }
    return true;
  }

  /** Returns the key of the next event; drops what became obsolete. */
  private int nextEvent() {
    while (!events.isEmpty()) {
      int key = events.firstKey();
      boolean isValid;
      if (key < FIRST_TASK) {
        Instance instance = instances[key];
        isValid = instance.isHeld && instance.nextNs == events.firstNs();
      } else {
        Task task = tasks[key - FIRST_TASK];
        isValid = isPresent(task, key) && task.nextNs == events.firstNs();
      }
      if (isValid) {
        return key;
      }
      events.poll();
    }
    return NO_EVENT;
  }

  private static boolean isPresent(Task task, int key) {
    return task.isRunning && task.order == key - FIRST_TASK;
  }

  private double nextTargetS() {
    while (!targets.isEmpty()) {
      int key = targets.firstKey();
      Task task = tasks[key - FIRST_TASK];
      if (isPresent(task, key) && MomentHeap.ns(task.targetS) == targets.firstNs()) {
        return task.targetS;
      }
      targets.poll();
    }
    return Instance.NEVER;
  }

  private boolean endAt(double atS) {
    nowS = atS;
    search.end(nowS);
    notePhase();
    return false;
  }

  private void happen(Instance instance) {
    nowS = instance.nextS();
    if (instance.isLostNext()) {
      strike(instance);
      return;
    }
    if (instance.bootFails) {
      bills.bootFailed(instance);
      instanceTimes.reboot(instance);
    } else {
      instance.isReady = true;
      policy.ready(instance);
      recipient.ready(instance, nowS);
    }
    expect(instance);
  }

  private void strike(Instance instance) {
    Faults.Loss loss = faults.lostWith(instance, this);
    if (loss.lost().isEmpty()) {
      expect(instance);
    }
    for (Instance lost : loss.lost()) {
      account(lost);
      lost.isHeld = false;
      lost.releasedS = nowS;
      held--;
      idle -= lost.running == 0 ? 1 : 0;
      while (lost.first != null) {
        Task task = lost.first;
        if (!task.hangs) {
          faults.passed(task, nowS - task.startS);
        }
        interrupt(task, loss.isNoticed());
      }
      bills.released(lost, phase, phaseStartS);
      policy.lost(lost, this);
    }
  }

  private void happen(Task task) {
    nowS = task.nextS();
    if (task.hangs) {
      task.avoided = task.instance();
      interrupt(task, false);
    } else if (task.faultS < task.endS) {
      strike(task);
    } else {
      finish(task);
    }
  }

  private void strike(Task task) {
    switch (faults.strike(task)) {
      case NONE -> {
        task.faultS = Instance.NEVER;
        expect(task);
      }
      case CRASH -> {
        task.avoided = Task.NONE;
        interrupt(task, false);
      }
      case HANG -> {
        task.hang(nowS, trialTimes.checkpointS());
        expect(task);
      }
    }
  }

  /**
   * Ends the attempt of a task by a fault.
   *
   * @param saves whether it has the time to save a checkpoint; one that hangs does not
   */
  private void interrupt(Task task, boolean saves) {
    int trained = task.trained(nowS);
    int kept = saves && !task.hangs ? trained : trialTimes.saved(task, trained);
    task.done = trialTimes.resumes(task) ? task.done + kept : 0;
    leave(task);
    policy.ended(task);
    search.interrupted(task);
    notePhase();
  }

  private void finish(Task task) {
    int intact = trialTimes.intact(task, task.repeated);
    if (intact < task.units()) {
      faults.passed(task, nowS - task.startS);
      task.done = intact;
      task.repeated++;
      trainOn(task, true);
      return;
    }
    task.avoided = Task.NONE;
    recipient.ended(task, nowS);
    double loss = search.usesLosses() ? trialTimes.loss(task) : Double.NaN;
    if (search.ended(task, loss, nowS)) {
      notePhase();
      trainOn(task, false);
      recipient.started(task, nowS);
      return;
    }
    leave(task);
    policy.ended(task);
    notePhase();
  }

  /** Begins another attempt of a task on the same GPUs, with its place in the order of starts. */
  private void trainOn(Task task, boolean starts) {
    Instance instance = instances[task.instance];
    int order = task.order;
    leave(task);
    trialTimes.begin(task, instance, starts);
    place(task, instance, task.firstGpu, task.gpus);
    started--;
    task.order = order;
    run(task);
  }

  private void place(Task task, Instance instance, int firstGpu, int gpus) {
    account(instance);
    task.instance = instance.number;
    task.firstGpu = firstGpu;
    task.gpus = gpus;
    task.before = instance.last;
    task.after = null;
    if (instance.last == null) {
      instance.first = task;
    } else {
      instance.last.after = task;
    }
    instance.last = task;
    idle -= instance.running == 0 ? 1 : 0;
    instance.running++;
    instance.usedGpus += gpus;
    task.order = started++;
  }

  /** Lets the attempt of a task run that has its place and its times. */
  private void run(Task task) {
    task.isRunning = true;
    task.begin(nowS);
    double faultAfterS = faults.untilS(task, task.lastsS());
    if (faultAfterS < task.lastsS()) {
      task.faultS = nowS + faultAfterS;
    }
    if (task.order >= tasks.length) {
      tasks = Arrays.copyOf(tasks, 2 * tasks.length);
    }
    tasks[task.order] = task;
    expect(task);
    if (task.targetS < Instance.NEVER) {
      targets.add(MomentHeap.ns(task.targetS), FIRST_TASK + task.order);
    }
  }

  /** Ends the attempt of a task. */
  private void leave(Task task) {
    Instance instance = instances[task.instance];
    account(instance);
    Task before = task.before;
    Task after = task.after;
    if (before == null) {
      instance.first = after;
    } else {
      before.after = after;
    }
    if (after == null) {
      instance.last = before;
    } else {
      after.before = before;
    }
    instance.running--;
    instance.usedGpus -= task.gpus;
    idle += instance.isHeld && instance.running == 0 ? 1 : 0;
    task.isRunning = false;
    recipient.left(task, nowS);
  }

  private void expect(Task task) {
    task.nextNs = MomentHeap.ns(task.nextS());
    events.add(task.nextNs, FIRST_TASK + task.order);
  }

  private void expect(Instance instance) {
    double nextS = instance.nextS();
    instance.nextNs = nextS < Instance.NEVER ? MomentHeap.ns(nextS) : Long.MAX_VALUE;
    if (nextS < Instance.NEVER) {
      events.add(instance.nextNs, instance.number);
    }
  }

  /** Adds the time since the last change on an instance to its work. */
  private void account(Instance instance) {
    double seconds = nowS - instance.changedS;
    if (instance.running > 0 && seconds > 0) {
      instance.usedS += seconds;
      instance.usedNowS += seconds;
      instance.busyS += seconds * instance.usedGpus / gpusPerInstance;
    }
    instance.changedS = nowS;
  }

  /** Attributes the cost so far to the phase that has ended, if one has. */
  private void notePhase() {
    int present = search.phase();
    if (present == phase) {
      return;
    }
    for (int number = 0; number < requested; number++) {
      Instance instance = instances[number];
      if (instance.isHeld) {
        account(instance);
        bills.attribute(instance, phase, phaseStartS, nowS);
        instance.usedNowS = 0;
      }
    }
    phase = present;
    phaseStartS = nowS;
    recipient.phaseEnded(nowS);
  }

  @Override
  public double nowS() {
    return nowS;
  }

  @Override
  public int requested() {
    return requested;
  }

  @Override
  public Instance instance(int number) {
    return instances[number];
  }

  @Override
  public int held() {
    return held;
  }

  @Override
  public int idle() {
    return idle;
  }

  @Override
  public void request() {
    add(null);
  }

  @Override
  public void replace(Instance lost) {
    add(lost);
  }

  private void add(@Nullable Instance lost) {
    if (requested == instances.length) {
      int before = requested;
      instances = Arrays.copyOf(instances, Math.max(8, 2 * before));
      for (int number = before; number < instances.length; number++) {
        instances[number] = new Instance(number);
      }
    }
    Instance instance = instances[requested++];
    instance.reset(phase);
    instance.changedS = nowS;
    held++;
    idle++;
    if (lost == null) {
      instanceTimes.request(instance, nowS);
    } else {
      instanceTimes.replace(instance, lost, nowS);
    }
    instance.lostAt(faults.lostS(instance, nowS));
    bills.requested(instance);
    expect(instance);
  }

  @Override
  public void release(Instance instance) {
    account(instance);
    instance.isHeld = false;
    instance.releasedS = nowS;
    held--;
    idle--;
    bills.released(instance, phase, phaseStartS);
    recipient.released(instance, nowS);
  }

  @Override
  public boolean closesNow() {
    boolean closes = stopS < Instance.NEVER && search.closeIfLate(stopS - nowS);
    if (closes) {
      notePhase();
    }
    return closes;
  }

  @Override
  public @Nullable Task issue(int queue) {
    Task task = search.next(queue);
    notePhase();
    return task;
  }

  @Override
  public void start(Task task, Instance instance, int firstGpu, int gpus) {
    task.gpus = gpus;
    trialTimes.begin(task, instance, true);
    place(task, instance, firstGpu, gpus);
    run(task);
    recipient.started(task, nowS);
  }
}
