package io.elastune.core.timeline;

import io.elastune.core.policy.Width;
import io.elastune.core.search.MomentHeap;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Plays a search on instances, event by event: an instance is ready or lost, an attempt ends,
 * crashes or hangs. Events are handled one at a time by (time rounded to 1 ns; instances by number
 * before tasks; tasks in the order of their start, or see {@link PolicyRun#countsUnits}). After
 * each, the policy starts tasks and releases instances. An event takes logarithmic time, besides
 * what the policy does.
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
  private static final double NANOS = 1e9;

  /** Two units never end at the same nanosecond if they last longer. */
  private static final double LEAST_UNIT_S = 1e-8;

  private final SearchRun search;
  private final PolicyRun policy;
  private final TrialTimes trialTimes;
  private final InstanceTimes instanceTimes;
  private final int gpusPerInstance;
  private final boolean countsUnits;
  private Faults faults = Faults.NONE;
  private Bills bills = Bills.NONE;
  private TimelineRecipient recipient = TimelineRecipient.NONE;
  private boolean hasFaults;
  private boolean hasRecipient;

  /** Where trials ran; null if it does not matter. */
  private @Nullable LastPlaces places;

  private double stopS = Instance.NEVER;
  private long stopNs = Long.MAX_VALUE;

  private final MomentHeap events = new MomentHeap();

  /** The tasks whose next event may have changed, if units matter. */
  private Task[] pending = new Task[8];

  private int pendingTasks;

  private final MomentHeap targets = new MomentHeap();
  private Instance[] instances = new Instance[0];
  private Task[] tasks = new Task[64];
  private int requested;
  private int held;
  private int idle;
  private int started;
  private boolean hasTrained;
  private double nowS;

  // If units matter: the place of the present event among all events.
  private long nowNs;
  private long nowSinceNs;
  private int nowOrder;

  /** The task that ends a unit now, and which; {@link Task#NONE} if the event is another one. */
  private int atUnitOrder = Task.NONE;

  private int atUnit;

  private int phase;
  private double phaseStartS;
  private boolean hasBegun;

  /** Whether it is known where a trial ran before. */
  private boolean hasPast;

  /** Creates the timeline of a search on instances with so many GPUs, or with at most so many. */
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
    countsUnits = policy.countsUnits();
  }

  /** Lets these faults occur. */
  public Timeline withFaults(Faults occurring) {
    faults = occurring;
    hasFaults = occurring != Faults.NONE;
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
    hasRecipient = receiving != TimelineRecipient.NONE;
    return this;
  }

  /**
   * Lets trials continue where they ran, if the search knows them.
   *
   * @param keepsAlive whether their programs wait there for the next task, which then needs no
   *     start-up (docs/model.md, "Programs that wait")
   */
  public Timeline withPlaces(boolean keepsAlive) {
    places = new LastPlaces(gpusPerInstance, keepsAlive);
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
    addPending();
    atUnitOrder = Task.NONE;
    events.clear();
    targets.clear();
    requested = 0;
    held = 0;
    idle = 0;
    started = 0;
    hasTrained = false;
    nowS = 0;
    nowNs = 0;
    nowSinceNs = MomentHeap.ALWAYS;
    nowOrder = Integer.MAX_VALUE;
    phaseStartS = 0;
    hasBegun = true;
    hasPast = false;
    if (places != null) {
      places.begin();
    }
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
    addRunning(task, instance, firstGpu, Width.of(gpus), leftS);
  }

  /**
   * Adds a task that already runs, on GPUs that trials may share. Its end precedes those of tasks
   * that start later.
   *
   * @param leftS seconds until it ends
   */
  public void addRunning(Task task, int instance, int firstGpu, Width width, double leftS) {
    task.lasts(0, leftS / Math.max(1, task.units()), leftS);
    addRunning(task, instances[instance], Task.NO_OTHERS, firstGpu, width);
  }

  private void addRunning(Task task, Instance instance, int[] others, int firstGpu, Width width) {
    task.others = others;
    place(task, instance, firstGpu, width.gpus(), width.trialsPerGpu());
    if (places != null) {
      places.took(task, false);
    }
    policy.runs(task);
    run(task);
  }

  /**
   * Adds a task that already runs, and that a fault may interrupt. Its end precedes those of tasks
   * that start later. The clock of its faults begins now.
   *
   * @param unitS seconds per unit of the attempt
   * @param leftS seconds until it ends without a fault: more than its units take if it starts up
   */
  public void addRunning(
      Task task, int instance, int firstGpu, int gpus, double unitS, double leftS) {
    double trainingS = task.left() * unitS;
    double begunS = Math.max(0, trainingS - leftS);
    task.lasts(Math.max(0, leftS - trainingS), unitS, begunS + leftS);
    task.hasBegunFor(begunS);
    task.passedS = -begunS;
    addRunning(task, instances[instance], Task.NO_OTHERS, firstGpu, Width.of(gpus));
  }

  /**
   * Adds a task that already runs on all GPUs of several instances.
   *
   * @param team their numbers
   */
  public void addRunning(Task task, List<Integer> team, int gpus, double leftS) {
    task.lasts(0, leftS / Math.max(1, task.units()), leftS);
    int[] others = team.stream().skip(1).mapToInt(number -> number).toArray();
    addRunning(task, instances[team.get(0)], others, 0, Width.of(gpus));
  }

  /**
   * Records where a trial ran before, if places matter: all trials in the order in which their
   * tasks ended.
   *
   * @param ended a task of the trial that ended before the timeline
   */
  public void ranBefore(Task ended, TrialPlace place) {
    if (places != null) {
      places.ran(ended, place);
      hasPast = true;
    }
  }

  /** Plays to the end of the search and returns its time. */
  public double play() {
    if (!hasBegun) {
      begin();
    }
    if (countsUnits || hasPast) {
      decideFirst();
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
          discard(instance.last);
        }
        if (instance.member != null) {
          discard(instance.member);
        }
        release(instance);
      }
    }
    return nowS;
  }

  /** Whether any trial had trained a unit when the last search ended. */
  public boolean hasTrained() {
    return hasTrained;
  }

  /** Ends the attempt of a task with the search. */
  private void discard(Task task) {
    task.keep(trainedAtEnd(task));
    leave(task);
  }

  /** Ends the attempt of a task, whose trial leaves its GPUs. */
  private void leaveGpus(Task task) {
    leave(task);
    if (places != null) {
      places.left(task);
    }
  }

  /** Lets the policy decide once when all instances are ready that are ready at the start. */
  private void decideFirst() {
    for (int next = nextEvent(); next != NO_EVENT && events.firstNs() <= 0; next = nextEvent()) {
      if (next >= FIRST_TASK || instances[next].isLostNext()) {
        break;
      }
      events.poll();
      happen(instances[next]);
    }
    nowOrder = Integer.MAX_VALUE;
    policy.decide(this);
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
    atUnitOrder = Task.NONE;
    int next = nextEvent();
    long nextNs = next == NO_EVENT ? Long.MAX_VALUE : events.firstNs();
    double targetS = nextTargetS();
    if (targetS < Instance.NEVER && targetS <= stopS && isTargetFirst(next)) {
      return endAt(targetS);
    }
    if (nextNs > stopNs) {
      return endAt(Math.max(0, stopS));
    }
    if (next == NO_EVENT) {
      throw new IllegalStateException("tasks wait, but no instance is left for them");
    }
    nowNs = nextNs;
    nowSinceNs = events.firstSinceNs();
    nowOrder = next < FIRST_TASK ? next : next - FIRST_TASK;
    events.poll();
    if (next < FIRST_TASK) {
      happen(instances[next]);
    } else {
      happen(tasks[next - FIRST_TASK]);
    }
    return true;
  }

  /** Whether the target is reported before the next event. */
  private boolean isTargetFirst(int next) {
    if (next == NO_EVENT) {
      return true;
    }
    return countsUnits ? !targets.isAfter(events) : targets.firstNs() <= events.firstNs();
  }

  /** Returns a time of an event; a whole number of nanoseconds if units matter. */
  private double at(double seconds) {
    return countsUnits ? MomentHeap.ns(seconds) / NANOS : seconds;
  }

  /** Returns the key of the next event; drops what became obsolete. */
  private int nextEvent() {
    addPending();
    while (!events.isEmpty()) {
      int key = events.firstKey();
      boolean isValid;
      if (key < FIRST_TASK) {
        Instance instance = instances[key];
        isValid = instance.isHeld && instance.nextNs == events.firstNs();
      } else {
        Task task = tasks[key - FIRST_TASK];
        isValid =
            isPresent(task, key)
                && task.nextNs == events.firstNs()
                && task.nextSinceNs == events.firstSinceNs();
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
    nowS = at(atS);
    nowNs = MomentHeap.ns(nowS);
    nowSinceNs = MomentHeap.ALWAYS;
    nowOrder = Integer.MAX_VALUE;
    search.end(nowS);
    notePhase();
    return false;
  }

  private void happen(Instance instance) {
    nowS = at(instance.nextS());
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
        interrupt(lost.first, loss);
      }
      if (lost.member != null) {
        interrupt(lost.member, loss);
      }
      bills.released(lost, phase, phaseStartS);
      policy.lost(lost, this);
    }
  }

  private void happen(Task task) {
    nowS = countsUnits ? task.nextNs / NANOS : task.nextS();
    if (task.hangs) {
      task.avoided = task.instance();
      interrupt(task, false);
    } else if (task.faultS < task.endS && task.faultS < task.watchedS) {
      strike(task);
    } else if (task.watchedS < task.endS) {
      task.watchedS = Instance.NEVER;
      if (countsUnits && task.unitS > LEAST_UNIT_S) {
        atUnitOrder = task.order;
        atUnit = task.watchedUnit;
      }
      policy.unitEnded(task);
      expect(task);
    } else if (task.isEnding) {
      pause(task);
    } else {
      finish(task);
    }
  }

  private void strike(Task task) {
    Faults.Strike strike = faults.strike(task);
    task.passedS = 0;
    if (strike == Faults.Strike.NONE) {
      task.faultS = Instance.NEVER;
      expect(task);
    } else if (strike == Faults.Strike.CRASH || task.isEnding) {
      task.avoided = Task.NONE;
      interrupt(task, false);
    } else {
      int trained = trained(task);
      double silenceS = faults.silenceS(task, task.neededS(trained));
      task.hang(trained, nowS, silenceS, trialTimes.checkpointS());
      expect(task);
    }
  }

  /** Ends the attempt of a task that has written a checkpoint. */
  private void pause(Task task) {
    task.passedS += nowS - task.startS;
    int trained = trainedAtEnd(task);
    task.keep(trained > 0 ? trialTimes.stopped(task, trained) : 0);
    await(task);
  }

  /** Returns the units that a task has trained in the attempt that ends now. */
  private int trainedAtEnd(Task task) {
    int trained = trained(task);
    hasTrained |= trained > 0;
    return trained;
  }

  private int trained(Task task) {
    if (task.order == atUnitOrder && !task.isEnding) {
      return atUnit;
    }
    return countsUnits ? task.trained(nowS, nowNs, nowSinceNs, nowOrder) : task.trained(nowS);
  }

  /** Ends the attempt of a task whose instance is lost. */
  private void interrupt(Task task, Faults.Loss loss) {
    if (!task.hangs) {
      task.passedS += nowS - task.startS;
    }
    interrupt(task, loss.isNoticed());
  }

  /**
   * Ends the attempt of a task by a fault.
   *
   * @param saves whether it has the time to save a checkpoint; one that hangs does not
   */
  private void interrupt(Task task, boolean saves) {
    int trained = trainedAtEnd(task);
    policy.interrupts(task, trained);
    if (trialTimes.resumes(task)) {
      task.keep(saves && !task.hangs ? trained : trialTimes.saved(task, trained));
    } else {
      task.restart();
    }
    await(task);
  }

  /** Ends the attempt of a task, which waits then. */
  private void await(Task task) {
    leaveGpus(task);
    policy.ended(task);
    if (!policy.waits(task)) {
      search.interrupted(task);
    }
    notePhase();
  }

  private void finish(Task task) {
    task.avoided = Task.NONE;
    hasTrained = true;
    policy.ends(task, this);
    int intact = trialTimes.intact(task, task.repeated);
    if (intact < task.units()) {
      repeat(task, intact);
      return;
    }
    if (hasRecipient) {
      recipient.ended(task, nowS);
    }
    double loss = search.usesLosses() ? trialTimes.loss(task) : Double.NaN;
    if (search.ended(task, loss, nowS)) {
      notePhase();
      trainOn(task, false);
      recipient.started(task, nowS);
      return;
    }
    task.keep(task.left());
    leaveGpus(task);
    if (places != null) {
      places.completed(task, nowS);
    }
    policy.ended(task);
    policy.completed(task);
    notePhase();
  }

  /**
   * Lets a task train again what is not in its checkpoints.
   *
   * @param intact the units of it of which there is a checkpoint
   */
  private void repeat(Task task, int intact) {
    policy.interrupts(task, task.left());
    task.passedS += nowS - task.startS;
    task.repeated++;
    if (intact < task.done) {
      task.restart();
    }
    task.keep(intact - task.done);
    if (policy.repeatsAtOnce()) {
      trainOn(task, true);
    } else {
      await(task);
    }
  }

  /** Begins another attempt of a task on the same GPUs, with its place in the order of starts. */
  private void trainOn(Task task, boolean starts) {
    Instance instance = instances[task.instance];
    int order = task.order;
    leave(task);
    trialTimes.begin(task, slowest(instance, task.others), starts);
    place(task, instance, task.firstGpu, task.gpus, task.trialsPerGpu);
    started--;
    task.order = order;
    run(task);
  }

  private void place(Task task, Instance instance, int firstGpu, int gpus, int trialsPerGpu) {
    account(instance);
    task.instance = instance.number;
    task.firstGpu = firstGpu;
    task.gpus = gpus;
    task.trialsPerGpu = trialsPerGpu;
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
    instance.usedGpus += task.usedGpus();
    if (task.others.length > 0) {
      placeOnOthers(task);
    }
    task.order = started++;
  }

  private void placeOnOthers(Task task) {
    for (int number : task.others) {
      Instance other = instances[number];
      account(other);
      other.member = task;
      idle -= other.running == 0 ? 1 : 0;
      other.running++;
      other.usedGpus += task.usedGpus();
    }
  }

  private void leaveOthers(Task task) {
    for (int number : task.others) {
      Instance other = instances[number];
      account(other);
      other.member = null;
      other.running--;
      other.usedGpus -= task.usedGpus();
      idle += other.isHeld && other.running == 0 ? 1 : 0;
    }
  }

  private Instance slowest(Instance first, int[] others) {
    Instance slowest = first;
    for (int number : others) {
      slowest = instances[number].slowness > slowest.slowness ? instances[number] : slowest;
    }
    return slowest;
  }

  /** Lets the attempt of a task run that has its place and its times. */
  private void run(Task task) {
    task.isRunning = true;
    task.begin(nowS);
    if (countsUnits) {
      task.endsWithUnit();
    }
    expectFault(task);
    if (task.order >= tasks.length) {
      tasks = Arrays.copyOf(tasks, 2 * tasks.length);
    }
    tasks[task.order] = task;
    expect(task);
    if (task.targetS < Instance.NEVER) {
      targets.add(MomentHeap.ns(task.targetS), targetSinceNs(task), FIRST_TASK + task.order);
    }
  }

  /** Sets when an attempt crashes or hangs, if it does before its end. */
  private void expectFault(Task task) {
    if (!hasFaults) {
      return; // it begins without one
    }
    double passS = task.passedS + task.lastsS();
    double afterS = faults.strikesAfterS(task, passS);
    task.faultS =
        afterS < passS ? task.startS + Math.max(0, afterS - task.passedS) : Instance.NEVER;
  }

  private long targetSinceNs(Task task) {
    if (!countsUnits) {
      return MomentHeap.ALWAYS;
    }
    int unit = (int) Math.rint((task.targetS - task.startS - task.startupS) / task.unitS);
    return task.sinceNs(unit);
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
    instance.usedGpus -= task.usedGpus();
    idle += instance.isHeld && instance.running == 0 ? 1 : 0;
    if (task.others.length > 0) {
      leaveOthers(task);
    }
    task.isRunning = false;
    if (hasRecipient) {
      recipient.left(task, nowS);
    }
  }

  /**
   * Expects the next event of a task. If units matter, several things may change before the next
   * event, so it is added only then.
   */
  private void expect(Task task) {
    if (!countsUnits) {
      addNext(task);
    } else if (!task.isPending) {
      task.isPending = true;
      if (pendingTasks == pending.length) {
        pending = Arrays.copyOf(pending, 2 * pendingTasks);
      }
      pending[pendingTasks++] = task;
    }
  }

  private void addNext(Task task) {
    task.expect();
    events.add(task.nextNs, task.nextSinceNs, FIRST_TASK + task.order);
  }

  private void addPending() {
    for (int i = 0; i < pendingTasks; i++) {
      Task task = pending[i];
      task.isPending = false;
      if (task.isRunning) {
        addNext(task);
      }
    }
    pendingTasks = 0;
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
      instance.busyS += seconds * instance.usedGpus / instance.gpus;
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
    instance.reset(phase, lost == null ? gpusPerInstance : lost.gpus, nowS);
    held++;
    idle++;
    if (lost == null) {
      instanceTimes.request(instance, nowS);
    } else {
      instanceTimes.replace(instance, lost, nowS);
    }
    instance.lostAt(faults.lostS(instance, nowS));
    bills.requested(instance);
    recipient.requested(instance, nowS);
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
  public boolean knowsPlaces() {
    return places != null;
  }

  @Override
  public @Nullable Task home(Task task) {
    return places == null ? null : places.home(task);
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
  public void start(Task task, Instance instance, int firstGpu, int gpus, int trialsPerGpu) {
    start(task, instance, Task.NO_OTHERS, firstGpu, gpus, trialsPerGpu);
  }

  @Override
  public void start(Task task, List<Instance> team, int gpus) {
    int[] others = team.stream().skip(1).mapToInt(Instance::number).toArray();
    start(task, team.get(0), others, 0, gpus, 1);
  }

  private void start(
      Task task, Instance instance, int[] others, int firstGpu, int gpus, int trialsPerGpu) {
    boolean continues =
        places != null
            && places.continues(task, instance.number, firstGpu, gpus, others.length > 0, nowS);
    task.gpus = gpus;
    task.trialsPerGpu = trialsPerGpu;
    task.others = others;
    trialTimes.begin(task, slowest(instance, others), !continues);
    place(task, instance, firstGpu, gpus, trialsPerGpu);
    if (places != null) {
      places.took(task, continues);
    }
    run(task);
    if (hasRecipient) {
      recipient.started(task, nowS);
    }
  }

  @Override
  public void stop(Task task) {
    task.stop(trained(task), nowS, trialTimes.checkpointS());
    if (!task.hangs) { // its clock does not run
      expectFault(task);
    }
    expect(task);
  }

  @Override
  public void drop(Task task) {
    search.dropped(task);
    notePhase();
  }

  @Override
  public void watch(Task task, int unit) {
    if (task.hangs || task.isEnding) {
      return;
    }
    double atS = unit <= 0 || unit >= task.left() ? Instance.NEVER : task.unitEndS(unit);
    if (atS != task.watchedS) {
      task.watchedS = atS;
      task.watchedUnit = unit;
      task.watchedSinceNs = atS < Instance.NEVER ? task.sinceNs(unit) : MomentHeap.ALWAYS;
      expect(task);
    }
  }

  @Override
  public int completed(Task task) {
    return trained(task);
  }

  @Override
  public boolean isUnitEnd(Task task, int completed) {
    return completed > 0
        && completed < task.left()
        && MomentHeap.ns(task.unitEndS(completed)) == nowNs;
  }

  @Override
  public double leftS() {
    return stopS - nowS;
  }
}
